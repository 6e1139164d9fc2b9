"""Does work beside the loop, one piece at a time, if a caller decides how long the work is.

A worker serves all accounts on one loop, so nobody may keep the loop busy. Python's threads take
turns of 5 ms at one lock: one thread beside the loop makes it wait 40 ms at most, six threads make
it wait 300 ms (measured). So all slow work of a worker is done in pieces, one after the other: the
reading of large bodies, and each part of a large list that is read, joined or compressed. The
accounts take turns, so that an account with a hundred large bodies or lists at once delays only
itself. A piece also waits while requests of other accounts are being answered, but only for a
multiple of the time that the last piece took, so that a busy worker still gets on with it.

A write to a file may begin within a turn, so a task must never ask for a turn while it writes,
waits for its transaction, or has a turn: the two would wait for each other, and all writes of the
platform behind them. Asking for one there is a bug and fails, also for a small piece. A task that
writes has its work done by `done_locked`. A list waits for turns with a connection of its own, so
nobody may wait for a connection of the same pool in a turn.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from typing import TypeVar
from weakref import WeakValueDictionary

from pos_app.platform_api.database.engine import IS_WRITING, WRITES_OF

QUICK = 16 * 1024
"""The number of characters whose reading takes no longer than a turn of a thread."""
_LARGE = 64 * 1024
"""The number of characters from which work lets others go first. A receipt is shorter."""
_SHARE = 6
"""Slow work waits for other requests this many times as long as its last piece took."""
_LONGEST_WAIT_SECONDS = 0.2
_QUICK_SECONDS = 0.25
"""A request that takes longer waits for something else, so slow work does not wait for it."""

_NEXT_SECONDS = 0.05
"""The time in which a program that asks one thing after another sends its next request."""
_ACCOUNTS_SERVED = 2
"""The accounts that were served last; one of them at least is another than the one that asks."""
_LONG_WRITES_SECONDS = 5.0
"""The time for which an account whose write was slow work has all its writes in turns."""
_MOST_REMEMBERED = 10_000

_HAS_TURN: ContextVar[bool] = ContextVar("has a turn of slow work", default=False)

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
    """The slow work of one worker. It has two threads: one for the queue of the accounts, and one
    for callers that hold a lock of the database. The latter do not queue, so that nobody waits for
    their lock because of the queue."""

    def __init__(self) -> None:
        self._turns = Turns()
        self._lock = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, "slow work")
        self._locked = ThreadPoolExecutor(1, "slow work of writes")
        self._serving: dict[object, tuple[str, float]] = {}
        self._served_at: dict[str, float] = {}
        self._served = asyncio.Event()
        self._took_seconds = 0.0
        self._long_writes: dict[str, float] = {}

    @contextmanager
    def serving(self, account: str) -> Iterator[None]:
        """Count a request of an account while inside: slow work of others lets it go first."""
        request = object()
        self._serving[request] = account, time.monotonic()
        try:
            yield
        finally:
            del self._serving[request]
            self._served_at.pop(account, None)
            self._served_at[account] = time.monotonic()
            if len(self._served_at) > _ACCOUNTS_SERVED:
                self._served_at.pop(next(iter(self._served_at)))
            self._served.set()

    @asynccontextmanager
    async def turn(self, account: str) -> AsyncIterator[None]:
        """Hold the turn of an account for one piece of work, which must not wait for a caller and
        must not ask for another turn. The caller must hold no lock that others need."""
        with _asking():
            async with self._turns.of(account):
                await self._others_first(account)  # before the lock, for which receipts wait too
                async with self._lock:
                    with self._timed():
                        yield

    @asynccontextmanager
    async def _plain_turn(self, account: str) -> AsyncIterator[None]:
        with _asking():
            async with self._turns.of(account), self._lock:
                yield

    @contextmanager
    def _timed(self) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self._took_seconds = time.monotonic() - began

    async def _others_first(self, account: str) -> None:
        until = time.monotonic() + min(_SHARE * self._took_seconds, _LONGEST_WAIT_SECONDS)
        while (now := time.monotonic()) < until and now < (end := self._others_until(account, now)):
            self._served.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(min(end, until) - now):
                    await self._served.wait()

    def _others_until(self, account: str, now: float) -> float:
        """Return until when other accounts are, or are thought to be, served."""
        for other, began in reversed(self._serving.values()):
            if now - began > _QUICK_SECONDS:
                break
            if other != account:
                return began + _QUICK_SECONDS
        last = (at for other, at in reversed(self._served_at.items()) if other != account)
        return next(last, 0.0) + _NEXT_SECONDS

    async def compressed(self, account: str, work: Callable[[bytes], T], body: bytes) -> T:
        """Compress a part of an answer. It waits for no other request, as the part was read in a
        turn that did."""
        async with self._plain_turn(account):
            return await self._done(self._thread, len(body), partial(work, body))

    async def done(self, account: str, size: int, work: Callable[..., T], *values: object) -> T:
        """Return the result of `work` for these values. account: the account whose turn it takes.
        size: the characters of the input. The caller must hold no lock that others need."""
        if size <= QUICK:
            with _asking():
                return work(*values)
        async with self.turn(account) if size > _LARGE else self._plain_turn(account):
            return await self._done(self._thread, size, partial(work, *values))

    async def done_in_turn(self, size: int, work: Callable[..., T], *values: object) -> T:
        """Do the same for a caller that holds the `turn`."""
        return await self._done(self._thread, size, partial(work, *values))

    @asynccontextmanager
    async def writing(self, account: str, *, is_shared: bool) -> AsyncIterator[None]:
        """Write for an account while inside. One that wrote much just now takes a turn for it: its
        transaction keeps a database in a file from all others. is_shared: whether the database lets
        several write. Then it lets others go first, and has no turn while it waits for one of the
        connections, which may all belong to lists that wait for a turn."""
        is_long = self._long_writes.get(account, 0.0) >= time.monotonic()
        with _asking():
            if is_shared or not is_long:
                if is_long:
                    await self._others_first(account)
                yield
                return
            async with self._turns.of(account):
                await self._others_first(account)
                with self._timed():
                    yield

    async def done_locked(self, size: int, work: Callable[..., T], *values: object) -> T:
        """Do the same for a caller with a lock, for which the accounts took turns."""
        if size > QUICK:
            account = WRITES_OF.get()
            self._long_writes.pop(account, None)
            self._long_writes[account] = time.monotonic() + _LONG_WRITES_SECONDS
            if len(self._long_writes) > _MOST_REMEMBERED:
                self._long_writes.pop(next(iter(self._long_writes)))
        return await self._done(self._locked, size, partial(work, *values))

    @staticmethod
    async def _done(thread: ThreadPoolExecutor, size: int, work: Callable[[], T]) -> T:
        if size <= QUICK:
            return work()
        return await asyncio.get_running_loop().run_in_executor(thread, work)


@contextmanager
def _asking() -> Iterator[None]:
    """Note that the task asks for a turn, and has it until the end."""
    assert not IS_WRITING.get(), "a task that writes asks for a turn of slow work"
    assert not _HAS_TURN.get(), "a task that has a turn of slow work asks for another"
    before = _HAS_TURN.set(True)
    try:
        yield
    finally:
        _HAS_TURN.reset(before)
