"""The settings, with a real window."""
