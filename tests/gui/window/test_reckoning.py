"""A panel that asks for a number shows the price, the result, and the article once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QWidget

from tests.gui.parts import words_on
from tests.gui.window import shop
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.sweep import each


def panel(hands: Hands) -> Any:
    """The question that is asked, whichever it is."""
    found = hands.area.panel
    assert found is not None
    return found


def told(hands: Hands) -> str:
    """Price and result as a screen reader reads them."""
    reckoning: QWidget = panel(hands).reckoning
    assert reckoning.isVisible()
    return reckoning.accessibleName()


def a_weight_tells_price_and_total_as_it_is_typed(hands: Hands) -> None:
    hands.model.entry.enter_code(shop.BANANA)
    assert told(hands) == "189,99 / kg, Укупно –"
    parts = [one for one in panel(hands).findChildren(QWidget) if one.isVisible()]
    words = " | ".join(words for part in parts for words in words_on(part))
    assert words.count(hands.shop.name(shop.BANANA)) == 1, "the article is named once"
    hands.type("1,5")
    assert told(hands) == "189,99 / kg, Укупно 284,99"
    hands.type("6")
    assert told(hands) == "189,99 / kg, Укупно 296,38"
    hands.press("Backspace")
    hands.tap_words("6")  # the pad counts as typing
    assert told(hands).endswith("296,38")
    hands.press("Enter")
    assert hands.rows() == ["1,560 × Банана, 296,38"]


@each(
    ("part", "typed", "comes_to"),
    [
        (0, "20", "839,98"),
        (1, "50", "999,97"),
        (2, "300", "900,00"),
        (0, "101", "–"),
        (1, "1050", "–"),
        (1, "0", "–"),
    ],
)
def test_a_discount_tells_what_the_line_comes_to(
    anew: Anew, part: int, typed: str, comes_to: str
) -> None:
    hands = anew.begin()
    hands.type("3*")
    hands.model.entry.enter_code(shop.COFFEE)
    hands.press("F4")
    hands.choose(panel(hands).segment, part)
    assert told(hands) == "3 × 349,99 / ком, Укупно –"
    hands.type(typed)
    assert told(hands) == f"3 × 349,99 / ком, Укупно {comes_to}"
    hands.press("Enter")
    if comes_to == "–":
        assert panel(hands).field.error()
        assert hands.shop.tones.played[-1] == "no"
    else:
        assert hands.rows() == [f"3 × Кафа млевена Златна 200 g, {comes_to}"]


def an_amount_off_a_line_is_on_the_receipt_to_the_para(hands: Hands) -> None:
    hands.scan(shop.CHEESE_WEIGHED)
    hands.press("F4")
    hands.choose(panel(hands).segment, 1)
    hands.press("#20,39", "Enter")
    assert hands.rows() == ["0,412 × Сир млади домаћи, 350,00"]
    hands.pay("-")
    assert str(hands.sold().total) == "350.00"


@each(
    "act",
    [
        a_weight_tells_price_and_total_as_it_is_typed,
        an_amount_off_a_line_is_on_the_receipt_to_the_para,
    ],
)
def test_what_it_comes_to(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
