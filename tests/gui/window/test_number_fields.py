"""A field for a number takes only a number: another sign is refused with words, and nothing is
lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication, QLineEdit

from tests.gui.inside import inside
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BANANA, BREAD
from tests.sweep import each, together, turns

CREATE = 8


def _edit(hands: Hands) -> QLineEdit:
    found = hands.window.focusWidget()
    assert isinstance(found, QLineEdit)
    return found


def _line(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)


def _quantity(hands: Hands) -> None:
    _line(hands)
    hands.press("F3")


def _price(hands: Hands) -> None:
    _line(hands)
    hands.press("F4")


def _weight(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BANANA)


def _next(hands: Hands) -> None:
    hands.press("F3")


def _new_article(hands: Hands) -> None:
    hands.scan("8600999000014")
    hands.tap_words("Нови артикал")
    hands.type("A")
    hands.press("Enter")


def _payment(hands: Hands) -> None:
    _line(hands)
    hands.press("F12")


def _discount(hands: Hands) -> None:
    _payment(hands)
    hands.press("F4")


PLACES = (_quantity, _price, _weight, _next, _new_article, _payment, _discount)


@pytest.mark.parametrize("cases", together(turns(PLACES, ["a", "+", "-", "*", "pad +", "pad -"])))
def test_another_sign_is_refused_aloud(
    anew: Anew, cases: list[tuple[Callable[[Hands], None], str]]
) -> None:
    each(("opened", "sign"), cases)(_refused_aloud)(anew=anew)


def _refused_aloud(anew: Anew, opened: Callable[[Hands], None], sign: str) -> None:
    hands = anew.begin()
    opened(hands)
    hands.type("12")
    stood = _edit(hands).text()
    hands.shop.tones.played.clear()
    hands.pad(sign[-1]) if sign.startswith("pad") else hands.type(sign)
    assert _edit(hands).text() == stood
    assert hands.shop.tones.played == ["no"]
    assert "само број" in _said(hands)
    hands.type("3")
    assert _edit(hands).text().replace(".", "") == f"{stood}3"
    assert "само број" not in _said(hands)


def it_is_refused_wherever_the_focus_on_the_panel_is(hands: Hands) -> None:
    _price(hands)
    hands.type("1")
    hands.press("Tab")
    hands.type("x")
    hands.type("2")
    assert _edit(hands).text() == "12"
    assert hands.shop.tones.played[-1] == "no"


def what_is_pasted_is_taken_as_a_whole_or_not_at_all(hands: Hands) -> None:
    _quantity(hands)
    hands.type("5")
    QApplication.clipboard().setText("12 kg")
    _edit(hands).paste()
    assert _edit(hands).text() == "5"
    _edit(hands).selectAll()
    QApplication.clipboard().setText("12,5")
    _edit(hands).paste()
    assert _edit(hands).text() == "12,5"


@each(
    "act",
    [
        it_is_refused_wherever_the_focus_on_the_panel_is,
        what_is_pasted_is_taken_as_a_whole_or_not_at_all,
    ],
)
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


def _said(hands: Hands) -> str:
    """The words at the field, or at the payment."""
    edit = _edit(hands)
    return edit.accessibleDescription()
