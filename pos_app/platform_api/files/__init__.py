"""Files of an account, such as photos of products: uploaded, made in six sizes, kept, served."""
