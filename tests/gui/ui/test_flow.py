"""Buttons of a notice are in as many rows as its width needs, none of them cut."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.theme import Theme


@pytest.mark.parametrize(("width", "rows"), [(1400, 1), (600, 2), (330, 3)])
def test_the_buttons_of_a_notice_stand_in_rows(
    qtbot: QtBot, theme: Theme, width: int, rows: int
) -> None:
    buttons = [Button(theme, f"Сачувај и промени све у {label}") for label in ("Ђ", "Е", "Г")]
    panel = NoticePanel(
        theme, NoticeKind.WARN, happened="Ознаке", safe="", press="", buttons=buttons
    )
    qtbot.addWidget(panel)
    panel.resize(width, panel.heightForWidth(width))
    panel.show()
    assert len({one.y() for one in buttons}) == rows
    for one in buttons:
        assert one.width() == one.sizeHint().width()
        assert panel.rect().contains(one.geometry())
