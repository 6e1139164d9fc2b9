"""One step back leads to where the cashier came from, and Enter does what the big button says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QLineEdit

from tests.gui.inside import inside
from tests.gui.parts import layout_of
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import Shop
from tests.sweep import each

BREAD = "8609910700134"


def page(hands: Hands) -> str:
    """The form over the payment, "" for the payment itself."""
    layout = layout_of(inside(hands.window).work_area.payment)
    return type(layout.page).__name__ if layout.page is not None else ""


def esc_from_the_buyer_goes_back_to_the_sale_it_was_opened_from(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F5")
    hands.type("1000")
    assert page(hands) == "BuyerForm"
    hands.press("Esc")
    assert not inside(hands.window).work_area.is_paying
    assert inside(hands.window).model.cart.ticket.typed_details.buyer_value == "1000"


def esc_from_the_buyer_goes_back_to_the_payment_it_was_opened_from(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F12")
    hands.press("F5")
    hands.press("Esc")
    assert inside(hands.window).work_area.is_paying
    assert page(hands) == ""
    hands.press("Esc")
    assert not inside(hands.window).work_area.is_paying


def esc_from_another_page_over_the_buyer_goes_to_the_payment(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F5")
    hands.press("F4")
    assert page(hands) == "DiscountForm"
    hands.press("Esc")
    assert page(hands) == ""
    hands.press("F5")
    hands.press("Esc")
    assert inside(hands.window).work_area.is_paying


@each("by_finger", [False, True])
def test_a_buyer_that_is_done_leads_back_to_the_sale_it_was_opened_from(
    anew: Anew, by_finger: bool
) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    hands.tap_words("Купац") if by_finger else hands.press("F5")
    hands.type("100000008")
    hands.tap_words("Готово") if by_finger else hands.press("Enter")
    work_area = inside(hands.window).work_area
    assert not work_area.is_paying
    assert work_area.sale.search.search.edit.hasFocus()
    assert inside(hands.window).model.cart.ticket.typed_details.buyer_value == "100000008"
    hands.press("F12")
    assert work_area.is_paying
    assert page(hands) == ""


def a_buyer_that_is_done_leads_back_to_the_payment_it_was_opened_from(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F12")
    hands.press("F5")
    hands.type("100000008")
    hands.press("Enter")
    assert inside(hands.window).work_area.is_paying
    assert page(hands) == ""


def the_key_of_paying_leads_on_from_the_buyer_to_the_payment(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F5")
    hands.type("100000008")
    hands.press("F12")
    assert inside(hands.window).work_area.is_paying
    assert page(hands) == ""


def a_number_that_looks_mistyped_stays_before_the_sale_is_gone_back_to(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F5")
    hands.type("123456789")
    hands.press("Enter")
    assert page(hands) == "BuyerForm"
    hands.press("Enter")
    assert not inside(hands.window).work_area.is_paying
    assert inside(hands.window).model.cart.ticket.typed_details.buyer_sure


def test_cash_that_the_law_limits_is_asked_about_once(shop_data: Path, sell_in: SellIn) -> None:
    """The amount that stays in the drawer counts, without change; cards have no limit."""
    shop = Shop(shop_data, ask_from_cash=60)
    hands = sell_in(shop)
    hands.scan(BREAD)
    hands.press("F12")
    hands.type("100")
    hands.press("Enter")
    assert page(hands) == "", "58,99 stays: less than the limit"
    assert len(shop.database.sales.last(9)) == 1
    for _ in range(2):
        hands.scan(BREAD)
    hands.press("F12")
    hands.type("200")
    hands.press("Enter")
    assert page(hands) == "ConfirmAmount"
    form = layout_of(inside(hands.window).work_area.payment).page
    assert form is not None
    assert "10.000 евра" in form.accessibleName()
    hands.press("F12")
    assert len(shop.database.sales.last(9)) == 2
    shop.close()


def enter_mends_an_unusual_amount_of_cash(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F12")
    hands.type("99999")
    hands.press("Enter")
    assert page(hands) == "ConfirmAmount"
    hands.press("Enter")
    assert page(hands) == ""
    assert not inside(hands.window).is_in("attention")
    assert not hands.shop.database.sales.last(1)
    for _ in "99999":
        hands.press("Backspace")
    hands.type("200")
    assert given(hands) == "200.00"


def given(hands: Hands) -> str:
    payment = inside(hands.window).work_area.payment.model
    assert payment is not None
    return str(payment.tender.payments.cash)


@each(("key", "left"), [("", "0.00"), ("5", "5.00"), ("12,5", "12.50")])
def test_what_is_marked_goes_as_a_whole(anew: Anew, key: str, left: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    hands.press("F12")
    hands.type("1234")
    field = hands.window.focusWidget()
    assert isinstance(field, QLineEdit)
    field.selectAll()
    if key:
        hands.type(key)
    else:
        hands.press("Backspace")
    assert given(hands) == left


def enter_puts_the_keys_of_the_payment_away(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F12")
    hands.press("F1")
    assert page(hands) == "KeysPage"
    hands.press("Enter")
    assert page(hands) == ""
    assert not inside(hands.window).is_in("attention")


@each(
    "act",
    [
        esc_from_the_buyer_goes_back_to_the_sale_it_was_opened_from,
        esc_from_the_buyer_goes_back_to_the_payment_it_was_opened_from,
        esc_from_another_page_over_the_buyer_goes_to_the_payment,
        a_buyer_that_is_done_leads_back_to_the_payment_it_was_opened_from,
        the_key_of_paying_leads_on_from_the_buyer_to_the_payment,
        a_number_that_looks_mistyped_stays_before_the_sale_is_gone_back_to,
        enter_mends_an_unusual_amount_of_cash,
        enter_puts_the_keys_of_the_payment_away,
    ],
)
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
