"""The values and rules of a sale. They are pure and frozen: no I/O, no clock."""
