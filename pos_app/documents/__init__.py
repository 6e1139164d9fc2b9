"""Pure layout of printed documents: signed receipts as blocks. No printing, no files."""
