"""What the till knows of its server, what it asks there, and the answers."""
