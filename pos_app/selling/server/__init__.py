"""The till's knowledge of its server, its requests there, and the answers."""
