"""Facts for the screen Attention: all that a person has to see or to decide."""
