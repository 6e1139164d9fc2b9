"""Public mode: what other programs ask of the platform is carried out by the shop's application."""
