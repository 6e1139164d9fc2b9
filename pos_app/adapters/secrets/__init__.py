"""Secrets that a person typed: read by one function, sealed where the server writes them."""
