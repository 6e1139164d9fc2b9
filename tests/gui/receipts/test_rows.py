"""The columns of the list of receipts, and the line of their turnover."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import QRect
from pytestqt.qtbot import QtBot

from pos_app.cashier.receipts.filters import Filters
from pos_app.cashier.receipts.list_side import TurnoverLine, widest_texts
from pos_app.cashier.receipts.rows import ReceiptColumns
from pos_app.cashier.texts.lookup import LANGUAGES, Language, Texts
from pos_app.cashier.ui import painting
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.metrics import TypeStep, Weight, measure
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.receipt_list import Turnover
from tests.gui.parts import lines_of
from tests.sweep import each


@each("text", [150, 100, 125])
@each("language", LANGUAGES)
def test_each_way_of_payment_has_room(theme: Theme, language: Language, text: int) -> None:
    texts = Texts(language)
    sizes = measure(touch_mm=12, text_percent=text, width=1366)
    look = UiContext(theme, texts).changed(metrics=sizes).theme
    own = look.font(TypeStep.BASE)
    row = QRect(0, 0, 1300, sizes.touch)
    at = ReceiptColumns(row, look, own, widest_texts(texts))
    assert at.has_payment
    room = at.payment.width()
    for one in PaymentMethod:
        way, step, weight = texts(f"pay.method.{one}"), TypeStep.BASE, Weight.MEDIUM
        meter = painting.fitting_words(look, own, way, step=step, weight=weight, free_width=room)
        assert meter.fits(way, room), way


def test_documents_are_told_once_they_are_counted(qtbot: QtBot, theme: Theme) -> None:
    line = TurnoverLine(theme, Texts())
    qtbot.addWidget(line)
    line.show()
    line.show_turnover(None, Filters())
    assert "Промет данас" in lines_of(line)
    assert not any("докум" in one for one in lines_of(line))
    line.show_turnover(Turnover(Decimal(0), Decimal(0), {}), Filters())
    assert any("0 докумената" in one for one in lines_of(line))
