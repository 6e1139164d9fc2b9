"""A button for a variant in its product's form: name, code and price in columns; a press opens it.

Source: look.md (Screens, 6).
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import FacedButton
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme

_ICON = 18


class VariantButton(FacedButton):
    def __init__(self, theme: Theme, name: str, code: str, price: str) -> None:
        super().__init__(theme, " · ".join(part for part in (name, code, price) if part))
        self._name = name
        self._code = code
        self._price = price
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip(self.accessibleName())

    def sizeHint(self) -> QSize:
        return QSize(4 * self.theme.metrics.touch, self.theme.metrics.touch)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_ground(painter, ButtonKind.PLAIN)
        theme, metrics = self.theme, self.theme.metrics
        inside = self.rect().adjusted(metrics.s3, 0, -metrics.s3, 0)
        size = metrics.icon(_ICON)
        middle = QPoint(inside.right() - size // 2, inside.center().y() + 1)
        theme.draw_icon(painter, "chevron-right", "ink_2", _ICON, middle)
        inside.setRight(inside.right() - size - metrics.s2)
        usual = theme.fonts.resized(self.font(), TypeStep.BASE)
        bold = theme.fonts.resized(self.font(), TypeStep.BASE, Weight.SEMIBOLD)
        painting.put(painter, inside, self._price, theme.colour("ink"), bold, align=painting.RIGHT)
        left = (
            inside.right()
            - max(painting.width_of(bold, self._price), inside.width() // 4)
            - metrics.s3
        )
        code = QRect(inside.left(), inside.top(), max(0, left - inside.left()), inside.height())
        painting.put(painter, code, self._code, theme.colour("ink_2"), usual, align=painting.RIGHT)
        name = code.adjusted(0, 0, -painting.width_of(usual, self._code) - metrics.s3, 0)
        words = painting.elided(usual, self._name, name.width())
        painting.put(painter, name, words, theme.colour("ink"), usual, align=painting.LEFT)
