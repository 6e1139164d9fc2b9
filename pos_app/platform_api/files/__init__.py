"""Files of an account, such as the pictures of its products."""
