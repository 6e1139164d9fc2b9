"""The one bridge between Qt slots and coroutines: it starts, names, cancels, and shows failures.

A slot calls `tasks.start(coroutine, name=…)` and returns at once. What a coroutine finds out goes
to the screen through a queued signal: a view is never entered from a coroutine. An expected error
goes to `on_failure`, once the coroutine has ended; anything else is a bug, logged with its cause
and shown as one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from pos_app import log
from pos_app.errors import PosError

_log = log.get(__name__)

OnError = Callable[[PosError], None]
OnBug = Callable[[BaseException], None]


class Tasks:
    """All coroutines of one window. on_error, on_bug: where failures are shown."""

    def __init__(self, *, on_error: OnError, on_bug: OnBug) -> None:
        self._on_error = on_error
        self._on_bug = on_bug
        self._running: set[asyncio.Task[None]] = set()

    def start(
        self,
        coroutine: Coroutine[object, object, None],
        *,
        name: str,
        on_failure: OnError | None = None,
    ) -> asyncio.Task[None]:
        """Run it on the window's loop. `on_failure` takes expected errors instead of on_error."""
        task = asyncio.get_event_loop().create_task(coroutine, name=name)
        self._running.add(task)
        task.add_done_callback(lambda done: self._ended(done, on_failure or self._on_error))
        return task

    @property
    def names(self) -> tuple[str, ...]:
        """What runs now."""
        return tuple(sorted(task.get_name() for task in self._running))

    async def close(self) -> None:
        """Cancel all and wait until each has let go."""
        running = list(self._running)
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)

    def _ended(self, task: asyncio.Task[None], on_failure: OnError) -> None:
        self._running.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            return
        if isinstance(error, PosError):
            _log.warning("%s failed: %s", task.get_name(), error)
            on_failure(error)
            return
        _log.error("a bug ended %s", task.get_name(), exc_info=error)
        self._on_bug(error)
