"""Waits for a database that another program has locked, without blocking the loop."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import TypeVar

from pos_app.clock import Clock
from pos_app.errors import DatabaseBusy

PAUSE_SECONDS = 0.05
"""Seconds between two tries; each try itself waits at most as long for the file."""

T = TypeVar("T")


HELD_SECONDS = 5.0
"""Seconds for which another program may lock the journal before DatabaseBusy is raised."""


async def retry_while_busy(
    act: Callable[[], Awaitable[T]], *, clock: Clock, until_seconds: float = math.inf
) -> T:
    """The result of `act`, repeated while another program has locked the database.

    until_seconds: monotonic, the latest time for DatabaseBusy. The statement that raised it stored
    nothing, but earlier ones of `act` may have: `act` must be safe to repeat.
    """
    until_seconds = min(until_seconds, clock.seconds() + HELD_SECONDS)
    while True:
        try:
            return await act()
        except DatabaseBusy:
            if clock.seconds() + PAUSE_SECONDS >= until_seconds:
                raise
        await asyncio.sleep(PAUSE_SECONDS)
