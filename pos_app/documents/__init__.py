"""Pure layout of what is printed: signed receipts as blocks. No printing, no files."""
