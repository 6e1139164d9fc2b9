"""A buyer that is scanned while a payment was begun belongs to the cart."""

from __future__ import annotations

import json
from typing import Any

from tests.fakes.verification_url import payload, url
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import BREAD

PIB = "100000008"


def add_text(hands: Hands, text: str) -> None:
    hands.press("F12")
    hands.tap_words("Текст")
    hands.press(f"#{text}", "Ctrl+Enter", "Esc")


def issued(hands: Hands) -> dict[str, Any]:
    """What the sale of the case asks the server to sign."""
    made = json.loads(hands.shop.database.sales.body(hands.sold().key))
    assert isinstance(made, dict)
    return made


def sign(hands: Hands) -> str:
    """The sale's words about additions to the receipt, "" without any."""
    shown = hands.cart.added
    return shown.accessibleName() if shown.isVisible() else ""


async def test_the_buyer_of_a_scanned_receipt_goes_on_a_cart_whose_payment_was_begun(
    hands: Hands,
) -> None:
    hands.enter(BREAD)
    add_text(hands, "hvala")
    hands.press("F12", "F4", "#5", "Esc", "Esc")
    hands.scan(url(payload(buyer=f"10:{PIB}".encode())))
    await seen()
    hands.tap_words("Купац")
    assert PIB in sign(hands)
    hands.press("F12", "F4")
    assert hands.payment.discount_draft.text == "5", "it is not given yet"
    hands.press("Esc", "Enter", "Enter")
    assert issued(hands)["buyerId"] == f"10:{PIB}"
    assert "hvala" in str(issued(hands))
