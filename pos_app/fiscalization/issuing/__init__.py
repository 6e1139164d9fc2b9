"""A request from its arrival to its answer: checked, planned, stored, carried out, read back."""
