"""The line of the turnover says nothing of documents that nobody has counted yet."""

from __future__ import annotations

from decimal import Decimal

from pytestqt.qtbot import QtBot

from pos_app.cashier.receipts.filters import Filters
from pos_app.cashier.receipts.list_side import TurnoverLine
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.receipt.receipt_list import Turnover
from tests.gui.parts import lines_of


def test_documents_are_told_once_they_are_counted(qtbot: QtBot, theme: Theme) -> None:
    line = TurnoverLine(theme, Texts())
    qtbot.addWidget(line)
    line.show()
    line.show_turnover(None, Filters())
    assert "Промет данас" in lines_of(line)
    assert not any("докум" in one for one in lines_of(line))
    line.show_turnover(Turnover(Decimal(0), Decimal(0), {}), Filters())
    assert any("0 докумената" in one for one in lines_of(line))
