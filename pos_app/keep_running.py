"""Work that must continue while the program runs is restarted whenever it ends."""

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
    stop: asyncio.Event | None = None,
) -> None:
    """Start work again whenever it ends, and log a bug that ended it. Cancelling this cancels the
    work too. Once `stop` is set, work that ended is not started again."""
    while stop is None or not stop.is_set():
        task = asyncio.ensure_future(work())
        try:
            await asyncio.wait({task})
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if not task.cancelled() and task.exception() is not None:
            _log.error("%s ended by a bug and is started again", name, exc_info=task.exception())
        if stop is None or not stop.is_set():
            await asyncio.sleep(restart_seconds)
