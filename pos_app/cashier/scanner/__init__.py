"""Turns the keys of a wedge scanner into codes, wherever the focus is."""
