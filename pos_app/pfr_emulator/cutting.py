"""Breaking connections on purpose: what a crash, a pulled plug or a bad cable does to a caller.

ASGI has no word for it. `CuttableH11` hands each request its connection's transport in the state
of the scope; an answer closes it there and waits until the server has noticed. The server then
takes it for a caller that left, and logs nothing.

    uvicorn.Config(create_app(processor), http=CuttableH11)
"""

from __future__ import annotations

import asyncio
from typing import cast

from starlette.types import Receive, Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

_TRANSPORT = "pfr_emulator.transport"
_DISCONNECTED = "http.disconnect"


class CuttableH11(H11Protocol):
    """uvicorn's h11 protocol whose requests know the connection that they came over."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept a connection."""
        super().connection_made(cast(asyncio.Transport, transport))
        self.app_state = {**self.app_state, _TRANSPORT: transport}


async def cut(scope: Scope, receive: Receive, *, flush: bool = False) -> None:
    """Close the request's connection now; with `flush`, after what was already answered."""
    transport = scope.get("state", {}).get(_TRANSPORT)
    if transport is None:
        raise RuntimeError("connections can only be cut when served through CuttableH11")
    connection = cast(asyncio.Transport, transport)
    if flush:
        connection.close()
    else:
        connection.abort()
    await gone(receive)


async def gone(receive: Receive) -> None:
    """Wait until the caller has left or the connection is closed."""
    message = await receive()
    while message["type"] != _DISCONNECTED:
        message = await receive()


async def gone_within(receive: Receive, seconds: float) -> bool:
    """Wait for the given time, or less if the caller leaves; tells whether it left."""
    try:
        async with asyncio.timeout(seconds):
            await gone(receive)
    except TimeoutError:
        return False
    return True
