"""Joins cores, adapters and fronts into programs; no other package does."""
