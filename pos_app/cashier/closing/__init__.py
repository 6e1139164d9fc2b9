"""The question whether the till is closed while something stands."""
