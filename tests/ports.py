"""Ports of the loopback for programs under test, each given once to one test run."""

from __future__ import annotations

import os
import socket
from itertools import cycle

_FIRST, _LAST = 10_240, 32_000
"""Below those that the system gives to outgoing connections: nothing else comes by one of them."""
_SPREAD = 1_009
_ports = cycle(range(_FIRST, _LAST))


def free_ports(count: int) -> list[int]:
    """So many ports where nobody listens now."""
    return [free_port() for _ in range(count)]


def free_port() -> int:
    """A port where nobody listens now, and that this process gave to nobody else."""
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
