"""The cart as a list: rows with their buttons."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QListView, QStyleOptionViewItem, QWidget

from pos_app.cashier.ui import views
from pos_app.cashier.ui.paint_cart import cart_hits
from pos_app.cashier.ui.press_part import PressPart
from pos_app.cashier.ui.rows import CartRow, CartWords
from pos_app.cashier.ui.theme import Theme
from pos_app.lazy_dataclass import dataclass

_TOP = QModelIndex()


@dataclass(frozen=True, slots=True)
class IdentifiedRow:
    line_id: int
    row: CartRow


class CartRows(QAbstractListModel):
    """The rows for Qt; a change touches only the rows that differ."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[IdentifiedRow] = []

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _TOP) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        row = self._rows[index.row()].row
        if role == views.ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.spoken
        return None

    def line_id_at(self, row: int) -> int:
        return self._rows[row].line_id

    def row_of(self, line_id: int | None) -> int | None:
        for number, one in enumerate(self._rows):
            if one.line_id == line_id:
                return number
        return None

    def take(self, rows: Sequence[IdentifiedRow]) -> None:
        """Show these rows. The first rows stay as far as their lines are the same, and are updated
        where they changed; all rows behind them are exchanged."""
        new, old = list(rows), self._rows
        same = 0
        while same < min(len(new), len(old)) and new[same].line_id == old[same].line_id:
            same += 1
        if len(old) > same:
            self.beginRemoveRows(_TOP, same, len(old) - 1)
            self._rows = old[:same]
            self.endRemoveRows()
        changed = [n for n in range(same) if new[n] != old[n]]
        self._rows = new[:same]
        for number in changed:
            here = self.index(number)
            self.dataChanged.emit(here, here)
        if len(new) > same:
            self.beginInsertRows(_TOP, same, len(new) - 1)
            self._rows = new
            self.endInsertRows()


_MOST_HEIGHTS = 1_000
"""More rows than the longest cart has. Each height is kept with its row and all of the row's
texts."""


class _RememberingDelegate(views.CartDelegate):
    """Computes the height of a row only once, because a long cart is laid out at each scan. An
    unchanged row is the same object, which is found faster than an equal one."""

    def __init__(self, theme: Theme, words: CartWords) -> None:
        super().__init__(theme, words)
        self._heights: dict[int, tuple[CartRow, int, QSize]] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: views.Index) -> QSize:
        row: CartRow = index.data(views.ROW)
        width = option.rect.width()
        kept = self._heights.get(id(row))
        if kept is None or kept[0] is not row or kept[1] != width:
            if len(self._heights) > _MOST_HEIGHTS:
                self._heights.clear()
            kept = self._heights[id(row)] = (row, width, super().sizeHint(option, index))
        return kept[2]


class CartList(views.RowView):
    """Signal: `pressed_in(str, int)` with the button ("minus", "plus", "remove", "restore" or ""
    for the row itself) and the line's id."""

    pressed_in = Signal(str, int)

    def __init__(self, theme: Theme, *, name: str, words: CartWords, parent: QWidget) -> None:
        self.cart_delegate = _RememberingDelegate(theme, words)
        super().__init__(theme, self.cart_delegate, name=name, parent=parent)
        self.rows = CartRows(self)
        self._current: int | None = None
        self.setModel(self.rows)
        # A whole cart is laid out at once, so that the view can scroll to its last row.
        self.setLayoutMode(QListView.LayoutMode.SinglePass)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.tapped.connect(self._on_tapped)

    def take(self, rows: Sequence[IdentifiedRow], current: int | None) -> None:
        """Show these rows, with the current one in sight."""
        self.rows.take(rows)
        self._current = current
        self._scroll_to_current()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Scroll again, because a widget above or below may have taken room, as the last receipt
        does over a recalled cart."""
        super().resizeEvent(event)
        self._scroll_to_current()

    def button_at(self, point: QPoint) -> tuple[str, int] | None:
        """Return the button and the line's id at a point of the viewport; "" for a point beside the
        buttons."""
        index = self.indexAt(point)
        if not index.isValid():
            return None
        rect = self.visualRect(index)
        hits = cart_hits(rect, self.theme, index.data(views.ROW), self.cart_delegate.words)
        return hits.at(point), self.rows.line_id_at(index.row())

    def press_part(self, point: QPoint) -> PressPart | None:
        hit = self.button_at(point)
        if hit is None:
            return None
        index = self.indexAt(point)
        rect = QRect(point, QSize(1, 1))  # beside the buttons, which are controls of their own
        if hit[0]:
            rect = self.visualRect(index)
            hits = cart_hits(rect, self.theme, index.data(views.ROW), self.cart_delegate.words)
            rect = getattr(hits, hit[0])
        return PressPart(hit, rect, repeats=hit[0] in ("minus", "plus"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        hit = self.button_at(event.position().toPoint())
        self.cart_delegate.pressed = hit[0] if hit else ""
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.cart_delegate.pressed = ""
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()  # all keys are the window's: they work wherever the focus is

    def _scroll_to_current(self) -> None:
        number = self.rows.row_of(self._current)
        if number is not None:
            self.scrollTo(self.rows.index(number))

    def _on_tapped(self, _: QModelIndex, point: QPoint) -> None:
        hit = self.button_at(point)
        if hit is not None:
            self.pressed_in.emit(*hit)
