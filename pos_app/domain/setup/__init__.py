"""What a person sets up, and the state of what was set up."""
