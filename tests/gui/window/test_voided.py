"""Words confirm a storno, or the end of a sale without a receipt."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pos_app.cashier.ui.notice import NoticeKind
from tests.gui.inside import inside
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, CHEESE_WEIGHED
from tests.sweep import each, sampled

BREAD_EAN, MILK_EAN = "8609910700134", "8609951100139"
VOIDED = "Сторнирано: Хлеб бели Сава 500 g"


def void(hands: Hands, code: str) -> None:
    """Press the menu's key of "Сторно", then scan."""
    hands.press("F9")
    hands.type("2")
    hands.scan(code)


def one_of_two_is_said_with_what_stays(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    hands.scan(BREAD_EAN)
    void(hands, BREAD_EAN)
    assert hands.notice().startswith(f"{VOIDED}, 1 ком, 58,99 У корпи остаје 1 ком.")
    assert inside(hands.window).model.context.notices[-1].level is NoticeKind.INFO
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]


@each("code", [BREAD_EAN, CHEESE_WEIGHED])
def test_the_last_one_is_said_to_be_gone(anew: Anew, code: str) -> None:
    hands = anew.begin()
    hands.scan(MILK_EAN)
    hands.scan(code)
    void(hands, code)
    assert hands.notice().startswith("Сторнирано: ")
    assert "Више није у корпи." in hands.notice()


def a_tile_that_is_voided_by_touch_is_said_too(hands: Hands) -> None:
    hands.tap_article(BREAD)
    hands.press("F9")
    hands.tap_words("један комад мање, скенирањем: Сторно")
    hands.tap_article(BREAD)
    assert hands.notice().startswith(VOIDED)


def a_second_storno_takes_the_place_of_the_first(hands: Hands) -> None:
    for _ in range(3):
        hands.scan(BREAD_EAN)
    void(hands, BREAD_EAN)
    void(hands, BREAD_EAN)
    assert len(inside(hands.window).model.context.notices) == 1
    assert "У корпи остаје 1 ком." in hands.notice()


def add_item(hands: Hands) -> None:
    hands.scan(MILK_EAN)


def hold(hands: Hands) -> None:
    hands.press("F6")


def sell(hands: Hands) -> None:
    hands.shop.pause()
    hands.pad("+")


def read(hands: Hands) -> None:
    hands.press("Esc")


@pytest.mark.parametrize("after", sampled([add_item, sell, hold, read], few=2))
def test_it_goes_with_the_next_act(hands: Hands, after: Callable[[Hands], None]) -> None:
    hands.scan(BREAD_EAN)
    hands.scan(BREAD_EAN)
    void(hands, BREAD_EAN)
    assert hands.notice()
    after(hands)
    assert hands.notice() == ""


def a_sale_that_was_dropped_is_said_with_its_amount(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    hands.press("F9")
    hands.tap_words("са разлогом: Одустани од продаје")
    hands.tap_words("Купац је одустао")
    if inside(hands.window).work_area.panel is not None:
        hands.tap_words("Одустани")
    assert hands.rows() == []
    assert hands.notice().startswith("Од продаје се одустало 58,99 РСД није наплаћено.")
    hands.scan(MILK_EAN)
    assert hands.notice() == ""


# --- more than one notice ------------------------------------------------------------------------


@each(
    ("codes", "told"),
    [(2, "Још 1 код није додат"), (3, "Још 2 кода нису додата"), (6, "Још 5 кодова није додато")],
)
def test_codes_behind_a_code_are_told_as_codes(anew: Anew, codes: int, told: str) -> None:
    hands = anew.begin()
    for number in range(codes):
        hands.scan(f"L0T-{number}")
    assert f" · {told} " in hands.notice()


def codes_that_are_counted_are_not_told_twice(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    hands.scan("L0T-1")
    hands.scan("L0T-2")
    hands.shop.pause()
    hands.pad("+")
    assert hands.notice().startswith("2 кода нису додата Ништа није наплаћено.")


def other_notices_are_told_as_such(hands: Hands) -> None:
    hands.scan("L0T-1")
    hands.window.frame.home.show_bug(KeyError("one"))
    hands.window.frame.home.show_bug(ValueError("another"))
    assert " · Још 2 обавештења " in hands.notice()


@each(
    "act",
    [
        one_of_two_is_said_with_what_stays,
        a_tile_that_is_voided_by_touch_is_said_too,
        a_second_storno_takes_the_place_of_the_first,
        a_sale_that_was_dropped_is_said_with_its_amount,
        codes_that_are_counted_are_not_told_twice,
        other_notices_are_told_as_such,
    ],
)
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
