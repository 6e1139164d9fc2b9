"""The screen of the shift: its float, cash in and out, the X, and the close in four steps."""
