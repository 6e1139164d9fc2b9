"""Settles the requests that a stopped server left open in the journal, at the start or once there
is room.

On a full disk the server starts, for look-ups only.
Source: exactly-once.md, step 8.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.receipt.states import RestoreFound
from pos_app.errors import MachineError
from pos_app.fiscalization.lane.probe import LEAST_ROOM
from pos_app.fiscalization.ports import Disk, LaneJournal

AGAIN_SECONDS = 2.0

_log = log.get(__name__)


class Recovery:
    """Implements ports.Disk. It reports no room for a receipt until all is settled."""

    def __init__(
        self, journal: LaneJournal, clock: Clock, disk: Disk, *, restore: RestoreFound | None
    ) -> None:
        """Settle the requests, on a full disk later. Raises MachineError if that fails with room
        left. restore: the sign, at this start, that the journal is another one, with which the
        journal is then marked."""
        self._journal = journal
        self._clock = clock
        self._disk = disk
        self._restore = restore
        self._settled = asyncio.Event()
        try:
            self._settle()
        except MachineError as error:
            if disk.free_bytes() >= LEAST_ROOM:
                raise
            _log.error("receipts are looked up only until the disk has room: %s", error.what)

    @property
    def is_settled(self) -> bool:
        """Whether all is settled. Until then the file that remembers the journal's last row must
        not change."""
        return self._settled.is_set()

    def free_bytes(self) -> int:
        return self._disk.free_bytes() if self._settled.is_set() else 0

    def before(
        self, work: Callable[[], Coroutine[object, object, None]]
    ) -> Callable[[], Coroutine[object, object, None]]:
        async def begun() -> None:
            await self._settled.wait()
            await work()

        return begun

    async def watch(self) -> None:
        while not self._settled.is_set():
            await asyncio.sleep(AGAIN_SECONDS)
            try:
                self._settle()
            except MachineError as error:
                _log.debug("not yet: %s", error.what)

    def _settle(self) -> None:
        """Settle all. The mark comes last, because the requests released here are from before the
        restore."""
        self._journal.recover(now=self._clock.now())
        if self._restore is not None:
            restore = self._journal.restores.mark_restored(self._restore, now=self._clock.now())
            _log.error(
                "the journal is another one than before (%s): %s", restore.why, restore.epoch
            )
        self._settled.set()
