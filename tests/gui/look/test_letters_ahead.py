"""Letters are drawn ahead, a line at a time, and never while the till starts."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.look import letters_ahead
from pos_app.cashier.look.letters_ahead import LettersAhead
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.metrics import measure


def test_all_lines_are_drawn_once_and_again_for_another_look(qtbot: QtBot, look: Look) -> None:
    view = QWidget()
    qtbot.addWidget(view)
    ahead = LettersAhead(look, view)
    assert ahead.drawn == 0
    assert letters_ahead.BEGIN_MS >= 1_000
    ahead.begin()
    assert ahead.drawn == 0
    qtbot.waitUntil(lambda: ahead.is_done, timeout=30_000)
    once = ahead.drawn
    assert once > 15
    look.change(metrics=measure(text_percent=150))
    assert not ahead.is_done
    qtbot.waitUntil(lambda: ahead.is_done, timeout=30_000)
    assert ahead.drawn == 2 * once
