"""The program `pos-app server`."""
