"""The way from the program's start to the first window, and to its end."""
