"""The synchronisation with a platform: a manager's changes go there, and its list comes in."""
