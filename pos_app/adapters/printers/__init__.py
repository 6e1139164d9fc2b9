"""Printers: their jobs as bytes, and the transports that send them."""
