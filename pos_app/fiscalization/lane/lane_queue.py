"""The queue at the processor: one request at a time, a till's sale before other programs'.

Source: exactly-once.md, Facts (at most one receipt of a lane is in flight).
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import IntEnum


class Rank(IntEnum):
    """The order of requests; within a rank first come, first served."""

    HALF_DONE = 0
    """The second receipt of a pair: the first is signed."""
    TILL = 1
    """A customer is waiting."""
    USUAL = 2


class LaneQueue:
    """A lock. The waiting task of the lowest rank gets it next."""

    def __init__(self) -> None:
        self._is_taken = False
        self._count = itertools.count()
        self._waiting: list[tuple[Rank, int, asyncio.Future[None]]] = []

    async def take(self, rank: Rank) -> None:
        if not self._is_taken:
            self._is_taken = True
            return
        waiter = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (rank, next(self._count), waiter))
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled():  # cancelled as it got the lock
                self.release()
            raise

    def release(self) -> None:
        while self._waiting:
            *_, waiter = heapq.heappop(self._waiting)
            if not waiter.done():
                waiter.set_result(None)
                return
        self._is_taken = False

    @asynccontextmanager
    async def turn(self, rank: Rank) -> AsyncIterator[None]:
        await self.take(rank)
        try:
            yield
        finally:
            self.release()
