"""Work after the rows is done once, when they are painted; letters are drawn ahead, never while the
till starts."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui import idle
from pos_app.cashier.ui.idle import AfterPaint, GlyphWarmup
from pos_app.cashier.ui.theme import Theme


class Told(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    def paintEvent(self, event: QPaintEvent) -> None:
        self.told.append("paint")


def test_it_is_done_once_after_the_paint(qtbot: QtBot) -> None:
    widget = Told()
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitUntil(lambda: "paint" in widget.told)
    later = AfterPaint(lambda: widget.told.append("after"), widget)
    widget.told.clear()
    later.ask()
    later.ask()
    widget.update()
    QTimer.singleShot(0, widget, lambda: widget.told.append("timer"))
    qtbot.waitUntil(lambda: {"after", "timer"} <= set(widget.told))
    assert [one for one in widget.told if one != "timer"] == ["paint", "after"]
    later.ask()
    qtbot.waitUntil(lambda: widget.told.count("after") == 2)


def test_all_letters_are_drawn_once(qtbot: QtBot, theme: Theme) -> None:
    view = QWidget()
    qtbot.addWidget(view)
    ahead = GlyphWarmup(theme, view)
    assert ahead.drawn == 0
    assert idle.BEGIN_MS >= 1_000
    ahead.begin()
    assert ahead.drawn == 0
    qtbot.waitUntil(lambda: ahead.is_done, timeout=30_000)
    assert ahead.drawn > 15
