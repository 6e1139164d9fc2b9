"""Sales, charges and the acts at the till as tables of a period."""
