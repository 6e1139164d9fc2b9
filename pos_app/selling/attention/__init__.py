"""What a person has to see or to decide: facts for the screen Attention."""
