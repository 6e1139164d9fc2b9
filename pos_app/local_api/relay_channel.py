"""A websocket to the platform's relay; the fault of each try is described in words.

Source: platform-contract.md 2.7.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator
from dataclasses import field
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from pos_app.domain.setup.safe_connection import ClearTextFault, nearby, needs_near
from pos_app.lazy_dataclass import dataclass
from pos_app.local_api.relay_client import LineClosed, RelayConnection
from pos_app.tls_faults import tls_fault, tls_sentence
from pos_app.wire.relay import MOST_COMMAND_FRAME

OPEN_SECONDS = 10.0
BEAT_SECONDS = 20.0
"""The seconds between two pings, until the platform sets others; an answer is awaited for half as
long."""
CLOSE_SECONDS = 2.0
_LONGEST_WAIT = 3600.0


@dataclass(frozen=True, slots=True)
class RelayAddress:
    """The relay's address. url: the platform's address, which ends in /v2. proxy: "" without one.
    trusted is None for http."""

    url: str
    key: str
    secret: str = field(repr=False)
    proxy: str = ""
    trusted: ssl.SSLContext | None = None

    @property
    def relay(self) -> str:
        return f"ws{self.url.removeprefix('http')}/relay"

    @property
    def headers(self) -> dict[str, str]:
        credentials = base64.b64encode(f"{self.key}:{self.secret}".encode()).decode()
        return {"Authorization": f"Basic {credentials}"}


class _Connect(connect):
    """Follows no redirect: the key is meant for the address that a person typed."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


@contextlib.asynccontextmanager
async def dial(address: RelayAddress) -> AsyncIterator[RelayConnection]:
    """Open a connection. The address is one to which a key may go (`platform_fault`). Raises
    LineClosed."""
    try:
        connection = await _opened(address)
    except InvalidStatus as error:
        raise _status_refused(error) from error
    except (OSError, TimeoutError, WebSocketException) as error:
        raise _unreached(error) from error
    try:
        yield _WebSocketChannel(connection)
    finally:
        await connection.close()


async def _opened(address: RelayAddress) -> ClientConnection:
    """Open a connection, of a name without encryption to one of its `nearby` addresses after the
    other until one answers. Raises LineClosed, and as websockets does."""
    if not needs_near(address.url):
        return await _connected(address)
    loop, name = asyncio.get_running_loop(), urlsplit(address.url).hostname
    found = await loop.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    failed: Exception | None = None
    for near in nearby(str(one[4][0]) for one in found):
        try:
            return await _connected(address, host=near)
        except OSError as error:
            failed = error
    raise failed or LineClosed("name_elsewhere", refusal=ClearTextFault.PUBLIC.code, slow=True)


async def _connected(address: RelayAddress, **connection: Any) -> ClientConnection:
    return await _Connect(
        address.relay,
        additional_headers=address.headers,
        user_agent_header="pos-app-server",
        proxy=address.proxy or None,
        compression=None,
        open_timeout=OPEN_SECONDS,
        ping_interval=BEAT_SECONDS,
        ping_timeout=BEAT_SECONDS / 2,
        close_timeout=CLOSE_SECONDS,
        max_size=MOST_COMMAND_FRAME,
        ssl=address.trusted,
        **connection,
    )


class _WebSocketChannel:
    """Implements Channel."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def send(self, frame: str) -> None:
        try:
            await self._connection.send(frame)
        except ConnectionClosed as error:
            raise LineClosed("lost") from error

    async def receive(self) -> str | bytes:
        try:
            return await self._connection.recv()
        except ConnectionClosed as error:
            raise LineClosed("lost") from error

    def beat_every(self, seconds: float) -> None:
        self._connection.ping_interval = seconds
        self._connection.ping_timeout = max(1.0, seconds / 2)

    async def close(self) -> None:
        await self._connection.close()


_STATUS = {
    HTTPStatus.UNAUTHORIZED: "credentials",
    HTTPStatus.FORBIDDEN: "scope",
    HTTPStatus.NOT_FOUND: "address",
    HTTPStatus.TOO_MANY_REQUESTS: "too_many",
}


def _status_refused(error: InvalidStatus) -> LineClosed:
    status = error.response.status_code
    if status in _STATUS:
        code = _STATUS[HTTPStatus(status)]
        after = error.response.headers.get("Retry-After", "")
        at_least = min(_LONGEST_WAIT, float(after)) if after.isdecimal() else 0.0
        return LineClosed(code, refusal=code, slow=True, at_least=at_least)
    return LineClosed("status", status=status)


def _unreached(error: Exception) -> LineClosed:
    """Return the fault of a connection that was not opened. A person mends one of TLS."""
    if (fault := tls_fault(error)) is not None:
        words = tls_sentence(fault, of="The platform")
        return LineClosed(what=words, refusal=fault.value, slow=True)
    return LineClosed("unreached", why=_kind(error))


def _kind(error: Exception) -> str:
    """Describe a fault without addresses and secrets of the proxy."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return type(error).__name__
