"""Products, stores and codes."""
