"""Printers: what goes to them as bytes, and how it gets there."""
