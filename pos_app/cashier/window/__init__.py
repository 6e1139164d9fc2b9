"""What every screen stands in: the window, its frame and head, and the ways into and out of it."""
