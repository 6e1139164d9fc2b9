"""Attention: what waits or is in doubt, and a guided answer for what needs a person."""
