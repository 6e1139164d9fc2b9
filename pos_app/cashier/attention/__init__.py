"""Attention: the sales that wait or are in doubt, and guided steps for what needs a person."""
