"""Connections to PostgreSQL beside the pool, which notice that the other end is silent."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

TIMES: dict[str, Any] = {
    "connect_timeout": 10,
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""The limits of libpq, by which a server that is silently gone is noticed. In seconds; the last is
in milliseconds."""


async def connected(address: str) -> psycopg.AsyncConnection:
    """Connect; each statement is a transaction by itself. Raises psycopg.OperationalError."""
    return await psycopg.AsyncConnection.connect(address, autocommit=True, **TIMES)


@contextmanager
def answering(driver: psycopg.AsyncConnection, seconds: float) -> Iterator[None]:
    """Make a question inside raise psycopg.OperationalError if no answer comes in time.

    The system's own limits notice a machine that is gone, but not a machine in between that takes
    everything and passes nothing on. Cancelling does not help, because a cancelled task waits for
    the server.
    """
    timer = asyncio.get_running_loop().call_later(seconds, _cut, driver)
    try:
        yield
    finally:
        timer.cancel()


def is_gone(driver: psycopg.AsyncConnection) -> bool:
    """Tell whether the other end closed a connection: then there are unexpected bytes to read."""
    if driver.closed:
        return True
    if sys.platform == "win32":
        return False
    readable = select.poll()
    readable.register(driver.fileno(), select.POLLIN)
    return bool(readable.poll(0))


def _cut(driver: psycopg.AsyncConnection) -> None:
    if driver.closed:
        return
    with socket.socket(fileno=os.dup(driver.fileno())) as listener, contextlib.suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)
