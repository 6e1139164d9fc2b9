"""A code that sold nothing is not forgotten when the sale is paid."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.gui.inside import inside
from tests.gui.parts import layout_of
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD
from tests.sweep import each, sampled, together, turns

BREAD_EAN, UNKNOWN = "8609910700134", "8600999000014"


@pytest.mark.parametrize("key", sampled(["+", "-"]))
def test_a_payment_key_asks_once(hands: Hands, key: str) -> None:
    hands.scan(BREAD_EAN)
    hands.scan(UNKNOWN)
    hands.press("Esc")
    hands.shop.pause()
    hands.pad(key)
    assert inside(hands.window).model.confirmation.last is None
    assert hands.notice().startswith("1 код није додат")
    assert hands.shop.tones.played[-1] == "attention"
    hands.press("Esc")
    hands.pad(key)
    assert inside(hands.window).model.confirmation.last is not None


def test_one_more_code_is_asked_about_again_and_the_next_sale_begins_without(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    hands.scan(UNKNOWN)
    hands.shop.pause()
    hands.pad("+")
    hands.scan("8600999000021")
    hands.shop.pause()
    hands.pad("+")
    assert hands.notice().startswith("2 кода нису додата")
    hands.pad("+")
    assert inside(hands.window).model.confirmation.last is not None
    hands.scan(BREAD_EAN)
    hands.shop.pause()
    sale = inside(hands.window).model.cart.ticket.id
    hands.pad("+")
    assert inside(hands.window).model.cart.ticket.id != sale


def test_what_was_misread_and_scanned_again_is_not_missed(hands: Hands) -> None:
    hands.scan("lot-0016", cut=6, pause=100)
    hands.keys.now += 1_000
    hands.scan(BREAD_EAN)
    hands.shop.pause()
    hands.pad("+")
    assert inside(hands.window).model.confirmation.last is not None


def what_was_misread_and_left_is_asked_about(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.scan("lot-0016", cut=6, pause=100)
    hands.shop.pause()
    hands.pad("+")
    assert hands.notice().startswith("1 код није додат")


def the_payment_shows_it(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    hands.scan(UNKNOWN)
    hands.press("F12")
    layout = layout_of(inside(hands.window).work_area.payment)
    assert "1 код није додат" in layout.head.news_text()
    hands.type("200")
    assert "1 код није додат" in layout.head.news_text()


def _missed(hands: Hands) -> list[str]:
    return [one.code for one in inside(hands.window).model.cart.ticket.missed]


@pytest.mark.parametrize("cases", together(turns(range(40, 700, 60), [4, 5, 6, 7])))
def test_the_parts_of_one_broken_scan_are_one(anew: Anew, cases: list[tuple[int, int]]) -> None:
    each(("pause", "cut"), cases)(_parts_are_one)(anew=anew)


def _parts_are_one(anew: Anew, cut: int, pause: int) -> None:
    hands = anew.begin()
    hands.scan(BREAD_EAN)
    hands.scan("lot-00160", cut=cut, pause=pause)
    assert _missed(hands) == ["lot-00160"]
    assert "lot-00160" in hands.notice()
    assert len(inside(hands.window).model.context.notices) == 1
    hands.press("Esc")
    hands.shop.pause()
    hands.pad("+")
    assert hands.notice().startswith("1 код није додат")


def three_parts_are_one_too(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    hands.keys.now += 1_000
    for part in ("lot-", "0016", "0"):
        hands.keys.scan(part, suffix="enter" if part == "0" else "none")
        hands.keys.now += 500
    assert _missed(hands) == ["lot-00160"]


def two_broken_scans_are_two(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    for code in ("lot-0016", "lot-0017"):
        hands.keys.now += 1_000
        hands.scan(code, cut=6, pause=500)
    assert _missed(hands) == ["lot-0016", "lot-0017"]


def what_was_misread_and_is_nobody_s_when_scanned_again_is_one(hands: Hands) -> None:
    hands.scan("lot-0016", cut=6, pause=100)
    hands.keys.now += 1_000
    hands.scan(UNKNOWN)
    assert _missed(hands) == [UNKNOWN]


def the_paper_of_a_receipt_is_no_goods(hands: Hands) -> None:
    hands.scan("https://suf.purs.gov.rs/v/?vl=A1VFNE")
    assert hands.shop.tones.played[-1] == "no"
    assert _missed(hands) == []


@each(
    "act",
    [
        what_was_misread_and_left_is_asked_about,
        the_payment_shows_it,
        three_parts_are_one_too,
        two_broken_scans_are_two,
        what_was_misread_and_is_nobody_s_when_scanned_again_is_one,
        the_paper_of_a_receipt_is_no_goods,
    ],
)
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
