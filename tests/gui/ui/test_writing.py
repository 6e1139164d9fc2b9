"""Text is put where Qt itself would put it, to the pixel, at every step, weight and height."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme

WORDS = ("Млеко свеже 2,8 %", "1.234,00", "Ђ", "Çа\u030cj", "")


def drawn(theme: Theme, step: TypeStep, align: Qt.AlignmentFlag, *, by_qt: bool) -> list[QImage]:
    """Words of each weight and height, by us or by Qt."""
    images = []
    for height in range(18, 60, 7):
        for weight in Weight:
            for words in WORDS:
                image = QImage(400, 80, QImage.Format.Format_RGB32)
                image.fill(theme.colour("surface"))
                painter = QPainter(image)
                place, font = QRect(60, 7, 230, height), theme.font(step, weight)
                if by_qt:
                    painter.setFont(font)
                    painter.setPen(theme.colour("ink"))
                    flags = int(align) | int(painting.NO_SHORTCUT) | int(Qt.TextFlag.TextDontClip)
                    painter.drawText(place, flags, words)
                else:
                    painting.put(painter, place, words, theme.colour("ink"), font, align=align)
                painter.end()
                images.append(image)
    return images


@pytest.mark.parametrize("align", [painting.LEFT, painting.RIGHT, painting.CENTRE])
@pytest.mark.parametrize("step", list(TypeStep))
def test_it_stands_where_qt_puts_it(
    qapp: QApplication, theme: Theme, step: TypeStep, align: Qt.AlignmentFlag
) -> None:
    assert drawn(theme, step, align, by_qt=False) == drawn(theme, step, align, by_qt=True)


@pytest.mark.parametrize(
    ("name", "room", "lines"),
    [
        ("Хлеб", 400, ["Хлеб"]),
        ("Хлеб  бели ", 400, ["Хлеб бели"]),
        ("Млеко свеже 2,8 % 1 l", 120, ["Млеко свеже", "2,8 % 1 l"]),
        ("Непоновљивонајдужаречусвимпродавницама", 60, ["Непон…"]),
        ("", 60, []),
    ],
)
def test_a_name_is_broken_between_words(
    qapp: QApplication, theme: Theme, name: str, room: int, lines: list[str]
) -> None:
    font = theme.font(TypeStep.BASE)
    assert Meter(font).wrapped(name, room) == lines
    assert all(painting.width_of(font, line) <= room + 1 for line in lines)
