"""The row that the cashier works on stands in full sight, also when a cart comes back."""

from __future__ import annotations

import pytest

from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import Shop

MANY = ("1", "6", "11", "13", "20", "2", "3", "4", "5", "7", "8", "9", "10")


def _current_is_in_sight(hands: Hands) -> bool:
    cart = hands.window.cart.list
    number = cart.rows.row_of(hands.window.model.current_line_id)
    assert number is not None
    return cart.viewport().rect().contains(cart.visualRect(cart.rows.index(number)))


@pytest.mark.parametrize(("width", "touch"), [(1366, 12), (1024, 12), (1024, 15)])
async def test_the_current_row_of_a_recalled_cart_is_seen_whole(
    shop: Shop, sell_in: SellIn, width: int, touch: int
) -> None:
    hands = sell_in(shop, width=width, touch=touch)
    for code in MANY:
        hands.window.model.enter_code(code)
        if hands.window.model.is_asked:
            hands.type("1")
            hands.press("Enter")
    hands.press("F6")
    hands.window.model.enter_code("1")
    hands.shop.pause()
    hands.pad("+")
    assert hands.window.model.last is not None
    hands.press("F6")
    hands.press("Enter")
    await seen()
    assert hands.window.cart.strip.isVisible()
    assert _current_is_in_sight(hands)
