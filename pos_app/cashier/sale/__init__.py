"""The screen Sale: its models use no widget, and its views hold no fact of their own."""
