"""A copy of the till was put back: its carts were set aside, so another one is open now."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal

from pos_app.selling.outbox import Outbox


class PutBack(QObject):
    """Calls the screen in the loop of the window, never from within the outbox."""

    _found = Signal()

    def __init__(self, outbox: Outbox, show: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._found.connect(show, Qt.ConnectionType.QueuedConnection)
        outbox.listen(on_restored=self._found.emit)
