"""The machine's clocks."""

from __future__ import annotations

import asyncio
import contextlib
import time
from datetime import UTC, datetime


class SystemClock:
    """Time of day and the monotonic clock of this machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def seconds(self) -> float:
        return time.monotonic()

    def ticks(self) -> int:
        return time.monotonic_ns() // 1_000_000

    async def pause(self, milliseconds: int, *, until: asyncio.Event) -> None:
        """Return when `until` is set or that many milliseconds have gone by, never before.

        The clock is asked again after each wait: timers of a Qt loop fire up to 30 ms early.
        """
        end = self.ticks() + milliseconds
        while not until.is_set() and (rest := end - self.ticks()) > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(until.wait(), timeout=rest / 1000)
