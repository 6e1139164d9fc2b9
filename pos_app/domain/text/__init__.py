"""Letters, order and search; addresses and times as text."""
