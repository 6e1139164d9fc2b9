"""Does work beside the loop, one piece at a time, if a caller decides how long the work is.

A worker serves all accounts on one loop, so nobody may keep the loop busy. Python's threads take
turns of 5 ms at one lock: one thread beside the loop makes it wait 40 ms at most, six threads make
it wait 300 ms (measured). The accounts take turns, too, so that an account with a hundred large
bodies at once delays only itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar
from weakref import WeakValueDictionary

QUICK = 16 * 1024
"""The number of characters whose reading takes no longer than a turn of a thread."""

T = TypeVar("T")


class Turns:
    """Lets each account have only one piece of work at a time in the queue that follows. So an
    account waits there for at most one piece of every other account."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, account: str) -> asyncio.Lock:
        """Return the lock that an account holds while its piece of work waits and is done. The lock
        lives as long as it is used."""
        return self._locks.setdefault(account, asyncio.Lock())


class SlowWork:
    """The two threads of one worker for slow work: one for the queue of the accounts, and one for
    callers that hold a lock of the database. The latter do not queue, so that nobody waits for
    their lock because of the queue."""

    def __init__(self) -> None:
        self._turns = Turns()
        self._thread = ThreadPoolExecutor(1, "slow work")
        self._locked = ThreadPoolExecutor(1, "slow work of writes")

    async def done(self, account: str, size: int, work: Callable[..., T], *values: object) -> T:
        """Return the result of `work` for these values. account: the account whose turn it takes.
        size: the characters of the input. The caller must hold no lock that others need."""
        if size <= QUICK:
            return work(*values)
        async with self._turns.of(account):
            return await self._done(self._thread, size, partial(work, *values))

    async def done_locked(self, size: int, work: Callable[..., T], *values: object) -> T:
        """Do the same for a caller with a lock, for which the accounts took turns."""
        return await self._done(self._locked, size, partial(work, *values))

    @staticmethod
    async def _done(thread: ThreadPoolExecutor, size: int, work: Callable[[], T]) -> T:
        if size <= QUICK:
            return work()
        return await asyncio.get_running_loop().run_in_executor(thread, work)
