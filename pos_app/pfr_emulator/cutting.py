"""Breaks connections on purpose, as a crash, a pulled plug or a bad cable does.

ASGI can't break a connection. So `CuttableH11` puts the connection's transport into the state of
each request's scope. An answer closes the transport and waits until the server has noticed. The
server takes this for a caller that left, and does not log it.

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
    """uvicorn's h11 protocol whose requests have access to their connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast(asyncio.Transport, transport))
        self.app_state = {**self.app_state, _TRANSPORT: transport}


def peer_certificate(scope: Scope) -> bytes | None:
    """Return the caller's certificate in DER, or None over plain HTTP."""
    transport = scope.get("state", {}).get(_TRANSPORT)
    secured = transport.get_extra_info("ssl_object") if transport is not None else None
    certificate: bytes | None = secured.getpeercert(binary_form=True) if secured else None
    return certificate


async def cut(scope: Scope, receive: Receive, *, flush: bool = False) -> None:
    """Close the request's connection now; with `flush`, after sending the written bytes."""
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
    message = await receive()
    while message["type"] != _DISCONNECTED:
        message = await receive()


async def gone_within(receive: Receive, seconds: float) -> bool:
    """Wait for the given time, or less if the caller leaves; tell whether it left."""
    try:
        async with asyncio.timeout(seconds):
            await gone(receive)
    except TimeoutError:
        return False
    return True
