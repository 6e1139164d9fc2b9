"""Files that the catalogue is filled from or written to, in a process of their own."""
