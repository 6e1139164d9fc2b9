"""A scan with one pause, at every position, on every screen: it is that article, or reported as
misread."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from tests.gui.inside import inside
from tests.gui.scanner.wedge import ALTGR
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import MILK
from tests.sweep import each, sampled

BREAD, MILK_EAN = "8609910700134", "8609951100139"
PAUSES = (60, 200, 400)


def _nothing(hands: Hands) -> None:
    hands.press("Esc")


def _search(hands: Hands) -> None:
    hands.type("sir")


def _quantity(hands: Hands) -> None:
    hands.model.entry.enter_code("16")
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


def _back(hands: Hands) -> None:
    for _ in range(6):
        hands.press("Esc")


def _bought(hands: Hands) -> list[tuple[str | None, int]]:
    lines = hands.ticket.cart.active
    return [(line.article.frozen.gtin, int(line.quantity.amount)) for line in lines]


@pytest.mark.parametrize("cases", sampled([FEW, list(product(CUTS, SCREENS))]))
def test_a_scan_that_paused_is_the_article(anew: Anew, cases: list[tuple[int, str]]) -> None:
    """Codes 236, 36, 6 and the like are articles of this shop: none of them is sold."""
    each(("cut", "screen"), cases)(_is_the_article)(anew=anew)


def _is_the_article(anew: Anew, screen: str, cut: int) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    sale = hands.ticket.id
    for number, pause in enumerate(PAUSES):
        SCREENS[screen](hands)
        typed = _typed(hands)
        hands.scan(BREAD, cut=cut, pause=pause)
        assert _typed(hands) == typed
        assert [code.text for code in hands.model.entry.waiting] in ([], [BREAD])
        _back(hands)
        assert {gtin for gtin, _ in _bought(hands)} == {BREAD}
        assert sum(pieces for _, pieces in _bought(hands)) == number + 2
    assert (hands.ticket.id, hands.sale()) == (sale, None)


@each("screen", SCREENS)
def test_a_tail_that_comes_late_makes_the_scan_whole(anew: Anew, screen: str) -> None:
    """The head was reported as misread; 34 and 4 are articles of this shop, and neither is sold."""
    hands = anew.begin()
    hands.scan(BREAD)
    for number, (cut, pause) in enumerate(((11, 700), (12, 1_000), (11, 1_500), (12, 2_000))):
        SCREENS[screen](hands)
        typed = _typed(hands)
        hands.scan(BREAD, cut=cut, pause=pause)
        assert _typed(hands) == typed
        assert hands.model.context.notices == ()
        _back(hands)
        assert _bought(hands) == [(BREAD, number + 2)]
        assert hands.ticket.missed == ()


@each("pause", [1_000, 2_000])
def test_the_first_scan_of_a_day_that_breaks_sells_no_other_article(anew: Anew, pause: int) -> None:
    hands = anew.begin()
    hands.scan(BREAD, cut=12, pause=pause)
    assert _bought(hands) == []
    assert [one.code for one in hands.ticket.missed] == [BREAD]


@each("cut", [11, 12])
def test_a_number_typed_by_hand_after_a_misread_is_that_number(anew: Anew, cut: int) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    hands.keys.now += 400
    hands.keys.scan(BREAD[:cut], suffix="none")
    hands.keys.now += 1_000
    hands.type(f"{MILK}\r")
    assert _bought(hands) == [(BREAD, 1), (MILK_EAN, 1)]
    hands.type("34")
    assert hands.area.sale.search.text() == "34"


HELD = {"Ctrl": 29, "Alt": 56, "AltGr": ALTGR, "Windows": 125}


@each(("screen", "held"), zip(SCREENS, [*HELD, *HELD], strict=False))
def test_a_scan_while_a_key_is_held_is_told_and_counted(anew: Anew, screen: str, held: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    SCREENS[screen](hands)
    typed = _typed(hands)
    hands.keys.now += 500
    hands.keys.press(HELD[held])
    hands.scan(MILK_EAN)
    hands.keys.now += 40
    hands.keys.release(HELD[held])
    assert hands.shop.tones.played[-1] == "no"
    assert _typed(hands) == typed
    if screen == "sale":
        assert f"Док је скениран код {MILK_EAN}, био је притиснут тастер" in hands.notice()
        assert "Отпустите све тастере" in hands.notice()
    _back(hands)
    assert _bought(hands) == [(BREAD, 1)]
    assert [one.code for one in hands.ticket.missed] == [MILK_EAN]
    hands.shop.pause()
    hands.pad("+")
    assert hands.sale() is None
    if hands.area.is_paying:  # the payment goes on as it stands, and tells it there
        assert "1 код није додат" in hands.paying.head.news_text()
        hands.press("Esc")
    else:
        assert hands.notice().startswith("1 код није додат")
    hands.scan(MILK_EAN)
    assert hands.ticket.missed == ()


def _typed(hands: Hands) -> list[str]:
    payment = hands.area.payment
    amounts = [] if payment.model is None else [str(payment.model.tender.payments)]
    return [hands.area.sale.search.text(), *amounts]
