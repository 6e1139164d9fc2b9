"""A scan with one pause, at every position, on every screen: it is that article, or reported as
misread."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from tests.gui.inside import inside
from tests.gui.parts import layout_of
from tests.gui.scanner.wedge import ALTGR
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import MILK
from tests.sweep import each, sampled, together, turns

BREAD = "8609910700134"
PAUSES = (60, 200, 400)


def _nothing(hands: Hands) -> None:
    hands.press("Esc")


def _search(hands: Hands) -> None:
    hands.type("sir")


def _quantity(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code("16")
    hands.type("2")


def _payment(hands: Hands) -> None:
    hands.press("F12")
    hands.type("5")


def _attention(hands: Hands) -> None:
    inside(hands.window).open("attention")


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


CUTS = range(1, len(BREAD) + 1)
FEW = list(zip((1, 5, 10, 11, 12, 13), SCREENS, strict=True))


@pytest.mark.parametrize("cases", sampled([FEW, list(product(CUTS, SCREENS))]))
def test_a_scan_that_paused_is_the_article(anew: Anew, cases: list[tuple[int, str]]) -> None:
    """Codes 236, 36, 6 and the like are articles of this shop: none of them is sold."""
    each(("cut", "screen"), cases)(_is_the_article)(anew=anew)


def _is_the_article(anew: Anew, screen: str, cut: int) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    sale, confirmed = (
        inside(hands.window).model.cart.ticket.id,
        inside(hands.window).model.confirmation.last,
    )
    for number, pause in enumerate(PAUSES):
        SCREENS[screen](hands)
        typed = _typed(hands)
        hands.scan(BREAD, cut=cut, pause=pause)
        assert _typed(hands) == typed
        waiting = [code.text for code in inside(hands.window).model.entry.waiting]
        assert waiting in ([], [BREAD])
        for _ in range(6):
            hands.press("Esc")
        lines = inside(hands.window).model.cart.ticket.cart.active
        assert {line.article.frozen.gtin for line in lines} == {BREAD}
        assert sum(int(line.quantity.amount) for line in lines) == number + 2
    assert (
        inside(hands.window).model.cart.ticket.id,
        inside(hands.window).model.confirmation.last,
    ) == (sale, confirmed)


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
    assert {
        line.article.frozen.gtin for line in inside(hands.window).model.cart.ticket.cart.active
    } == {BREAD}


def a_misread_is_said_on_the_sale_and_in_the_payment(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.scan("lot-0016", cut=6, pause=100)
    assert "lot-0016" in hands.notice()
    hands.press("F12")
    hands.scan("lot-0017", cut=6, pause=100)
    layout = layout_of(inside(hands.window).work_area.payment)
    assert "lot-0017" in layout.head.news_text()


LATE = (700, 1_000, 1_500, 2_000)


@pytest.mark.parametrize("cases", together(turns([11, 12], SCREENS)))
def test_a_tail_that_comes_late_makes_the_scan_whole(
    anew: Anew, cases: list[tuple[int, str]]
) -> None:
    """The head was reported as misread; 34 and 4 are articles of this shop, and neither is sold."""
    each(("cut", "screen"), cases)(_is_whole_later)(anew=anew)


def _is_whole_later(anew: Anew, screen: str, cut: int) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    for number, pause in enumerate(LATE):
        SCREENS[screen](hands)
        typed = _typed(hands)
        hands.scan(BREAD, cut=cut, pause=pause)
        assert _typed(hands) == typed
        assert inside(hands.window).model.context.notices == ()
        for _ in range(6):
            hands.press("Esc")
        lines = inside(hands.window).model.cart.ticket.cart.active
        assert [(line.article.frozen.gtin, line.quantity.amount) for line in lines] == [
            (BREAD, number + 2)
        ]
        assert inside(hands.window).model.cart.ticket.missed == ()


@pytest.mark.parametrize("pause", [1_000, 2_000])
def test_the_first_scan_of_a_day_that_breaks_sells_no_other_article(
    hands: Hands, pause: int
) -> None:
    hands.scan(BREAD, cut=12, pause=pause)
    assert inside(hands.window).model.cart.ticket.cart.active == ()
    assert [one.code for one in inside(hands.window).model.cart.ticket.missed] == [BREAD]


@each("cut", [11, 12])
def test_a_number_typed_by_hand_after_a_misread_is_that_number(anew: Anew, cut: int) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    hands.keys.now += 400
    hands.keys.scan(BREAD[:cut], suffix="none")
    hands.keys.now += 1_000
    hands.type(f"{MILK}\r")
    lines = inside(hands.window).model.cart.ticket.cart.active
    assert [line.article.frozen.gtin for line in lines] == [BREAD, "8609951100139"]
    hands.type("34")
    assert inside(hands.window).work_area.sale.search.text() == "34"


HELD = {"Ctrl": 29, "Alt": 56, "AltGr": ALTGR, "Windows": 125}


@pytest.mark.parametrize("cases", together(turns(SCREENS, HELD)))
def test_a_scan_while_a_key_is_held_is_told_and_counted(
    anew: Anew, cases: list[tuple[str, str]]
) -> None:
    each(("screen", "held"), cases)(_is_told_and_counted)(anew=anew)


def _is_told_and_counted(anew: Anew, screen: str, held: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    SCREENS[screen](hands)
    typed = _typed(hands)
    hands.keys.now += 500
    hands.keys.press(HELD[held])
    hands.scan("8609951100139")
    hands.keys.now += 40
    hands.keys.release(HELD[held])
    assert hands.shop.tones.played[-1] == "no"
    assert _typed(hands) == typed
    for _ in range(6):
        hands.press("Esc")
    model = inside(hands.window).model
    assert [line.article.frozen.gtin for line in model.cart.ticket.cart.active] == [BREAD]
    assert [one.code for one in model.cart.ticket.missed] == ["8609951100139"]
    hands.shop.pause()
    hands.pad("+")
    assert model.confirmation.last is None
    if model.cart.ticket.typed_details.paid:  # the payment goes on as it stands, and tells it there
        layout = layout_of(inside(hands.window).work_area.payment)
        assert "1 код није додат" in layout.head.news_text()
        hands.press("Esc")
    else:
        assert hands.notice().startswith("1 код није додат")
    hands.scan("8609951100139")
    assert model.cart.ticket.missed == ()


def what_is_said_of_a_held_key(hands: Hands) -> None:
    hands.keys.press(29)
    hands.scan(BREAD)
    hands.keys.release(29)
    assert f"Док је скениран код {BREAD}, био је притиснут тастер" in hands.notice()
    assert "Отпустите све тастере" in hands.notice()


@each("act", [a_misread_is_said_on_the_sale_and_in_the_payment, what_is_said_of_a_held_key])
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


def _typed(hands: Hands) -> list[str]:
    payment = inside(hands.window).work_area.payment
    amounts = [] if payment.model is None else [str(payment.model.tender.payments)]
    return [inside(hands.window).work_area.sale.search.text(), *amounts]
