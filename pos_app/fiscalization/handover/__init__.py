"""Signed receipts on their way to printers, mail and the drawer."""
