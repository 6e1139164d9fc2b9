"""`journal.db`: its tables, what is read of it and written to it."""
