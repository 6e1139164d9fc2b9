"""The lane of a scroll bar beside its content."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.theme import Theme

ROOM = QSize(422, 408)


class Folding(QWidget):
    """Content that is lower while it is narrower, as a form is whose words fold to shorter ones."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []
        self.fold(ROOM.width())

    def fold(self, width: int) -> None:
        self.setMinimumHeight(412 if width >= ROOM.width() else 398)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.sizes.append(self.width())
        self.fold(self.width())


def test_content_that_fits_only_beside_the_lane_comes_to_rest(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    area, inside = ScrolledColumn(theme, name="form"), Folding()
    qtbot.addWidget(area)
    area.show_inside(inside)
    area.resize(ROOM)
    area.show()
    for _ in range(20):
        qapp.processEvents()
    inside.sizes.clear()
    for _ in range(20):
        qapp.processEvents()
    assert inside.sizes == [], "it rests"
    assert inside.height() <= area.viewport().height(), "nothing of it is hidden"
    area.resize(ROOM + QSize(0, 40))
    for _ in range(20):
        qapp.processEvents()
    assert inside.width() == ROOM.width(), "with room for all of it there is no lane"
