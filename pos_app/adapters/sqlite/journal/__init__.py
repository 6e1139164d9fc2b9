"""`journal.db`: its tables, their readers and writers."""
