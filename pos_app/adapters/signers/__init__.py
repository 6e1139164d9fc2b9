"""The signers of certificate mode: their folders, and a worker's connection to them."""
