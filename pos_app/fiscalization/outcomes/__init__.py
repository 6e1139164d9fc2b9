"""How a request ended: what an answer or a look-up proves, and how that is stored."""
