"""Every scene in every shape: its picture, and checks by machine."""
