"""Drops obsolete rows a few at a time, so that nobody waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from pos_app import log
from pos_app.errors import MachineError

_BETWEEN_SECONDS = 0.2

_log = log.get(__name__)


async def keep_dropping(
    some: Callable[[], Awaitable[int]], most: int, what: str, *, every_seconds: float
) -> None:
    """Call `some` until cancelled: it drops at most `most` rows, and returns their number."""
    while True:
        try:
            dropped = await some()
        except MachineError as error:
            _log.error("old %s can't be dropped now: %s", what, error.what)
            dropped = 0
        await asyncio.sleep(every_seconds if dropped < most else _BETWEEN_SECONDS)
