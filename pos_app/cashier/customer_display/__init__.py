"""The second screen, which the buyer sees."""
