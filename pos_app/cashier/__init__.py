"""The Qt till: a folder a screen, each with a model (plain Python) and a view."""
