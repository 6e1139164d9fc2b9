"""The manager's catalogue: a table of all products, and the form of one of them."""
