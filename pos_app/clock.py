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
        """`seconds` in whole milliseconds."""
        ...

    async def pause(self, milliseconds: int, *, until: asyncio.Event) -> None:
        """Return once `until` is set, or once that many ticks have gone by."""
        ...


def now_ms(clock: Clock) -> int:
    """The instant in milliseconds since 1970, as tables keep it."""
    return int(clock.now().timestamp() * 1000)
