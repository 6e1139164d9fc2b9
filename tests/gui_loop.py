"""Qt's loop as tests need it: what runs nested waits until the step around it is done."""

from __future__ import annotations

import asyncio
from asyncio.events import _get_running_loop, _set_running_loop
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any

from qasync import QEventLoop

_SOON = 0.001


class TestLoop(QEventLoop):  # type: ignore[misc]  # qasync has no types
    """Hands that send a key, and `processEvents`, run Qt's loop within a step of a task. On Python
    3.11 another task whose turn comes just then is lost: `Cannot enter into task`. Here it waits.

    A test that is no coroutine gives tasks their turn with `processEvents` alone: they find the
    running loop that they have in the application.
    """

    __test__ = False

    def call_later(
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> asyncio.Handle:
        """As asyncio's."""
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

        handle: asyncio.Handle = super().call_later(delay, run, context=within)
        return handle
