"""Waits for a request to change state, without polling the journal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class StateChanges:
    """Wakes those who wait for a request id, and calls listeners at every change."""

    def __init__(self) -> None:
        self._waiters: dict[str, set[asyncio.Future[None]]] = {}
        self._listeners: list[Callable[[], None]] = []

    def listen(self, on_change: Callable[[], None]) -> None:
        self._listeners.append(on_change)

    def announce(self, request_id: str) -> None:
        for waiter in self._waiters.pop(request_id, ()):
            if not waiter.done():
                waiter.set_result(None)
        for on_change in self._listeners:
            on_change()

    async def wait(self, request_id: str, seconds: float) -> bool:
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
