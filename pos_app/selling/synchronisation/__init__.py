"""A manager's changes on their way to the platform, and what a run does with its list."""
