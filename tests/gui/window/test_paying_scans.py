"""The result of a scan during payment is shown where the cashier looks."""

from __future__ import annotations

from tests.gui.inside import inside
from tests.gui.parts import layout_of
from tests.gui.window.hands import Hands


def test_an_unknown_code_is_said_in_the_payment_and_nothing_typed_is_lost(hands: Hands) -> None:
    hands.scan("8609910700134")
    hands.press("F12")
    hands.type("200")
    payment = inside(hands.window).work_area.payment
    assert payment.model is not None
    before = payment.model.tender
    hands.scan("8600999000014")
    assert "8600999000014" in layout_of(payment).head.news_text()
    assert payment.model.tender == before
    assert hands.shop.tones.played[-1] == "no"
