"""A code that sold nothing belongs to the cart: paying asks about it, and no restart and no
suspending forgets it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, Shop
from tests.gui.window.test_held_till import held
from tests.sweep import each

BREAD_EAN, MILK_EAN, UNKNOWN = "8609910700134", "8609951100139", "8600999000014"
ASKS = "1 код није додат"


def _begun(hands: Hands) -> None:
    """Scan a bread, and a code that no article has."""
    hands.scan(BREAD_EAN)
    hands.scan(UNKNOWN)
    hands.press("Esc")
    hands.shop.pause()


def _missed(hands: Hands) -> list[str]:
    return [one.code for one in hands.ticket.missed]


def each_payment_key_asks_once(hands: Hands) -> None:
    for key in "+-":
        _begun(hands)
        hands.pad(key)
        assert (hands.rows() != [], hands.shop.tones.played[-1]) == (True, "attention")
        assert hands.notice().startswith(ASKS)
        hands.press("Esc")
        hands.pad(key)
        assert hands.rows() == []
    assert len(hands.sales()) == 2


def one_more_code_is_asked_about_again_and_the_next_sale_begins_without(hands: Hands) -> None:
    _begun(hands)
    hands.pad("+")
    hands.scan("8600999000021")
    hands.shop.pause()
    hands.pad("+")
    assert hands.notice().startswith("2 кода нису додата")
    hands.pad("+")
    assert hands.shop.till.carts.cart_of(hands.sold().cart_id).missed == ()
    hands.scan(BREAD_EAN)
    hands.shop.pause()
    hands.pad("+")
    assert len(hands.sales()) == 2


def what_was_misread_and_scanned_again_is_not_missed(hands: Hands) -> None:
    hands.scan("lot-0016", cut=6, pause=100)
    hands.keys.now += 1_000
    hands.scan(BREAD_EAN)
    hands.shop.pause()
    hands.pad("+")
    assert hands.sale()


def what_was_misread_and_left_is_asked_about(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.scan("lot-0016", cut=6, pause=100)
    hands.shop.pause()
    hands.pad("+")
    assert hands.notice().startswith(ASKS)


def the_payment_shows_it_and_keeps_what_was_typed(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    hands.press("F12")
    hands.type("200")
    before = hands.payment.tender
    hands.scan(UNKNOWN)
    assert UNKNOWN in hands.paying.head.news_text()
    assert (hands.payment.tender, hands.shop.tones.played[-1]) == (before, "no")
    hands.press("Esc")
    hands.press("F12")
    assert ASKS in hands.paying.head.news_text()
    hands.press("Enter")
    assert hands.sold().money_taken.tendered.cash == before.payments.cash


def an_answer_goes_on_beside_it(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    hands.press("F3")
    hands.type("3")
    hands.scan("lot-0016", cut=6, pause=100)
    hands.press("Enter")
    assert hands.rows()[0].startswith("3 ×")


def the_parts_of_one_broken_scan_are_one(hands: Hands) -> None:
    for cut, pause in ((4, 40), (5, 400), (6, 520), (7, 640)):
        hands.scan(BREAD_EAN)
        hands.scan("lot-00160", cut=cut, pause=pause)
        assert _missed(hands) == ["lot-00160"], (cut, pause)
        assert "lot-00160" in hands.notice()
        assert len(hands.model.context.notices) == 1
        hands.press("Esc")
        hands.model.cart.void("test")
        hands.press("Esc")
        hands.keys.now += 3_000


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


def it_goes_aside_with_the_cart_and_comes_back(hands: Hands) -> None:
    _begun(hands)
    hands.press("F6")
    hands.scan(MILK_EAN)
    hands.shop.pause()
    hands.pad("+")
    before = hands.sold()
    hands.press("F6")
    hands.press("Enter")
    hands.pad("+")
    assert hands.sale() == before
    assert hands.notice().startswith(ASKS)


@each(
    "act",
    [
        each_payment_key_asks_once,
        one_more_code_is_asked_about_again_and_the_next_sale_begins_without,
        what_was_misread_and_scanned_again_is_not_missed,
        what_was_misread_and_left_is_asked_about,
        the_payment_shows_it_and_keeps_what_was_typed,
        an_answer_goes_on_beside_it,
        the_parts_of_one_broken_scan_are_one,
        three_parts_are_one_too,
        two_broken_scans_are_two,
        what_was_misread_and_is_nobody_s_when_scanned_again_is_one,
        the_paper_of_a_receipt_is_no_goods,
        it_goes_aside_with_the_cart_and_comes_back,
    ],
)
def test_what_becomes_of_it(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


@pytest.mark.parametrize("is_typed", [False, True])
def test_it_outlives_a_restart(hands: Hands, shop: Shop, sell_in: SellIn, is_typed: bool) -> None:
    hands.scan(BREAD_EAN)
    if is_typed:
        hands.type("99887")
        hands.press("Enter")
    else:
        with held(hands):  # it is stored later where another program holds the file
            hands.scan("lot-0016", cut=6, pause=100)
        hands.keys.now += 1_000
        hands.scan(UNKNOWN)
    again = sell_in(shop)
    again.keys.now = hands.keys.now + 1_000
    assert _missed(again) == ["99887" if is_typed else UNKNOWN]
    again.shop.pause()
    again.pad("+")
    assert again.sale() is None
    assert again.notice().startswith(ASKS)
    again.press("Esc")
    again.pad("+")
    assert again.sale()
