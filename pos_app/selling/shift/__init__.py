"""A shift of the till: its float, what moves in its drawer, its count and its Z."""
