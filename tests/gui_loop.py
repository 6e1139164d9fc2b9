"""Qt's loop for tests: a nested step waits until the step around it is done."""

from __future__ import annotations

import asyncio
from asyncio.events import _get_running_loop, _set_running_loop
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any

from qasync import QEventLoop

_SOON = 0.001
_LONGEST = 1e6
"""Seconds. A timer of Qt counts milliseconds in 32 bits, and asyncio's may wait for ever."""


class TestLoop(QEventLoop):  # type: ignore[misc]  # qasync has no types
    """Simulated key presses and `processEvents` run Qt's loop within a step of a task. On Python
    3.11 another task that is due just then is lost: `Cannot enter into task`. Here it waits.

    In a test that is no coroutine, tasks run only within `processEvents`: they find the
    application's loop as their running loop.
    """

    __test__ = False

    def call_later(
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> asyncio.Handle:
        """Call later as asyncio does, but never within the step of a task."""
        within = copy_context() if context is None else context

        def run() -> None:
            if handle.cancelled():
                return
            if asyncio.current_task(self) is not None:
                super(TestLoop, self).call_later(_SOON, run, context=within)
                return
            around = _get_running_loop()
            _set_running_loop(self)
            try:
                callback(*args)
            finally:
                _set_running_loop(around)

        seconds = min(delay, _LONGEST)
        handle: asyncio.Handle = super().call_later(seconds, run, context=within)
        return handle
