"""Something the cashier asks the server for beside sales, shown on the sale's screen.

What takes longer than 0.2 s shows that it runs; it ends done, or in words that say whether it
surely was not (till.md, Promises 3 and 4; architecture.md, rule 11). Selling goes on meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.questions import ActFailed, NotDone, Running, ServerActName
from pos_app.cashier.tasks import Tasks
from pos_app.errors import PosError, RemoteError

SHOW_MS = 200


class ServerAct(QObject):
    """One sort of act, one at a time."""

    _over = Signal()

    def __init__(
        self, what: ServerActName, model: SaleModel, tasks: Tasks, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._what = what
        self._model = model
        self._tasks = tasks
        self._runs = False
        self._over.connect(self._end, Qt.ConnectionType.QueuedConnection)
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(SHOW_MS)
        self._slow.timeout.connect(lambda: model.notify(Running(what)))

    def start(self, act: Callable[[], Coroutine[object, object, None]]) -> None:
        """Do it, unless it is being done already."""
        if self._runs:
            self._model.tone("no")
            return
        self._runs = True
        self._slow.start()
        self._tasks.start(self._until_done(act()), name=self._what, on_failure=self._fail)

    async def _until_done(self, act: Coroutine[object, object, None]) -> None:
        try:
            await act
        finally:
            self._over.emit()

    def _end(self) -> None:
        self._runs = False
        self._slow.stop()
        self._model.withdraw(Running(self._what))

    def _fail(self, error: PosError) -> None:
        if isinstance(error, RemoteError):
            self._model.notify(NotDone(self._what, error), "attention")
        else:
            self._model.note_fault(error)
            self._model.notify(ActFailed(error), "no")
