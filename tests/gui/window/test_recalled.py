"""The cashier's current row is in full sight, also when a cart comes back."""

from __future__ import annotations

import pytest

from pos_app.domain.money.money import Money
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.gui.inside import inside
from tests.gui.parts import words_on
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import BREAD, MILK, Shop
from tests.sweep import sampled

MANY = ("1", "6", "11", "13", "20", "2", "3", "4", "5", "7", "8", "9", "10")


def _current_is_in_sight(hands: Hands) -> bool:
    cart = inside(hands.window).cart.list
    number = cart.rows.row_of(inside(hands.window).model.cart.current_line_id)
    assert number is not None
    return cart.viewport().rect().contains(cart.visualRect(cart.rows.index(number)))


@pytest.mark.parametrize(("width", "touch"), sampled([(1024, 15), (1366, 12), (1024, 12)]))
async def test_the_current_row_of_a_recalled_cart_is_seen_whole(
    shop: Shop, sell_in: SellIn, width: int, touch: int
) -> None:
    hands = sell_in(shop, width=width, touch=touch)
    for code in MANY:
        inside(hands.window).model.entry.enter_code(code)
        if inside(hands.window).model.questions.is_asked:
            hands.type("1")
            hands.press("Enter")
    hands.press("F6")
    inside(hands.window).model.entry.enter_code("1")
    hands.shop.pause()
    hands.pad("+")
    assert inside(hands.window).model.confirmation.last is not None
    hands.press("F6")
    hands.press("Enter")
    await seen()
    assert inside(hands.window).cart.strip.isVisible()
    assert _current_is_in_sight(hands)


def _change_price(hands: Hands) -> None:
    """Save another price of the bread as a manager does, on this till or another."""
    product = hands.shop.row(BREAD).product_id
    now = hands.shop.clock.now()
    edit = NewEdit.changing(product, product, {"price": Money(70)}, by="Шеф", at=now)
    hands.shop.desk.record(edit)


def _tells_new_price(hands: Hands) -> bool:
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]
    return any("70,00" in words for words in words_on(inside(hands.window).cart.list.viewport()))


def test_a_price_that_changed_while_a_cart_was_held_is_shown(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F6")
    _change_price(hands)
    hands.press("F6")
    hands.press("Enter")
    assert _tells_new_price(hands)


def test_a_price_that_changed_during_training_is_shown(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.choose(inside(hands.window).top.segment, 3)
    hands.type(MILK)
    hands.press("Enter")
    _change_price(hands)
    hands.shop.pause()
    hands.pad("+")
    assert _tells_new_price(hands)


def test_a_price_that_changed_while_the_till_was_closed_is_shown(
    hands: Hands, shop: Shop, sell_in: SellIn
) -> None:
    hands.scan(BREAD)
    _change_price(hands)
    assert _tells_new_price(sell_in(shop))
