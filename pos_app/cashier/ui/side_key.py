"""One of two values of a field that was changed on both sides, as a key that chooses it.

Source: look.md (Components, Table; Screens, 6).
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent

from pos_app.cashier.ui.buttons import ButtonKind, FacedButton
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.painting import CENTRE, elided, put
from pos_app.cashier.ui.theme import Theme


class SideKey(FacedButton):
    """One side's value: where it is from in small letters, the value itself below, bold."""

    def __init__(self, theme: Theme, place: str, words: str, *, name: str) -> None:
        super().__init__(theme, name)
        self._place = place
        self._words = words
        self.setToolTip(words)

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        lines = metrics.line(TypeStep.SMALL) + metrics.line(TypeStep.STRONG)
        return QSize(3 * metrics.touch, max(metrics.touch, lines + 2 * metrics.s2))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_ground(painter, ButtonKind.PLAIN)
        theme, metrics = self.theme, self.theme.metrics
        small, strong = metrics.line(TypeStep.SMALL), metrics.line(TypeStep.STRONG)
        top = (self.height() - small - strong) // 2
        side = metrics.s2
        line = QRect(side, top, self.width() - 2 * side, small)
        font = theme.fonts.resized(self.font(), TypeStep.SMALL, Weight.MEDIUM)
        put(painter, line, elided(font, self._place, line.width()), theme.colour("ink_2"), font,
            align=CENTRE)  # fmt: skip
        value = QRect(side, top + small, line.width(), strong)
        bold = theme.fonts.resized(self.font(), TypeStep.STRONG, Weight.BOLD)
        put(painter, value, elided(bold, self._words, value.width()), theme.colour("ink"), bold,
            align=CENTRE)  # fmt: skip
