"""The moments at which a list has painted, and at which a window has nothing left to do.

Nothing of the product is loaded here, so that the bare window of `peers` is measured by it too.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, QTimer
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem

if TYPE_CHECKING:
    from pos_app.cashier.ui.views import Index

_LATER_THAN_PAINTING = -100


class CountedRows(QStyledItemDelegate):
    """Paints by the view's own delegate and knows how many rows it has painted."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self.painted = 0
        self._own = view.itemDelegate()
        view.setItemDelegate(self)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        self.painted += 1
        self._own.paint(painter, option, index)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Of one row."""
        return self._own.sizeHint(option, index)


class Paints(QObject):
    """When a list painted rows last: `ended` is the moment after that paint event.

    A list that has not laid out its rows yet paints none of them; such a paint does not count.
    """

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self.ended = 0.0
        self._rows = CountedRows(view)
        self._view = view
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Paint as the view does it, then look at the clock."""
        if event.type() is not QEvent.Type.Paint:
            return False
        before = self._rows.painted
        self._view.viewportEvent(event)
        if self._rows.painted > before:
            self.ended = time.perf_counter()
        return True


class Rest(QObject):
    """Tells when the loop has nothing left to do: events, paints and timers that are due."""

    def __init__(self) -> None:
        super().__init__()
        self._then: Callable[[], None] | None = None
        self._rounds = 0
        self.since = 0.0

    def tell(self, then: Callable[[], None]) -> None:
        """Call that once it is so; `since` is the moment."""
        self._then = then
        self._rounds = 2
        self._post()

    def event(self, event: QEvent) -> bool:
        """Our own event, which comes after all others."""
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
