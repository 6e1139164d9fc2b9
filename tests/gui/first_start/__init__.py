"""The first start, with a real window."""
