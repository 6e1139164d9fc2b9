"""Waiting for a database that another program holds, without holding up the loop."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import TypeVar

from pos_app.clock import Clock
from pos_app.errors import DatabaseBusy

PAUSE_SECONDS = 0.05
"""Between two tries; each try waits as long at most for the file."""

T = TypeVar("T")


HELD_SECONDS = 5.0
"""How long another program may hold the journal before that is told."""


async def retry_while_busy(
    act: Callable[[], Awaitable[T]], *, clock: Clock, until_seconds: float = math.inf
) -> T:
    """What `act` gives, tried again as long as another program holds the database.

    until_seconds: monotonic, from which on DatabaseBusy is raised, if not before. The statement
    that met it has stored nothing; those before may have, so `act` must be one that may begin
    again.
    """
    until_seconds = min(until_seconds, clock.seconds() + HELD_SECONDS)
    while True:
        try:
            return await act()
        except DatabaseBusy:
            if clock.seconds() + PAUSE_SECONDS >= until_seconds:
                raise
        await asyncio.sleep(PAUSE_SECONDS)
