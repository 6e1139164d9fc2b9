"""The program `pos-app sync`."""
