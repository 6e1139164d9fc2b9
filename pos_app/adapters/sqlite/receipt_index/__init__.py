"""The list of receipts, in a file derived from the journal."""
