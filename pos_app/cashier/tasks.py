"""The one bridge between Qt slots and coroutines.

`TillLoop` runs both. `Tasks` starts, names and cancels them, and shows their failures;
`CoreEvents` is what those of the core tell the window.

A slot calls `tasks.start(coroutine, name=…)` and returns at once. What a coroutine finds out goes
to the screen through a queued signal: a view is never entered from a coroutine. An expected error
goes to `on_failure`, once the coroutine has ended; anything else is a bug, logged with its cause
and shown as one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from pos_app import log
from pos_app.cashier.services import TillServices
from pos_app.errors import PosError

_log = log.get(__name__)

OnError = Callable[[PosError], None]
OnBug = Callable[[BaseException], None]


class TillLoop(QEventLoop):  # type: ignore[misc]  # qasync has no types
    """Qt's loop, in which the next step of a coroutine goes before the next paint.

    qasync makes a timer of each step, which Qt serves after all else: a sale went out to the
    server only once the window was painted, and an exchange with it has a dozen steps. Here all
    steps that are due are one event. Qt looks for keys and sockets between two of them.
    """

    def __init__(self, application: QApplication) -> None:
        self._due = deque[asyncio.Handle]()
        self._turn = _Turn(self._run_due)
        self._is_called = False
        super().__init__(application)

    def call_soon(
        self,
        callback: Callable[..., object],
        *args: object,
        context: Context | None = None,
    ) -> asyncio.Handle:
        """As asyncio's."""
        self._check_closed()
        handle = asyncio.Handle(callback, args, self, context=context)
        self._due.append(handle)
        self._call_turn()
        return handle

    def _call_turn(self) -> None:
        if not self._is_called:
            self._is_called = True
            QCoreApplication.postEvent(self._turn, QEvent(QEvent.Type.User))

    def _run_due(self) -> None:
        """What becomes due meanwhile has the next turn."""
        self._is_called, many = False, len(self._due)
        try:
            while many and self._due:
                many -= 1
                handle = self._due.popleft()
                if self._due:
                    self._call_turn()  # first: a step may have a loop of Qt's own within it
                if not handle.cancelled():
                    handle._run()  # noqa: SLF001 - as each loop of asyncio does it
        finally:
            if self._due:
                self._call_turn()

    def close(self) -> None:
        """As asyncio's: what is due is not run any more."""
        self._due.clear()
        super().close()


class _Turn(QObject):
    """Gets the event."""

    def __init__(self, run: Callable[[], None]) -> None:
        super().__init__()
        self._run = run

    def event(self, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.User:
            return super().event(event)
        self._run()
        return True


class Tasks:
    """All coroutines of one window. on_error, on_bug: where failures are shown."""

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
        """Run it on the window's loop; None once that ends, for then nothing is begun any more.
        `on_failure` takes expected errors instead of on_error."""
        if self._is_closed:
            coroutine.close()
            return None
        task = asyncio.get_event_loop().create_task(coroutine, name=name)
        self._running.add(task)
        task.add_done_callback(lambda done: self._ended(done, on_failure or self._on_error))
        return task

    @property
    def names(self) -> tuple[str, ...]:
        """What runs now."""
        return tuple(sorted(task.get_name() for task in self._running))

    async def close(self) -> None:
        """Cancel all and wait until each has let go; a timer's last stroke begins nothing."""
        self._is_closed = True
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


class CoreEvents(QObject):
    """Connect to its signals with a queued connection.

    Signals: `sale_moved(Sale)`, `server_changed()`, `storage_failed(MachineError | None)`,
    `storage_changed()`: other files than before can't be read or written; `updates_changed()`:
    what is known of newer versions; `carts_set_aside()`: the till was found to be a copy that was
    put back, so another cart is open now.
    """

    sale_moved = Signal(object)
    server_changed = Signal()
    storage_failed = Signal(object)
    storage_changed = Signal()
    updates_changed = Signal()
    carts_set_aside = Signal()

    def __init__(self, services: TillServices, parent: QObject) -> None:
        super().__init__(parent)
        services.faults.listen(self.storage_changed.emit)
        if services.updates is not None:
            services.updates.listen(self.updates_changed.emit)
        services.outbox.listen(
            on_sale=self.sale_moved.emit,
            on_server=lambda _: self.server_changed.emit(),
            on_fault=self.storage_failed.emit,
            on_restored=self.carts_set_aside.emit,
        )
