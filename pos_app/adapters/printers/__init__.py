"""Printers: their jobs as bytes, and the ways to send them."""
