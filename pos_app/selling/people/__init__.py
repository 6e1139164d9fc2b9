"""The people at the till, their rights, and the log of their acts."""
