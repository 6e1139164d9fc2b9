"""Rows of the shift's screen that a person goes through: the expected cash amount by amount, and
the closed shifts. Rows are made only when they come into sight.

Source: till.md ("Shift"), mock-18.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QVBoxLayout, QWidget

from pos_app.cashier.ui import painting, views
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.labels import MOST_LINES
from pos_app.cashier.ui.list_rows import ListRows
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ShiftRowWords:
    """Two text lines and an amount. beside: quiet words below the amount. agrees: there is no
    difference."""

    upper: str
    lower: str
    amount: str
    beside: str = ""
    agrees: bool = False

    @property
    def spoken(self) -> str:
        return ", ".join(one for one in (self.upper, self.lower, self.amount, self.beside) if one)


@dataclass(frozen=True, slots=True)
class _RowPart:
    """The upper or the lower words of a row with the figures beside them."""

    text_lines: list[str]
    words: Meter
    amount: str
    figures: Meter
    high: int


class _Delegate(views.ThemedDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: views.Index) -> None:
        row: ShiftRowWords | None = index.data(views.ROW)
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
        self._paint(painter, rect, row)
        if state.focus and state.current:
            painting.ring_inside(painter, rect, theme)
        painter.restore()

    def _paint(self, painter: QPainter, rect: QRect, row: ShiftRowWords) -> None:
        """Paint a row."""
        theme, own = self.theme, painter.font()
        parts = self._row_parts(row, rect.width(), own)
        tall = sum(len(part.text_lines) * part.high for part in parts)
        top = rect.top() + (rect.height() - tall) // 2
        left, right = rect.left() + theme.metrics.s4, rect.right() + 1 - theme.metrics.s4
        ink = painting.amount_ink(row.amount, "ok" if row.agrees else "ink")
        usual, quiet = theme.colour("ink"), theme.colour("ink_2")
        colours = (theme.colour(ink), usual), (quiet, quiet)
        for part, (of_amount, of_words) in zip(parts, colours, strict=True):
            at = QRect(left, top, right - left, part.high)
            font = part.figures.font
            painting.put(painter, at, part.amount, of_amount, font, align=painting.RIGHT)
            top += painting.put_lines(painter, at, part.text_lines, part.words, ink=of_words)
        painter.setFont(own)

    def _row_parts(self, row: ShiftRowWords, width: int, own: QFont) -> tuple[_RowPart, _RowPart]:
        """Return the upper and the lower part of a row."""
        fonts, metrics = self.theme.fonts, self.theme.metrics
        bold = fonts.text_metrics(own, TypeStep.STRONG, Weight.BOLD)
        small = fonts.text_metrics(own, TypeStep.SMALL, Weight.MEDIUM)

        def part(words: str, weight: int, amount: str, figures: Meter, step: TypeStep) -> _RowPart:
            beside = figures.width(amount) + metrics.s3 if amount else 0
            room = width - 2 * metrics.s4 - beside
            least = min(step, TypeStep.BASE, key=metrics.type_px)
            meter, text_lines = painting.broken(
                self.theme, own, words, room, step=least, weight=weight, lines=MOST_LINES
            )
            return _RowPart(text_lines, meter, amount, figures, metrics.line(step))

        return (
            part(row.upper, Weight.SEMIBOLD, row.amount, bold, TypeStep.STRONG),
            part(row.lower, Weight.MEDIUM, row.beside, small, TypeStep.SMALL),
        )

    def sizeHint(self, option: QStyleOptionViewItem, index: views.Index) -> QSize:
        width, metrics = option.rect.width(), self.theme.metrics
        row: ShiftRowWords | None = index.data(views.ROW)
        parts = () if row is None else self._row_parts(row, width, option.font)
        tall = sum(len(part.text_lines) * part.high for part in parts)
        return QSize(width, max(metrics.touch, tall + 2 * metrics.s1))


class ShiftRows(QWidget):
    """Signal: `opened(int)`, the index of a row that was pressed once more."""

    opened = Signal(int)

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__()
        self._rows = ListRows[int](lambda words: words.spoken)
        self._of: Sequence[object] = ()
        self.view = views.LinesView(theme, _Delegate(theme), name=name)
        self.view.setModel(self._rows)
        self.view.tapped.connect(self._tapped)
        self._looked_at = -1
        self.view.moved.connect(self._moved)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)

    @property
    def current(self) -> int:
        return self.view.currentIndex().row()

    def show_rows(self, rows: Sequence[object], words_of: Callable[[int], ShiftRowWords]) -> None:
        """rows: the objects of the rows; if they are the same, the position stays."""
        if list(rows) == list(self._of):
            return
        self._of = tuple(rows)
        self._rows.show_rows(range(len(rows)), words_of, depends_on=self._of)
        self._looked_at = -1

    def take_focus(self) -> None:
        if self.current < 0 and self._rows.rowCount():
            self.view.setCurrentIndex(self._rows.index(0))
            self._looked_at = 0
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _moved(self) -> None:
        self._looked_at = self.current

    def _tapped(self, index: QModelIndex) -> None:
        was, self._looked_at = self._looked_at, index.row()
        if was == index.row():
            self.opened.emit(index.row())
