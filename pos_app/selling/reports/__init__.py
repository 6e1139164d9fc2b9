"""What was sold, to whom it was charged and what was done at the till, as tables of a period."""
