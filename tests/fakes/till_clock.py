"""A clock that stands still until it is told to go on."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta


class StandingClock:
    """The port Clock in virtual time: a pause is over at once, and its time has passed."""

    def __init__(self, start: datetime = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)) -> None:
        self._now = start
        self._ticks = 1_000_000

    def now(self) -> datetime:
        return self._now

    def seconds(self) -> float:
        return self._ticks / 1000

    def ticks(self) -> int:
        return self._ticks

    def go_on(self, milliseconds: int) -> None:
        self._ticks += milliseconds
        self._now += timedelta(milliseconds=milliseconds)

    async def pause(self, milliseconds: int, *, until: asyncio.Event) -> None:
        await asyncio.sleep(0)
        if not until.is_set():
            self.go_on(milliseconds)
