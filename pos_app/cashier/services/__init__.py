"""What the window is given from outside, and work that outlives a screen."""
