"""A code that sold nothing belongs to the cart: no restart and no suspending forgets it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.gui.inside import inside
from tests.gui.parts import layout_of
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, Shop
from tests.gui.window.test_held_till import held

BREAD_EAN, MILK_EAN, UNKNOWN = "8609910700134", "8609951100139", "8600999000014"


def _begun(hands: Hands) -> None:
    """Scan a bread, and a code that no article has."""
    hands.scan(BREAD_EAN)
    hands.scan(UNKNOWN)
    hands.press("Esc")
    hands.shop.pause()


def test_after_a_restart_it_is_asked_about(
    hands: Hands, shop: Shop, sell_in: Callable[..., Hands]
) -> None:
    _begun(hands)
    again = sell_in(shop)
    again.press("F12")
    layout = layout_of(inside(again.window).work_area.payment)
    assert "1 код није додат" in layout.head.news_text()
    again.press("Esc")
    again.pad("+")
    assert inside(again.window).model.confirmation.last is None
    assert again.notice().startswith("1 код није додат")
    again.press("Esc")
    again.pad("+")
    assert inside(again.window).model.confirmation.last is not None


def test_after_a_restart_a_misread_that_is_scanned_again_is_not_missed(
    hands: Hands, shop: Shop, sell_in: Callable[..., Hands]
) -> None:
    hands.scan("lot-0016", cut=6, pause=100)
    again = sell_in(shop)
    again.keys.now = hands.keys.now + 1_000
    again.scan(BREAD_EAN)
    again.shop.pause()
    again.pad("+")
    assert inside(again.window).model.confirmation.last is not None


def test_it_goes_aside_with_the_cart_and_comes_back(hands: Hands) -> None:
    _begun(hands)
    hands.press("F6")
    hands.scan(MILK_EAN)
    hands.shop.pause()
    hands.pad("+")
    assert inside(hands.window).model.confirmation.last is not None
    before = inside(hands.window).model.confirmation.last
    hands.press("F6")
    hands.press("Enter") if inside(hands.window).model.cart.ticket.cart.is_empty else None
    hands.pad("+")
    assert inside(hands.window).model.confirmation.last is before
    assert hands.notice().startswith("1 код није додат")


def test_it_goes_with_the_sale_that_ends(
    hands: Hands, shop: Shop, sell_in: Callable[..., Hands]
) -> None:
    _begun(hands)
    hands.pad("+")
    hands.pad("+")
    sale = inside(hands.window).model.confirmation.last
    assert sale is not None
    assert shop.till.carts.cart_of(sale.cart_id).missed == ()
    again = sell_in(shop)
    again.keys.now = hands.keys.now + 1_000
    again.scan(MILK_EAN)
    again.shop.pause()
    again.pad("+")
    assert inside(again.window).model.confirmation.last != sale


def test_it_is_stored_later_where_another_program_holds_the_file(
    hands: Hands, shop: Shop, sell_in: Callable[..., Hands]
) -> None:
    hands.scan(BREAD_EAN)
    with held(hands):
        hands.scan("lot-0016", cut=6, pause=100)
        assert "lot-0016" in hands.notice()
    hands.keys.now += 1_000
    hands.scan(UNKNOWN)
    hands.shop.pause()
    assert [one.code for one in inside(sell_in(shop).window).model.cart.ticket.missed] == [UNKNOWN]


@pytest.mark.parametrize("screen", ["payment", "quantity"])
def test_what_is_under_way_goes_on(hands: Hands, screen: str) -> None:
    """The cart is stored with the code while text is typed on a screen."""
    hands.scan(BREAD_EAN)
    if screen == "payment":
        hands.press("F12")
        hands.type("500")
        hands.scan(UNKNOWN)
        hands.press("Enter")
        assert inside(hands.window).model.confirmation.last is not None
        return
    hands.press("F3")
    hands.type("3")
    hands.scan("lot-0016", cut=6, pause=100)
    hands.press("Enter")
    assert hands.rows()[0].startswith("3 ×")


def test_a_code_is_typed_and_missed(
    hands: Hands, shop: Shop, sell_in: Callable[..., Hands]
) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.type("99887")
    hands.press("Enter")
    assert [one.code for one in inside(sell_in(shop).window).model.cart.ticket.missed] == ["99887"]
