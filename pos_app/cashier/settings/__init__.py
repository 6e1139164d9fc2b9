"""The manager's settings: a list of pages, and a page for each group of them."""
