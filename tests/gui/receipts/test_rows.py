"""The columns of the list of receipts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect

from pos_app.cashier.receipts.list_side import widest_texts
from pos_app.cashier.receipts.rows import ReceiptColumns
from pos_app.cashier.texts.lookup import LANGUAGES, Language, Texts
from pos_app.cashier.ui import painting
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.metrics import TypeStep, Weight, measure
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money.payment import PaymentMethod
from tests.gui.payment.conftest import theme
from tests.sweep import turns

__all__ = ["theme"]


@pytest.mark.parametrize(("language", "text"), turns(LANGUAGES, [150, 100, 125]))
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
