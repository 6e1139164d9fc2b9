"""The moments at which a list has painted, and at which a window has nothing left to do.

It loads nothing of the product, so that the bare window of `peers` is measured by it too.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem

if TYPE_CHECKING:
    from pos_app.cashier.ui.views import Index

_LATER_THAN_PAINTING = -100


class _CountedRows(QStyledItemDelegate):
    def __init__(self, view: QAbstractItemView, count: Callable[[], None]) -> None:
        super().__init__(view)
        self._count = count

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self._count()
        super().paint(painter, option, index)


class Paints(QObject):
    """The moment when a list last painted rows: `ended` is the end of that paint event.

    A paint in which a list has not laid out its rows yet, and paints none of them, does not count.
    """

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self.ended = 0.0
        self._rows = 0
        self._view = view
        kept = getattr(view.itemDelegate(), "kept", None)
        if kept is None:
            view.setItemDelegate(_CountedRows(view, self._count))
        else:  # the product's views paint their rows by what keeps the pixels of these
            own = kept.paint

            def paint(*asked: Any, **more: Any) -> None:
                self._count()
                own(*asked, **more)

            kept.paint = paint
        view.viewport().installEventFilter(self)

    def _count(self) -> None:
        self._rows += 1

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.Paint:
            return False
        before = self._rows
        self._view.viewportEvent(event)
        if self._rows > before:
            self.ended = time.perf_counter()
        return True


class Rest(QObject):
    """Tells when the loop has nothing left to do: no events, paints or timers that are due."""

    def __init__(self) -> None:
        super().__init__()
        self._then: Callable[[], None] | None = None
        self._rounds = 0
        self.since = 0.0

    def tell(self, then: Callable[[], None]) -> None:
        self._then = then
        self._rounds = 2
        self._post()

    def event(self, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.User or self._then is None:
            return super().event(event)
        self._rounds -= 1
        self.since = time.perf_counter()
        if self._rounds:
            QTimer.singleShot(0, self, self._post)
        else:
            then, self._then = self._then, None
            then()
        return True

    def _post(self) -> None:
        QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), _LATER_THAN_PAINTING)
