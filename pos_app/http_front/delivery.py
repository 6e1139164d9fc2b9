"""An answer that reports whether its caller got it.

A caller has the answer if its system took every byte and its connection did not end with a reset,
which means that bytes were thrown away unread. The server's connection reports both. Source:
exactly-once.md (Bodies without a key).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pos_app.http_front.endpoint import JSON

CONNECTION = "pos_app.line"
"""The extension of a scope with the server's connection."""


class RequestConnection(Protocol):
    """The connection of a request."""

    @property
    def is_open(self) -> bool:
        """Whether data written now go to the other system, as far as is known."""
        ...

    async def is_here(self) -> bool:
        """Tell whether the caller still reads. To find that out of one that ended its side may take
        some seconds."""
        ...

    async def taken(self) -> bool:
        """Tell whether the other system took everything that was written; wait some seconds for
        that."""
        ...

    def settle(self, report: Callable[[bool], None]) -> None:
        """Report whether the taken data were received. report: called at the next request of the
        connection, or at its end, where a reset means that the data were not received. Call it
        before the answer is complete."""
        ...


async def still_waits(request: Request) -> bool:
    """Tell whether the caller of the request waits for its answer."""
    connection: RequestConnection | None = request.scope.get("extensions", {}).get(CONNECTION)
    if await request.is_disconnected():
        return False
    return connection is None or await connection.is_here()


def _nothing(_: bool) -> None:
    """Report to nobody."""


class DeliveredResponse(Response):
    """A JSON answer that reports its progress three times.

    on_taken: called when the caller's system has all of it, before the next request of the
    connection is read. on_end: called at the end, with whether it was taken. on_settled: called
    with whether it was delivered.
    """

    def __init__(
        self,
        body: bytes,
        status: int = 200,
        *,
        on_taken: Callable[[], None] = lambda: None,
        on_end: Callable[[bool], Awaitable[None]] | None = None,
        on_settled: Callable[[bool], None] = _nothing,
    ) -> None:
        super().__init__(body, status, media_type=JSON)
        self._on_taken = on_taken
        self._on_end = on_end
        self._on_settled = on_settled

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection: RequestConnection | None = scope.get("extensions", {}).get(CONNECTION)
        is_taken = False
        try:
            is_taken = await self._is_taken(connection, scope, receive, send)
            if is_taken:
                self._on_taken()
                if connection is not None:  # its last answer may end the connection
                    connection.settle(self._on_settled)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            if not is_taken or connection is None:
                self._on_settled(is_taken)
            if self._on_end is not None:
                await self._on_end(is_taken)

    async def _is_taken(
        self, connection: RequestConnection | None, scope: Scope, receive: Receive, send: Send
    ) -> bool:
        start = {
            "type": "http.response.start",
            "status": self.status_code,
            "headers": self.raw_headers,
        }
        is_gone = await Request(scope, receive).is_disconnected()
        await send(start)
        is_written = connection is None or connection.is_open
        for part in (self.body, b""):  # the second one waits until everything is written
            await send({"type": "http.response.body", "body": part, "more_body": True})
        if connection is not None:
            return is_written and await connection.taken()
        return not is_gone and not await Request(scope, receive).is_disconnected()
