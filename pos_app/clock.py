"""The port of time: all that programs ask of the machine's clocks."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Time of day, which may jump, and time that only goes forward."""

    def now(self) -> datetime:
        """The instant, UTC. It jumps when the clock is set."""
        ...

    def seconds(self) -> float:
        """Seconds since some fixed moment. No clock change moves them; they stand still while the
        machine sleeps."""
        ...

    def ticks(self) -> int:
        """The same in whole milliseconds."""
        ...

    async def pause(self, milliseconds: int, *, until: asyncio.Event) -> None:
        """Return when `until` is set or that many ticks have gone by, not before."""
        ...


def now_ms(clock: Clock) -> int:
    """Milliseconds of the day's clock, as tables keep them."""
    return int(clock.now().timestamp() * 1000)
