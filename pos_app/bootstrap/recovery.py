"""What a server that stopped left open in the journal, settled at the start or as soon as there is
room: on a full disk the server starts for look-ups."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from pos_app import log
from pos_app.adapters.clock import SystemClock
from pos_app.errors import MachineError
from pos_app.fiscalization.ports import Disk, Journal
from pos_app.fiscalization.probe import LEAST_ROOM

_AGAIN_MS = 2000

_log = log.get(__name__)


class Recovery:
    """Implements fiscalization.ports.Disk: until all is settled there is no room for a receipt."""

    def __init__(self, journal: Journal, clock: SystemClock, disk: Disk) -> None:
        """Settles it, or puts it off. Raises MachineError where it fails though there is room."""
        self._journal = journal
        self._clock = clock
        self._disk = disk
        self._settled = asyncio.Event()
        try:
            self._settle()
        except MachineError as error:
            if disk.free_bytes() >= LEAST_ROOM:
                raise
            _log.error("receipts are looked up only until the disk has room: %s", error.what)

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
            await self._clock.pause(_AGAIN_MS, until=self._settled)
            try:
                self._settle()
            except MachineError as error:
                _log.debug("not yet: %s", error.what)

    def _settle(self) -> None:
        self._journal.recover(now=self._clock.now())
        self._settled.set()
