"""Waiting for a request to change state, without asking the journal again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class StateChanges:
    """Tells waiters of a request id that its row changed, and listeners of all of them."""

    def __init__(self) -> None:
        self._waiters: dict[str, set[asyncio.Future[None]]] = {}
        self._listeners: list[Callable[[], None]] = []

    def listen(self, on_change: Callable[[], None]) -> None:
        """Have it called at every change of any request."""
        self._listeners.append(on_change)

    def tell(self, request_id: str) -> None:
        """Wake everybody who waits for this request."""
        for waiter in self._waiters.pop(request_id, ()):
            if not waiter.done():
                waiter.set_result(None)
        for on_change in self._listeners:
            on_change()

    async def wait(self, request_id: str, seconds: float) -> bool:
        """Whether the request changed within that time."""
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.setdefault(request_id, set()).add(waiter)
        try:
            await asyncio.wait({waiter}, timeout=max(0.0, seconds))
            return waiter.done()
        finally:
            waiters = self._waiters.get(request_id)
            if waiters is not None:
                waiters.discard(waiter)
                if not waiters:
                    del self._waiters[request_id]
