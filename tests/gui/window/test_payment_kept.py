"""The text typed into a payment belongs to the cart: no received amount is forgotten, or taken
twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from pos_app.cashier.sale.panels.choices import ChoicePanel
from pos_app.cashier.ui.buttons import Button
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from tests.gui.parts import lines_of
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import Shop
from tests.sweep import each

BREAD = "8609910700134"
CASH, CARD = PaymentMethod.CASH, PaymentMethod.CARD
KEYS = ["pad plus", "pad -", "Ctrl+Enter", "Ctrl+Shift+Enter"]


def method_key(hands: Hands, method: PaymentMethod) -> Button:
    return hands.paying.board.buttons.methods[method]


def _half_by_card(hands: Hands) -> None:
    """20,00 were charged on the terminal; the rest is still to be paid."""
    hands.scan(BREAD)
    hands.press("F12")
    hands.tap(method_key(hands, CARD))
    hands.type("20")


def _received(hands: Hands) -> None:
    """200,00 were received in cash, and the payment was left."""
    hands.scan(BREAD)
    hands.press("F12")
    hands.type("200")
    hands.press("Esc")
    hands.shop.pause()


def _paid(hands: Hands) -> dict[PaymentMethod, str]:
    return {method: str(money) for method, money in hands.payment.tender.paid}


def _stored(hands: Hands) -> tuple[tuple[PaymentMethod, Money | None], ...]:
    cart = hands.shop.database.carts.open_cart(training=False)
    assert cart is not None
    return cart.typed_details.paid


def it_is_there_after_hold_and_recall(hands: Hands) -> None:
    _half_by_card(hands)
    hands.press("Esc")
    assert hands.button("Настави").isVisible()
    assert "Примљено 20,00" in hands.cart.total.accessibleDescription()
    hands.press("F6")
    assert hands.button("Наплата").isVisible()
    hands.press("F6")
    hands.press("Enter") if hands.ticket.cart.is_empty else None
    hands.press("F12")
    assert _paid(hands) == {CARD: "20.00"}


def typing_replaces_it_and_no_method_takes_its_place(hands: Hands) -> None:
    """A card's amount may have been charged: choosing cash adds the rest in cash."""
    _half_by_card(hands)
    hands.press("Esc")
    hands.press("F12")
    hands.type("7")
    assert _paid(hands) == {CARD: "7.00"}
    hands.press("Esc")
    hands.press("F12")
    hands.tap(method_key(hands, CASH))
    assert _paid(hands) == {CARD: "7.00", CASH: "52.00"}


def a_part_of_a_number_is_never_stored(hands: Hands) -> None:
    _half_by_card(hands)
    before = _stored(hands)
    hands.type("0")
    assert _stored(hands) == before
    hands.rest()
    assert _stored(hands) == ((CARD, Money(200)),)


def it_outlives_widgets_that_are_made_anew(hands: Hands) -> None:
    _half_by_card(hands)
    hands.window.change(theme="dark")
    hands.rest()
    assert _stored(hands) == ((CARD, Money(20)),)


def all_keys_of_the_bar_are_there_after_the_payment_is_left(hands: Hands) -> None:
    _received(hands)
    QCoreApplication.sendPostedEvents()
    buttons = hands.area.sale.bar.buttons
    assert [name for name, button in buttons.items() if not button.isVisible()] == []


@each(
    "act",
    [
        it_is_there_after_hold_and_recall,
        typing_replaces_it_and_no_method_takes_its_place,
        a_part_of_a_number_is_never_stored,
        it_outlives_widgets_that_are_made_anew,
        all_keys_of_the_bar_are_there_after_the_payment_is_left,
    ],
)
def test_it_belongs_to_the_cart(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


def test_it_is_there_after_a_restart_and_cash_is_given_beside_the_card(
    hands: Hands, shop: Shop, sell_in: SellIn
) -> None:
    _half_by_card(hands)
    hands.window.close()
    assert _stored(hands) == ((CARD, Money(20)),)
    again = sell_in(shop)
    again.press("F12")
    assert _paid(again) == {CARD: "20.00"}
    again.tap(method_key(again, CASH))
    assert _paid(again) == {CARD: "20.00", CASH: "39.00"}


# --- keys that pay -------------------------------------------------------------------------------


@each("key", KEYS)
def test_a_payment_key_takes_it_no_second_time(anew: Anew, key: str) -> None:
    hands = anew.begin()
    _half_by_card(hands)
    hands.press("Esc")
    hands.shop.pause()
    hands.press(key)
    assert hands.sale() is None
    assert _paid(hands) == {CARD: "20.00"}


@each("key", KEYS)
def test_a_payment_key_takes_cash_as_it_was_received(anew: Anew, key: str) -> None:
    """Digits that were typed since are told: nobody knows for what they are."""
    hands = anew.begin()
    _received(hands)
    hands.type("500")
    hands.press(key)
    assert _paid(hands) == {CASH: "200.00"}
    assert "Раније укуцано 500 није узето" in lines_of(hands.area.payment)
    hands.press("Enter")
    taken = hands.sold().money_taken
    assert dict(taken.tendered.by_method) == {CASH: Money(200)}
    assert str(taken.change) == "141.00"
    assert hands.button("Наплата").isVisible()


@each("of", ["exact", "card"])
def test_a_key_of_the_bar_says_and_does_the_same(anew: Anew, of: str) -> None:
    hands = anew.begin()
    _received(hands)
    key = getattr(hands.area.sale.bar, of)
    assert key.accessibleName().endswith(" даље")
    hands.tap(key)
    assert hands.sale() is None
    assert _paid(hands) == {CASH: "200.00"}
    hands.press("Esc")
    hands.press("F6")
    hands.scan(BREAD)
    assert not key.accessibleName().endswith("даље")


@each("typed", ["500", "8609910700134", "1.000", "12,345"])
def test_what_is_typed_before_the_key_of_the_card_is_refused_and_stays(
    anew: Anew, typed: str
) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    hands.shop.pause()
    hands.type(typed)
    for key in ("Ctrl+Shift+Enter", "pad -"):
        hands.press(key)
        assert hands.sale() is None
        assert hands.notice().startswith("Овај тастер наплаћује тачан износ картицом")
        assert hands.area.sale.search.text() == typed
    hands.press("Esc")
    hands.type("58,99")  # the exact amount may be typed
    hands.press("pad -")
    assert set(dict(hands.sold().money_taken.tendered.by_method)) == {CARD}


@each("typed", ["1.000.", "12,345", "8609910700134"])
def test_what_is_no_amount_is_refused_in_words_by_the_key_of_cash(anew: Anew, typed: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    hands.shop.pause()
    hands.type(typed)
    hands.pad("+")
    assert hands.sale() is None
    assert hands.notice().startswith(f"Укуцано „{typed}“ није износ")


def test_one_tap_on_the_card_takes_no_typed_cash(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.shop.pause()
    hands.type("200")
    assert hands.area.sale.bar.exact.accessibleName() == "Готовина 200,00"
    hands.tap_words("Картица тачно 58,99")
    taken = hands.sold().money_taken
    assert dict(taken.on_receipt.by_method) == {CARD: Money("58.99")}
    assert str(taken.change) == "0.00"


def test_no_digit_of_the_menu_chooses_what_shows_a_key_of_its_own(
    shop_data: Path, sell_in: SellIn
) -> None:
    """Where the bar has no room for F3, "More" shows it first with that key: "1" is shown by
    nothing, and chose it."""
    shop = Shop(shop_data, action_keys=("F6",))
    hands = sell_in(shop)
    hands.scan(BREAD)
    hands.press("F9")
    panel = hands.area.panel
    assert isinstance(panel, ChoicePanel)
    assert "Количина ставке" in panel.buttons[0].accessibleName()
    hands.type("1")
    assert hands.area.panel is panel
    hands.press("F3")
    assert type(hands.area.panel) is not ChoicePanel
    hands.window.close()
    shop.close()
