"""A copy of the till was put back: the sale says at once that carts were set aside, and where."""

from __future__ import annotations

import pytest

from pos_app.cashier.sale.notices import CartsSetAside
from pos_app.cashier.sale.questions import SuspendedCarts
from pos_app.cashier.texts.lookup import LANGUAGES, Language
from tests.gui.inside import inside
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import BREAD, MILK

EAN = "8609910700134"


async def put_back(hands: Hands) -> None:
    """The journal knows a sale of this till that the till does not."""
    server = hands.shop.server
    server.sequences[500] = "f" * 32
    server.grow(1)
    await hands.shop.serve()
    await seen()


async def another_receipt(hands: Hands) -> None:
    """The journal moves on."""
    hands.shop.server.grow(1)
    hands.shop.clock.go_on(10_000)
    await hands.shop.serve()
    await seen()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_it_is_told_on_the_sale_and_leads_to_the_carts(
    hands: Hands, language: Language
) -> None:
    hands.window.change(language=language)
    hands.scan(BREAD)
    hands.press("F12")
    await put_back(hands)
    assert not inside(hands.window).work_area.is_paying
    assert hands.rows() == []
    assert inside(hands.window).model.context.notices == (CartsSetAside(1),)
    texts = hands.window.texts
    assert hands.notice().startswith(texts.count("notice.set_aside", 1))
    assert inside(hands.window).top.bell.isVisible()
    hands.tap_words(texts("notice.show_carts"))
    assert inside(hands.window).model.questions.question == SuspendedCarts()
    assert inside(hands.window).model.context.notices == ()


async def test_it_stays_until_it_was_read_and_is_told_once(hands: Hands) -> None:
    hands.scan(BREAD)
    await put_back(hands)
    hands.scan(MILK)
    hands.scan("4006381333931")
    await another_receipt(hands)
    assert len(hands.rows()) == 1, "what was begun since is left in peace"
    assert inside(hands.window).model.context.notices[0] == CartsSetAside(1)
    hands.press("Esc")
    hands.press("Esc")
    assert inside(hands.window).model.context.notices == ()


async def test_nothing_is_told_where_no_cart_was_open(hands: Hands) -> None:
    await put_back(hands)
    assert inside(hands.window).model.context.notices == ()


async def test_scans_that_wait_for_an_answer_go_to_the_next_cart(hands: Hands) -> None:
    hands.scan(BREAD)
    inside(hands.window).model.entry.enter_code("16")
    hands.scan(EAN)
    await put_back(hands)
    assert len(hands.rows()) == 1
    assert inside(hands.window).model.questions.question is None
