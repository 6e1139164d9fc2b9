"""One step back leads to where the cashier came from, and Enter does what the big button says."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QLineEdit

from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import Shop
from tests.sweep import each

BREAD = "8609910700134"
PIB = "100000008"
SALE, PAYMENT = None, ""


def page(hands: Hands) -> str | None:
    """The form over the payment, "" for the payment itself, None for the sale."""
    if not hands.area.is_paying:
        return SALE
    form = hands.paying.page
    return type(form).__name__ if form is not None else PAYMENT


STEPS: dict[str, list[tuple[tuple[str, ...], str | None]]] = {
    "from the sale and back": [(("F5", "#1000"), "BuyerForm"), (("Esc",), SALE)],
    "from the payment and back": [
        (("F12", "F5"), "BuyerForm"), (("Esc",), PAYMENT), (("Esc",), SALE),
    ],
    "another page over the buyer": [
        (("F5", "F4"), "DiscountForm"), (("Esc",), PAYMENT), (("F5", "Esc"), PAYMENT),
    ],
    "done, from the sale": [(("F5", f"#{PIB}", "Enter"), SALE), (("F12",), PAYMENT)],
    "done by a finger": [(("F5", f"#{PIB}", "Готово"), SALE), (("F12",), PAYMENT)],
    "done, from the payment": [(("F12", "F5", f"#{PIB}", "Enter"), PAYMENT)],
    "on to the payment": [(("F5", f"#{PIB}", "F12"), PAYMENT)],
    "a number that looks mistyped": [
        (("F5", "#123456789", "Enter"), "BuyerForm"), (("Enter",), SALE),
    ],
    "keys of the payment": [(("F12", "F1"), "KeysPage"), (("Enter",), PAYMENT)],
    "an unusual amount of cash": [
        (("F12", "#99999", "Enter"), "ConfirmAmount"), (("Enter",), PAYMENT),
    ],
}  # fmt: skip
"""Keys, "#" before what is typed, words of a button; and where they lead."""


@each("steps", STEPS.values())
def test_each_step_leads_where_it_came_from(
    anew: Anew, steps: list[tuple[tuple[str, ...], str | None]]
) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    typed = ""
    for keys, leads_to in steps:
        for key in keys:
            if key.startswith("#"):
                typed = key[1:]
                hands.type(typed)
            elif key == "Готово":
                hands.tap_words(key)
            else:
                hands.press(key)
        assert page(hands) == leads_to, keys
    assert hands.sale() is None
    kept = hands.ticket.typed_details
    assert typed in ("", "99999", kept.buyer_value)
    assert kept.buyer_sure is (typed == "123456789")


def test_cash_that_the_law_limits_is_asked_about_once(shop_data: Path, sell_in: SellIn) -> None:
    """The amount that stays in the drawer counts, without change; cards have no limit."""
    shop = Shop(shop_data, ask_from_cash=60)
    hands = sell_in(shop)
    hands.scan(BREAD)
    hands.press("F12")
    hands.type("100")
    hands.press("Enter")
    assert page(hands) is SALE, "58,99 stays: less than the limit"
    for _ in range(2):
        hands.scan(BREAD)
    hands.press("F12")
    hands.type("200")
    hands.press("Enter")
    assert page(hands) == "ConfirmAmount"
    assert "10.000 евра" in hands.paying.page.accessibleName()
    hands.press("F12")
    assert len(hands.sales()) == 2
    shop.close()


@each(("key", "left"), [("", "0.00"), ("5", "5.00"), ("12,5", "12.50")])
def test_what_is_marked_goes_as_a_whole(anew: Anew, key: str, left: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    hands.press("F12")
    hands.type("1234")
    field = hands.window.focusWidget()
    assert isinstance(field, QLineEdit)
    field.selectAll()
    hands.type(key) if key else hands.press("Backspace")
    assert str(hands.payment.tender.payments.cash) == left
