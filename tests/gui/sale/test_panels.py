"""An unknown code becomes an article in place."""

from __future__ import annotations

from pos_app.domain.money.tax import TaxLabel
from tests.gui.parts import page_in_front
from tests.gui.window.hands import Hands

NOBODYS = "8600999000014"


def test_an_unknown_code_is_created_by_a_manager(hands: Hands) -> None:
    hands.scan(NOBODYS)
    assert hands.notice().startswith(f"Нема артикла са кодом {NOBODYS}")
    assert hands.shop.tones.played == ["no"]
    hands.tap_words("Нови артикал")
    panel = page_in_front(hands.window.frame, "ask.create")
    panel.name.set_text("Чај од нане")
    hands.press("Enter")
    assert panel.price.edit.hasFocus()
    hands.type("199")
    hands.tap_words("Е 10")
    panel.price.edit.setFocus()
    hands.press("Enter")
    assert hands.rows() == ["1 × Чај од нане, 199,00"]
    assert hands.ticket.cart.active[0].article.frozen.label is TaxLabel.E
    hands.scan(NOBODYS)
    assert hands.rows() == ["2 × Чај од нане, 398,00"]
