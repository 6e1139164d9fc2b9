"""A shift of the till: its float, the money that moves in its drawer, its count and its Z."""
