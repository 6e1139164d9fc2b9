"""The buyers' book: the firms on this till's receipts, what a manager does to them, their sheet."""
