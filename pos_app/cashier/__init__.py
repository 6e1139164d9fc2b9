"""The Qt till: each screen is a folder with a model (plain Python) and a view."""
