"""The window as a whole, on real databases, through real keys."""
