"""Serves ASGI applications on sockets of our own, with deadlines and limits."""
