"""The one bridge between Qt slots and coroutines.

`Tasks` starts, names and cancels coroutines, and shows their failures; `LastAsked` asks for what a
screen shows; `CoreEvents` has signals that bring the core's news to the window.

A slot calls `tasks.start(coroutine, name=…)` and returns at once. A coroutine passes its results to
the screen through a queued signal: a view is never entered from a coroutine. An expected error goes
to `on_failure`, once the coroutine has ended; any other exception is a bug, which is logged with
its cause and shown as one.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from pos_app import log
from pos_app.cashier.services.till_services import TillServices
from pos_app.errors import PosError, ProgramError

_log = log.get(__name__)

OnError = Callable[[PosError], None]
OnBug = Callable[[BaseException], None]
_Answer = TypeVar("_Answer")


def failure_of(act: Callable[[], object]) -> Exception | None:
    """Call it, and return the exception that it ended with, or None."""
    try:
        act()
    except Exception as error:  # noqa: BLE001 - a bug of one part must not stop the others
        return error
    return None


def guarded(act: Callable[[], object]) -> bool:
    """Call one of several that stand side by side, and return whether it came to its end. An
    exception is a bug, which is reported as that of a slot is; the others still have their
    turn."""
    error = failure_of(act)
    if error is not None:
        sys.excepthook(type(error), error, error.__traceback__)
    return error is None


def guarded_answer(act: Callable[[], _Answer]) -> _Answer | None:
    """Call it as `guarded` does, and return its answer, or None after a bug."""
    answers: list[_Answer] = []
    guarded(lambda: answers.append(act()))
    return answers[0] if answers else None


class Tasks:
    """All coroutines of one window. on_error, on_bug: show failures."""

    def __init__(self, *, on_error: OnError, on_bug: OnBug) -> None:
        self._on_error = on_error
        self._on_bug = on_bug
        self._running: set[asyncio.Task[None]] = set()
        self._is_closed = False

    def start(
        self,
        coroutine: Coroutine[object, object, None],
        *,
        name: str,
        on_failure: OnError | None = None,
    ) -> asyncio.Task[None] | None:
        """Run the coroutine on the window's loop. After `close` nothing is begun, and it returns
        None. on_failure takes expected errors instead of on_error; after a bug it gets a
        ProgramError, so that nothing waits for the end of the coroutine for ever."""
        if self._is_closed:
            coroutine.close()
            return None
        task = asyncio.get_event_loop().create_task(coroutine, name=name)
        self._running.add(task)
        task.add_done_callback(lambda done: self._ended(done, on_failure))
        return task

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(task.get_name() for task in self._running))

    async def close(self) -> None:
        """Cancel all and wait until each has ended."""
        self._is_closed = True
        running = list(self._running)
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)

    def _ended(self, task: asyncio.Task[None], on_failure: OnError | None) -> None:
        self._running.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            return
        if isinstance(error, PosError):
            _log.warning("%s failed: %s", task.get_name(), error)
            guarded(partial(on_failure or self._on_error, error))
            return
        _log.error("a bug ended %s", task.get_name(), exc_info=error)
        self._on_bug(error)
        if on_failure is not None:
            guarded(partial(on_failure, ProgramError()))


class LastAsked(QObject):
    """Asks one question after another; only the answer to the last one counts.

    Nobody takes the answer to the question before, or why there is none. cancels: that question is
    cancelled, too; a server's connection is closed by that, and the next question opens another.
    """

    _came = Signal(int, object, object)

    def __init__(self, tasks: Tasks, *, cancels: bool = True) -> None:
        super().__init__()
        self._tasks, self._cancels = tasks, cancels
        self._task: asyncio.Task[None] | None = None
        self._number = 0
        self._came.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def ask(
        self,
        question: Callable[[], Awaitable[_Answer]],
        *,
        name: str,
        take: Callable[[_Answer], object],
        fail: OnError,
    ) -> None:
        """Ask; `take` gets the answer by a queued signal, or `fail` the error as `on_failure` of
        `Tasks.start` does."""
        self.drop()
        number = self._number

        async def answer() -> None:
            self._came.emit(number, take, await question())

        def failed(error: PosError) -> None:
            if number == self._number:
                fail(error)

        self._task = self._tasks.start(answer(), name=name, on_failure=failed)

    def drop(self) -> None:
        self._number += 1
        if self._task is not None and self._cancels:
            self._task.cancel()

    def _take(self, number: int, take: Callable[[object], object], answer: object) -> None:
        if number == self._number:
            take(answer)


class CoreEvents(QObject):
    """Connect to its signals with a queued connection.

    Signals: `sale_moved(Sale)`, `server_changed()`, `storage_failed(MachineError | None)`;
    `storage_changed()`: other files than before can't be read or written; `updates_changed()`:
    other versions are known; `carts_suspended()`: the till's file was found to be a restored copy,
    so another cart is open now.
    """

    sale_moved = Signal(object)
    server_changed = Signal()
    storage_failed = Signal(object)
    storage_changed = Signal()
    updates_changed = Signal()
    carts_suspended = Signal()

    def __init__(self, services: TillServices, parent: QObject) -> None:
        super().__init__(parent)
        services.faults.listen(self.storage_changed.emit)
        if services.updates is not None:
            services.updates.listen(self.updates_changed.emit)
        if services.program is not None:
            services.program.listen(self.updates_changed.emit)
        services.outbox.listen(
            on_sale=self.sale_moved.emit,
            on_server=lambda _: self.server_changed.emit(),
            on_fault=self.storage_failed.emit,
            on_restored=self.carts_suspended.emit,
        )
