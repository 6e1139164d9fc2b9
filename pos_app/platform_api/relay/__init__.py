"""Public mode: the shop's application carries out the platform's requests."""
