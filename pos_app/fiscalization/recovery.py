"""What a server that stopped left open in the journal, settled at the start or as soon as there is
room: on a full disk the server starts for look-ups.

Source: exactly-once.md, step 8.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.states import RestoreFound
from pos_app.errors import MachineError
from pos_app.fiscalization.ports import Disk, Journal
from pos_app.fiscalization.probe import LEAST_ROOM

AGAIN_SECONDS = 2.0

_log = log.get(__name__)


class Recovery:
    """Implements ports.Disk: until all is settled there is no room for a receipt."""

    def __init__(
        self, journal: Journal, clock: Clock, disk: Disk, *, found: RestoreFound | None
    ) -> None:
        """found: by what the journal was found to be another one at this start, which is kept.

        Settles it, or puts it off. Raises MachineError where it fails though there is room.
        """
        self._journal = journal
        self._clock = clock
        self._disk = disk
        self._found = found
        self._settled = asyncio.Event()
        try:
            self._settle()
        except MachineError as error:
            if disk.free_bytes() >= LEAST_ROOM:
                raise
            _log.error("receipts are looked up only until the disk has room: %s", error.what)

    @property
    def is_settled(self) -> bool:
        """Whether it is done; until then what is remembered of the journal must stay as it is."""
        return self._settled.is_set()

    def free_bytes(self) -> int:
        """Bytes that may be written."""
        return self._disk.free_bytes() if self._settled.is_set() else 0

    def before(
        self, work: Callable[[], Coroutine[object, object, None]]
    ) -> Callable[[], Coroutine[object, object, None]]:
        """The same work, begun when all is settled."""

        async def begun() -> None:
            await self._settled.wait()
            await work()

        return begun

    async def watch(self) -> None:
        """Settle it when there is room. Returns then."""
        while not self._settled.is_set():
            await asyncio.sleep(AGAIN_SECONDS)
            try:
                self._settle()
            except MachineError as error:
                _log.debug("not yet: %s", error.what)

    def _settle(self) -> None:
        """The mark comes last: what is released here was left by the journal as it was found."""
        self._journal.recover(now=self._clock.now())
        if self._found is not None:
            restore = self._journal.restores.mark_restored(self._found, now=self._clock.now())
            words = "the journal is not the one that was here (%s): %s"
            _log.error(words, restore.why, restore.epoch)
        self._settled.set()
