"""The words and rules of a sale: pure, frozen, complete in themselves. No I/O, no time of day."""
