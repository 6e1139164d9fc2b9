"""The models and texts of the till, without a window."""
