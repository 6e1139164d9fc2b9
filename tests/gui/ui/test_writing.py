"""Text is put where Qt itself would put it, to the pixel, at every step, weight and height."""

from __future__ import annotations

from itertools import product

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QImage, QPainter
from PySide6.QtWidgets import QApplication

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme
from tests.sweep import each

WORDS = ("Млеко свеже 2,8 %", "1.234,00", "Ђ", "Çа\u030cj", "")
PLACES = [QRect(60, 7 + 60 * number, 230, 18 + 7 * number) for number in range(6)]
"""Places of different heights, one below the other."""


def drawn(theme: Theme, font: QFont, words: str, align: Qt.AlignmentFlag, *, by_qt: bool) -> QImage:
    """The words in each place, by us or by Qt."""
    image = QImage(400, 400, QImage.Format.Format_RGB32)
    image.fill(theme.colour("surface"))
    painter = QPainter(image)
    painter.setFont(font)
    painter.setPen(theme.colour("ink"))
    flags = int(align) | int(painting.NO_SHORTCUT) | int(Qt.TextFlag.TextDontClip)
    for place in PLACES:
        if by_qt:
            painter.drawText(place, flags, words)
        else:
            painting.put(painter, place, words, theme.colour("ink"), font, align=align)
    painter.end()
    return image


@each("align", [painting.LEFT, painting.RIGHT, painting.CENTRE])
@each("step", TypeStep)
def test_it_stands_where_qt_puts_it(
    qapp: QApplication, theme: Theme, step: TypeStep, align: Qt.AlignmentFlag
) -> None:
    for weight, words in product(Weight, WORDS):
        font = theme.font(step, weight)
        ours, by_qt = (drawn(theme, font, words, align, by_qt=one) for one in (False, True))
        assert ours == by_qt, (weight, words)
