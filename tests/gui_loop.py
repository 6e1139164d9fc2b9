"""Qt's loop as tests need it: what runs nested waits until the step around it is done."""

from __future__ import annotations

import asyncio
from asyncio.events import _get_running_loop, _set_running_loop
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any

from pos_app.cashier.tasks import TillLoop

_SOON = 0.001


class TestLoop(TillLoop):
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
        waiting = _Waiting(self, callback, args, within)
        waiting.handle = super().call_later(delay, waiting.run, context=within)
        return waiting.handle

    def call_soon(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """As asyncio's."""
        within = copy_context() if context is None else context
        waiting = _Waiting(self, callback, args, within)
        waiting.handle = super().call_soon(waiting.run, context=within)
        return waiting.handle


class _Waiting:
    """A step that is not run within the step of a task."""

    handle: asyncio.Handle

    def __init__(
        self,
        loop: TestLoop,
        callback: Callable[..., object],
        args: tuple[Any, ...],
        within: Context,
    ) -> None:
        self._loop = loop
        self._callback = callback
        self._args = args
        self._within = within

    def run(self) -> None:
        loop = self._loop
        if self.handle.cancelled():
            return
        if asyncio.current_task(loop) is not None:
            TillLoop.call_later(loop, _SOON, self.run, context=self._within)
            return
        around = _get_running_loop()
        _set_running_loop(loop)
        try:
            self._callback(*self._args)
        finally:
            _set_running_loop(around)
