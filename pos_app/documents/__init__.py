"""Pure layout of what goes on paper: signed receipts as blocks. No printing, no files."""
