"""A scan with one pause, at every place, on every screen: that article, or a misread, told."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.gui.parts import layout_of
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.sweep import each, together, turns

BREAD = "8609910700134"
PAUSES = (60, 200, 400)


def _nothing(hands: Hands) -> None:
    hands.press("Esc")


def _search(hands: Hands) -> None:
    hands.type("sir")


def _quantity(hands: Hands) -> None:
    hands.window.model.enter_code("16")
    hands.type("2")


def _payment(hands: Hands) -> None:
    hands.press("F12")
    hands.type("5")


def _attention(hands: Hands) -> None:
    hands.window.show_attention(True)


def _more(hands: Hands) -> None:
    hands.press("F1")


SCREENS: dict[str, Callable[[Hands], None]] = {
    "sale": _nothing,
    "search": _search,
    "quantity": _quantity,
    "payment": _payment,
    "attention": _attention,
    "more": _more,
}


@pytest.mark.parametrize("cases", together(turns(range(1, len(BREAD) + 1), SCREENS)))
def test_a_scan_that_paused_is_the_article(anew: Anew, cases: list[tuple[int, str]]) -> None:
    """Codes 236, 36, 6 and the like are articles of this shop: none of them is sold."""
    each(("cut", "screen"), cases)(_is_the_article)(anew=anew)


def _is_the_article(anew: Anew, screen: str, cut: int) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    sale, confirmed = hands.window.model.ticket.id, hands.window.model.last
    for number, pause in enumerate(PAUSES):
        SCREENS[screen](hands)
        typed = _typed(hands)
        hands.scan(BREAD, cut=cut, pause=pause)
        assert _typed(hands) == typed
        waiting = [code.text for code in hands.window.model.waiting]
        assert waiting in ([], [BREAD])
        for _ in range(6):
            hands.press("Esc")
        lines = hands.window.model.ticket.cart.active
        assert {line.article.frozen.gtin for line in lines} == {BREAD}
        assert sum(int(line.quantity.amount) for line in lines) == number + 2
    assert (hands.window.model.ticket.id, hands.window.model.last) == (sale, confirmed)


@each("screen", SCREENS)
def test_a_code_without_a_check_digit_that_paused_is_told(anew: Anew, screen: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    SCREENS[screen](hands)
    typed = _typed(hands)
    hands.scan("lot-0016", cut=6, pause=100)
    assert hands.shop.tones.played[-1] == "no"
    assert _typed(hands) == typed
    for _ in range(6):
        hands.press("Esc")
    assert {line.article.frozen.gtin for line in hands.window.model.ticket.cart.active} == {BREAD}


def test_a_misread_is_said_on_the_sale_and_in_the_payment(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.scan("lot-0016", cut=6, pause=100)
    assert "lot-0016" in hands.notice()
    hands.press("F12")
    hands.scan("lot-0017", cut=6, pause=100)
    layout = layout_of(hands.window.work_area.payment)
    assert "lot-0017" in layout.head.said()


def _typed(hands: Hands) -> list[str]:
    payment = hands.window.work_area.payment
    amounts = [] if payment.model is None else [str(payment.model.tender.payments)]
    return [hands.window.work_area.sale.search.text(), *amounts]
