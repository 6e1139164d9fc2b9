"""The manager's catalogue: a table of all products, and one of them to be edited."""
