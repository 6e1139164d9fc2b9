"""Letters are drawn ahead, a line at a time, and never while the till starts."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui import idle
from pos_app.cashier.ui.idle import GlyphWarmup
from pos_app.cashier.ui.theme import Theme


def test_all_lines_are_drawn_once(qtbot: QtBot, theme: Theme) -> None:
    view = QWidget()
    qtbot.addWidget(view)
    ahead = GlyphWarmup(theme, view)
    assert ahead.drawn == 0
    assert idle.BEGIN_MS >= 1_000
    ahead.begin()
    assert ahead.drawn == 0
    qtbot.waitUntil(lambda: ahead.is_done, timeout=30_000)
    assert ahead.drawn > 15
