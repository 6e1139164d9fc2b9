"""Secrets that a person typed, which one function reads, and which are sealed where the server
writes them."""
