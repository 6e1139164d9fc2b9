"""The text typed into a payment belongs to the cart: no received amount is forgotten."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QCoreApplication

from pos_app.cashier.ui.buttons import Button
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from tests.gui.inside import inside
from tests.gui.parts import layout_of, lines_of
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import Shop
from tests.sweep import each, sampled, turns

BREAD = "8609910700134"


def method_key(hands: Hands, method: PaymentMethod) -> Button:
    return layout_of(inside(hands.window).work_area.payment).board.buttons.methods[method]


def _half_by_card(hands: Hands) -> None:
    """20,00 were charged on the terminal; the rest is still to be paid."""
    hands.scan(BREAD)
    hands.press("F12")
    model = inside(hands.window).work_area.payment.model
    assert model is not None
    hands.tap(method_key(hands, PaymentMethod.CARD))
    hands.type("20")


def _paid(hands: Hands) -> dict[PaymentMethod, str]:
    model = inside(hands.window).work_area.payment.model
    assert model is not None
    return {method: str(money) for method, money in model.tender.paid}


def it_is_there_after_hold_and_recall(hands: Hands) -> None:
    _half_by_card(hands)
    hands.press("Esc")
    assert hands.button("Настави").isVisible()
    assert "Примљено 20,00" in inside(hands.window).cart.total.accessibleDescription()
    hands.press("F6")
    assert inside(hands.window).model.cart.ticket.cart.is_empty
    assert hands.button("Наплата").isVisible()
    hands.press("F6")
    hands.press("Enter") if inside(hands.window).model.cart.ticket.cart.is_empty else None
    hands.press("F12")
    assert _paid(hands) == {PaymentMethod.CARD: "20.00"}


KEYS = ["pad plus", "pad -", "Ctrl+Enter", "Ctrl+Shift+Enter"]


@pytest.mark.parametrize("keys", sampled([KEYS[:2], KEYS]))
def test_a_payment_key_takes_it_no_second_time(anew: Anew, keys: list[str]) -> None:
    each("key", keys)(_takes_it_no_second_time)(anew=anew)


def _takes_it_no_second_time(anew: Anew, key: str) -> None:
    hands = anew.begin()
    _half_by_card(hands)
    hands.press("Esc")
    hands.shop.pause()
    hands.press(key)
    assert inside(hands.window).model.confirmation.last is None
    assert _paid(hands) == {PaymentMethod.CARD: "20.00"}
    assert inside(hands.window).work_area.is_paying


@pytest.mark.parametrize("key", sampled(KEYS))
def test_a_payment_key_takes_cash_as_it_was_received(hands: Hands, key: str) -> None:
    hands.scan(BREAD)
    hands.press("F12")
    hands.type("200")
    hands.press("Esc")
    hands.shop.pause()
    hands.press(key)
    assert inside(hands.window).work_area.is_paying
    hands.press("Enter")
    last = inside(hands.window).model.confirmation.last
    assert last is not None
    assert dict(last.money_taken.tendered.by_method) == {PaymentMethod.CASH: Money(200)}
    assert str(last.money_taken.change) == "141.00"
    assert hands.button("Наплата").isVisible()


@pytest.mark.parametrize("keys", sampled([[KEYS[0], "F12"], [*KEYS, "F12"]]))
def test_digits_that_a_payment_key_does_not_take_are_told(anew: Anew, keys: list[str]) -> None:
    each("key", keys)(_tells_the_digits)(anew=anew)


def _tells_the_digits(anew: Anew, key: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    hands.press("F12")
    hands.type("200")
    hands.press("Esc")
    hands.shop.pause()
    hands.type("500")
    hands.press(key)
    assert _paid(hands) == {PaymentMethod.CASH: "200.00"}
    assert "Раније укуцано 500 није узето" in lines_of(inside(hands.window).work_area.payment)


@pytest.mark.parametrize(
    ("typed", "key"),
    turns(["500", "8609910700134", "1.000", "12,345"], ["pad -", "Ctrl+Shift+Enter"]),
)
def test_what_is_typed_before_the_key_of_the_card_is_refused_and_stays(
    hands: Hands, key: str, typed: str
) -> None:
    hands.scan(BREAD)
    hands.shop.pause()
    hands.type(typed)
    hands.press(key)
    assert inside(hands.window).model.confirmation.last is None
    assert hands.notice().startswith("Овај тастер наплаћује тачан износ картицом")
    assert inside(hands.window).work_area.sale.search.text() == typed
    hands.press("Esc")
    hands.press("pad -")
    last = inside(hands.window).model.confirmation.last
    assert last is not None
    assert set(dict(last.money_taken.tendered.by_method)) == {PaymentMethod.CARD}


def test_the_exact_amount_may_be_typed_before_the_key_of_the_card(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.shop.pause()
    hands.type("58,99")
    hands.press("pad -")
    assert inside(hands.window).model.confirmation.last is not None


@each("typed", ["1.000.", "12,345", "8609910700134"])
def test_what_is_no_amount_is_refused_in_words_by_the_key_of_cash(anew: Anew, typed: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    hands.shop.pause()
    hands.type(typed)
    hands.pad("+")
    assert inside(hands.window).model.confirmation.last is None
    assert hands.notice().startswith(f"Укуцано „{typed}“ није износ")


@each("typed", ["1.000", "8609910700134"])
def test_a_number_that_was_typed_before_the_payment_is_told_in_it(anew: Anew, typed: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    hands.type(typed)
    hands.press("F12")
    assert f"Раније укуцано {typed} није узето" in lines_of(inside(hands.window).work_area.payment)


@each("of", ["exact", "card"])
def test_a_key_of_the_bar_says_and_does_the_same(anew: Anew, of: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    hands.press("F12")
    hands.type("200")
    hands.press("Esc")
    hands.shop.pause()
    key = getattr(inside(hands.window).work_area.sale.bar, of)
    assert key.accessibleName().endswith(" даље")
    hands.tap(key)
    assert inside(hands.window).model.confirmation.last is None
    assert _paid(hands) == {PaymentMethod.CASH: "200.00"}
    hands.press("Esc")
    hands.press("F6")
    hands.scan(BREAD)
    assert not key.accessibleName().endswith("даље")


def a_part_of_a_number_is_never_stored(hands: Hands) -> None:
    _half_by_card(hands)
    kept = hands.shop.database.carts.open_cart
    before = kept(training=False)
    hands.type("0")
    assert kept(training=False) == before
    hands.rest()
    after = kept(training=False)
    assert after is not None
    assert after.typed_details.paid == ((PaymentMethod.CARD, Money(200)),)


def test_what_was_typed_is_stored_when_the_window_is_closed(hands: Hands) -> None:
    _half_by_card(hands)
    hands.window.close()
    after = hands.shop.database.carts.open_cart(training=False)
    assert after is not None
    assert after.typed_details.paid == ((PaymentMethod.CARD, Money(20)),)


def test_what_was_typed_outlives_widgets_that_are_made_anew(hands: Hands) -> None:
    _half_by_card(hands)
    hands.window.change(theme="dark")
    hands.rest()
    after = hands.shop.database.carts.open_cart(training=False)
    assert after is not None
    assert after.typed_details.paid == ((PaymentMethod.CARD, Money(20)),)


def typing_replaces_it_and_no_method_takes_its_place(hands: Hands) -> None:
    """A card's amount may have been charged: choosing cash adds the rest in cash."""
    _half_by_card(hands)
    hands.press("Esc")
    hands.press("F12")
    hands.type("7")
    assert _paid(hands) == {PaymentMethod.CARD: "7.00"}
    hands.press("Esc")
    hands.press("F12")
    hands.tap(method_key(hands, PaymentMethod.CASH))
    assert _paid(hands) == {PaymentMethod.CARD: "7.00", PaymentMethod.CASH: "52.00"}


def test_it_is_there_after_a_restart_and_cash_is_given_beside_the_card(
    hands: Hands, shop: Shop, sell_in: Callable[..., Hands]
) -> None:
    _half_by_card(hands)
    hands.rest()
    again = sell_in(shop)
    again.press("F12")
    assert _paid(again) == {PaymentMethod.CARD: "20.00"}
    again.tap(method_key(again, PaymentMethod.CASH))
    assert _paid(again) == {PaymentMethod.CARD: "20.00", PaymentMethod.CASH: "39.00"}


def all_keys_of_the_bar_are_there_after_the_payment_is_left(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.press("F12")
    hands.type("1000")
    QCoreApplication.sendPostedEvents()  # the hidden sale is laid out again
    hands.press("Esc")
    QCoreApplication.sendPostedEvents()
    buttons = inside(hands.window).work_area.sale.bar.buttons
    assert [name for name, button in buttons.items() if not button.isVisible()] == []


@each(
    "act",
    [
        it_is_there_after_hold_and_recall,
        a_part_of_a_number_is_never_stored,
        typing_replaces_it_and_no_method_takes_its_place,
        all_keys_of_the_bar_are_there_after_the_payment_is_left,
    ],
)
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
