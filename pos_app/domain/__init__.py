"""The values and rules of a sale: pure and frozen. No I/O, no time of day."""
