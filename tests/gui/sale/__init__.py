"""The screen Sale: its widgets, on real databases, through real keys and taps."""
