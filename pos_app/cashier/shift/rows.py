"""Rows of the shift's screen that a person goes through: the expected cash amount by amount, and
the closed shifts. Rows are made only when they come into sight.

Source: till.md ("Shift"), mock-18.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QVBoxLayout, QWidget

from pos_app.cashier.ui import painting, views
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.lazy_dataclass import dataclass

_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class RowWords:
    """Two text lines and an amount. beside: quiet words below the amount. agrees: there is no
    difference."""

    upper: str
    lower: str
    amount: str
    beside: str = ""
    is_negative: bool = False
    agrees: bool = False

    @property
    def spoken(self) -> str:
        return ", ".join(one for one in (self.upper, self.lower, self.amount, self.beside) if one)


class _Delegate(views.ThemedDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: views.Index) -> None:
        row: RowWords | None = index.data(views.ROW)
        if row is None:
            return
        state = views.row_state(option, pressed=self.is_pressed(index))
        theme, rect = self.theme, option.rect
        is_marked = state.current or state.pressed
        painter.save()
        painter.setFont(option.font)
        painter.fillRect(rect, theme.colour("tint" if is_marked else "surface"))
        if state.current:
            bar = QRect(rect.left(), rect.top(), theme.metrics.s1, rect.height())
            painter.fillRect(bar, theme.colour("accent"))
        painting.rule(painter, rect, theme)
        self._paint(painter, rect, row, is_marked=is_marked)
        if state.focus and state.current:
            painting.ring_inside(painter, rect, theme)
        painter.restore()

    def _paint(self, painter: QPainter, rect: QRect, row: RowWords, *, is_marked: bool) -> None:
        """Paint a row; red on the current row's tint is hard to read, so it is not used there."""
        theme, metrics, own = self.theme, self.theme.metrics, painter.font()
        name = theme.fonts.resized(own, TypeStep.BASE, Weight.SEMIBOLD)
        bold = theme.fonts.resized(own, TypeStep.STRONG, Weight.BOLD)
        small = theme.fonts.resized(own, TypeStep.SMALL, Weight.MEDIUM)
        first, second = metrics.line(TypeStep.STRONG), metrics.line(TypeStep.SMALL)
        top = rect.top() + (rect.height() - first - second) // 2
        left, right = rect.left() + metrics.s4, rect.right() + 1 - metrics.s4
        ink: Token = "ok" if row.agrees else "ink"
        if row.is_negative and not is_marked:
            ink = "danger"
        for y, tall, words, font, amount, beside, of in (
            (top, first, row.upper, name, row.amount, bold, ink),
            (top + first, second, row.lower, small, row.beside, small, "ink_2"),
        ):
            wide = painting.width_of(beside, amount) + 2 if amount else 0
            at = QRect(right - wide, y, wide, tall)
            painting.put(painter, at, amount, theme.colour(of), beside, align=painting.RIGHT)
            room = QRect(left, y, right - wide - (metrics.s3 if wide else 0) - left, tall)
            colour = theme.colour("ink" if font is name else "ink_2")
            painting.put(painter, room, words, colour, font, align=painting.LEFT, elide=True)

    def sizeHint(self, option: QStyleOptionViewItem, index: views.Index) -> QSize:
        metrics = self.theme.metrics
        lines = metrics.line(TypeStep.STRONG) + metrics.line(TypeStep.SMALL) + 2 * metrics.s1
        return QSize(option.rect.width(), max(metrics.touch, lines))


class _Rows(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.many = 0
        self.words_of: Callable[[int], RowWords] | None = None

    def rowCount(self, parent: views.Index = _ROOT) -> int:
        return 0 if parent.isValid() else self.many

    def data(self, index: views.Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or self.words_of is None:
            return None
        if role not in (views.ROW, Qt.ItemDataRole.AccessibleTextRole):
            return None
        words = self.words_of(index.row())
        return words if role == views.ROW else words.spoken

    def show_rows(self, many: int, words_of: Callable[[int], RowWords]) -> None:
        self.beginResetModel()
        self.many, self.words_of = many, words_of
        self.endResetModel()


class ShiftRows(QWidget):
    """Signal: `opened(int)`, the index of a row that was pressed once more."""

    opened = Signal(int)

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__()
        self._rows = _Rows()
        self._of: Sequence[object] = ()
        self.view = views.LinesView(theme, _Delegate(theme), name=name)
        self.view.setModel(self._rows)
        self.view.tapped.connect(self._tapped)
        self._looked_at = -1
        self.view.moved.connect(self._moved)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.metrics.s2, 0, theme.metrics.s2)  # rounded corners
        column.addWidget(self.view)

    @property
    def current(self) -> int:
        return self.view.currentIndex().row()

    def show_rows(self, rows: Sequence[object], words_of: Callable[[int], RowWords]) -> None:
        """rows: the objects of the rows; if they are the same, the position stays."""
        if list(rows) == list(self._of):
            return
        self._of = tuple(rows)
        self._rows.show_rows(len(rows), words_of)
        self._looked_at = -1

    def take_focus(self) -> None:
        if self.current < 0 and self._rows.many:
            self.view.setCurrentIndex(self._rows.index(0))
            self._looked_at = 0
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _moved(self) -> None:
        self._looked_at = self.current

    def _tapped(self, index: QModelIndex) -> None:
        was, self._looked_at = self._looked_at, index.row()
        if was == index.row():
            self.opened.emit(index.row())
