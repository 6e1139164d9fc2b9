"""Secrets that a person typed: one function reads them, and the server seals what it writes."""
