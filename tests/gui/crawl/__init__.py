"""Every scene in every shape: pictures of them, and what can be told by machine."""
