"""Whose turn it is at the processor: one at a time, a till's sale before other programs'.

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
    """Who goes before whom; within a rank whoever came first."""

    HALF_DONE = 0
    """The second receipt of a pair: the first is signed."""
    TILL = 1
    """A customer stands there."""
    USUAL = 2


class LaneQueue:
    """A lock whose next holder is the waiting one of the lowest rank."""

    def __init__(self) -> None:
        self._is_taken = False
        self._count = itertools.count()
        self._waiting: list[tuple[Rank, int, asyncio.Future[None]]] = []

    async def take(self, rank: Rank) -> None:
        """Wait for the turn; it is let go with `release`."""
        if not self._is_taken:
            self._is_taken = True
            return
        mine = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (rank, next(self._count), mine))
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():  # it was given the turn as it left
                self.release()
            raise

    def release(self) -> None:
        """Give the turn to the next one, if any waits."""
        while self._waiting:
            *_, waiter = heapq.heappop(self._waiting)
            if not waiter.done():
                waiter.set_result(None)
                return
        self._is_taken = False

    @asynccontextmanager
    async def turn(self, rank: Rank) -> AsyncIterator[None]:
        """Hold it while inside."""
        await self.take(rank)
        try:
            yield
        finally:
            self.release()
