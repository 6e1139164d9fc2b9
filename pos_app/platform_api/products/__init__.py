"""Products: their rules, rows and routes."""
