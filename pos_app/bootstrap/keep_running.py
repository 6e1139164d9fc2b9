"""Work that must go on while the program runs, whatever ends it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from pos_app import log

RESTART_SECONDS = 1.0

_log = log.get(__name__)


async def keep_running(
    work: Callable[[], Coroutine[object, object, None]],
    name: str,
    *,
    restart_seconds: float = RESTART_SECONDS,
) -> None:
    """Start work again when a bug ended it, and log the bug. Ends when it is cancelled."""
    while True:
        task = asyncio.ensure_future(work())
        try:
            await asyncio.wait({task})
        finally:
            task.cancel()
        if not task.cancelled() and task.exception() is not None:
            _log.error("%s ended by a bug and is started again", name, exc_info=task.exception())
        await asyncio.sleep(restart_seconds)
