"""The big button of the payment names the effect of the next Enter, or of a tap on it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.inside import inside
from tests.gui.parts import layout_of
from tests.gui.patience import waited
from tests.gui.taps import tap_twice
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD
from tests.sweep import each

BREAD_EAN = "8609910700134"


def says(hands: Hands) -> str:
    """The word and amount on the big button, as a screen reader reads them."""
    layout = layout_of(inside(hands.window).work_area.payment)
    return layout.issue.accessibleName()


def paying(hands: Hands) -> int:
    """Open the payment of one bread; returns the cart's number."""
    hands.scan(BREAD_EAN)
    hands.shop.pause()
    hands.press("F12")
    return inside(hands.window).model.cart.ticket.id


def test_the_first_enter_takes_the_exact_amount_and_the_second_issues(hands: Hands) -> None:
    cart = paying(hands)
    assert says(hands) == "Упиши тачан износ 59,00"
    hands.press("Enter")
    assert inside(hands.window).model.cart.ticket.id == cart
    assert says(hands) == "Издај рачун 58,99"
    hands.press("Enter")
    assert inside(hands.window).model.cart.ticket.id != cart


@each(("typed", "told"), [("50", "Недостаје 9,00"), ("200", "Издај рачун 58,99")])
def test_what_is_typed_changes_what_it_says(anew: Anew, typed: str, told: str) -> None:
    hands = anew.begin()
    cart = paying(hands)
    hands.type(typed)
    assert says(hands) == told
    hands.press("Enter")
    assert (inside(hands.window).model.cart.ticket.id != cart) is told.startswith("Издај")


def the_rest_in_another_way_is_told_with_its_amount(hands: Hands) -> None:
    cart = paying(hands)
    hands.tap_words("Картица")
    hands.type("20")
    assert says(hands) == "Упиши остатак 39,00"
    hands.press("Enter")
    assert says(hands) == "Издај рачун 58,99"
    assert inside(hands.window).model.cart.ticket.id == cart


@pytest.mark.parametrize("method", ["Готовина", "Картица"])
def test_a_part_that_is_given_is_the_advance(hands: Hands, method: str) -> None:
    hands.choose(inside(hands.window).top.segment, 1)
    cart = paying(hands)
    hands.tap_words(method)
    for part in ("50", "20"):  # another amount is another advance
        hands.press("Del")
        hands.type(part)
        assert says(hands) == f"Узми као аванс {part},00"
        hands.press("Enter")
        assert says(hands) == f"Издај аванс {part},00"
    assert inside(hands.window).model.cart.ticket.id == cart
    hands.press("Enter")
    assert str(hands.shop.database.sales.last(1)[0].total) == "20.00"


def cash_that_is_a_part_of_an_advance_is_told_the_way_to_it(hands: Hands) -> None:
    hands.choose(inside(hands.window).top.segment, 1)
    inside(hands.window).model.entry.enter_code(BREAD)
    hands.type("20")
    hands.pad("+")
    assert "За мањи аванс: F12, упишите износ, па Enter." in hands.notice()


def too_much_by_card_is_told_and_enter_issues_nothing(hands: Hands) -> None:
    cart = paying(hands)
    hands.tap_words("Картица")
    hands.type("100")
    assert says(hands) == "Превише 41,01"
    hands.press("Enter")
    assert inside(hands.window).model.cart.ticket.id == cart


@each(
    "act",
    [
        the_rest_in_another_way_is_told_with_its_amount,
        cash_that_is_a_part_of_an_advance_is_told_the_way_to_it,
        too_much_by_card_is_told_and_enter_issues_nothing,
    ],
)
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


def test_a_double_tap_takes_the_amount_over_and_issues_nothing(hands: Hands) -> None:
    cart = paying(hands)
    button = hands.button("Упиши тачан износ")
    waited(button)
    tap_twice(hands.window, button.mapTo(hands.window, button.rect().center()), apart=200)
    assert hands.button("Издај рачун").isVisible()
    assert inside(hands.window).model.cart.ticket.id == cart
    hands.tap_words("Издај рачун")
    assert inside(hands.window).model.cart.ticket.id != cart


def test_a_finger_that_typed_need_not_wait_to_issue(hands: Hands) -> None:
    cart = paying(hands)
    waited(hands.button("Упиши"))
    hands.type("200")
    QTest.mouseClick(hands.button("Издај рачун"), Qt.MouseButton.LeftButton)
    assert inside(hands.window).model.cart.ticket.id != cart
