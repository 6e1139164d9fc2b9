"""Ports of the loopback for programs under test; each is given out once in a test run."""

from __future__ import annotations

import os
import socket
from itertools import cycle

_FIRST, _LAST = 10_240, 32_000
"""These lie below the ports that the system gives to outgoing connections, so nothing else uses
them."""
_SPREAD = 1_009
_ports = cycle(range(_FIRST, _LAST))


def free_ports(count: int) -> list[int]:
    """`count` ports where nobody listens now."""
    return [free_port() for _ in range(count)]


def free_port() -> int:
    """A port where nobody listens now, and that this process has not given out before."""
    return next(port for port in _ports if _is_free(port))


def _is_free(port: int) -> bool:
    with socket.socket() as door:
        try:
            door.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


for _ in range(os.getpid() * _SPREAD % (_LAST - _FIRST)):  # each process begins at its own
    next(_ports)
