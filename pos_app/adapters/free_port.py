"""A free port of the loopback."""

from __future__ import annotations

import socket


def free_port() -> int:
    """A port nobody listens on now. Another program may still be quicker to take it."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port: int = door.getsockname()[1]
        return port
