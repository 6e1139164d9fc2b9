"""A panel that asks for a number shows the price, the result, and the article once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QWidget

from tests.gui.inside import inside
from tests.gui.parts import words_on
from tests.gui.window import shop
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.sweep import each


def panel(hands: Hands) -> Any:
    """The question that is asked, whichever it is."""
    found = inside(hands.window).work_area.panel
    assert found is not None
    return found


def told(hands: Hands) -> str:
    """Price and result as a screen reader reads them."""
    reckoning: QWidget = panel(hands).reckoning
    assert reckoning.isVisible()
    return reckoning.accessibleName()


def a_weight_tells_price_and_total_as_it_is_typed(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(shop.BANANA)
    assert told(hands) == "189,99 / kg, Укупно —"
    hands.type("1,5")
    assert told(hands) == "189,99 / kg, Укупно 284,99"
    hands.type("6")
    assert told(hands) == "189,99 / kg, Укупно 296,38"
    hands.press("Enter")
    assert hands.rows() == ["1,560 × Банана, 296,38"]


def the_pad_counts_as_typing(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(shop.BANANA)
    for key in ("2", ",", "5"):
        hands.tap_words(key)
    assert told(hands).endswith("474,98")


def a_quantity_tells_what_the_line_comes_to_with_its_discount(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(shop.COFFEE)
    hands.press("F4")
    hands.type("20")
    hands.press("Enter")
    hands.press("F3")
    assert told(hands) == "349,99 / ком (−20\u00a0%), Укупно 279,99"
    hands.type("3")
    assert told(hands).endswith("Укупно 839,98")
    hands.press("Enter")
    assert hands.rows() == ["3 × Кафа млевена Златна 200 g, 839,98"]


@each(
    ("part", "typed", "comes_to"),
    [
        (0, "20", "839,98"),
        (1, "50", "999,97"),
        (2, "300", "900,00"),
        (0, "101", "—"),
        (1, "1050", "—"),
        (1, "0", "—"),
    ],
)
def test_a_discount_tells_what_the_line_comes_to(
    anew: Anew, part: int, typed: str, comes_to: str
) -> None:
    hands = anew.begin()
    hands.type("3*")
    inside(hands.window).model.entry.enter_code(shop.COFFEE)
    hands.press("F4")
    _choose(hands, part)
    assert told(hands) == "3 × 349,99 / ком, Укупно —"
    hands.type(typed)
    assert told(hands) == f"3 × 349,99 / ком, Укупно {comes_to}"
    hands.press("Enter")
    if comes_to == "—":
        assert panel(hands).field.error()
        assert hands.shop.tones.played[-1] == "no"
    else:
        assert hands.rows() == [f"3 × Кафа млевена Златна 200 g, {comes_to}"]


def test_an_amount_off_a_line_is_on_the_receipt_to_the_para(hands: Hands) -> None:
    hands.scan(shop.CHEESE_WEIGHED)
    hands.press("F4")
    _choose(hands, 1)
    hands.type("20,39")
    hands.press("Enter")
    assert hands.rows() == ["0,412 × Сир млади домаћи, 350,00"]
    hands.shop.pause()
    hands.pad("-")
    last = inside(hands.window).model.confirmation.last
    assert last is not None
    assert str(last.total) == "350.00"


def an_amount_off_a_line_outlives_hold_and_recall(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(shop.COFFEE)
    hands.press("F4")
    _choose(hands, 1)
    hands.type("50")
    hands.press("Enter")
    hands.press("F6")
    hands.press("F6")
    hands.press("Enter")
    assert hands.rows() == ["1 × Кафа млевена Златна 200 g, 299,99"]
    hands.press("F4")
    hands.tap_words("Без попуста")
    assert hands.rows() == ["1 × Кафа млевена Златна 200 g, 349,99"]


@each("question", ["weight", "F3", "F4"])
def test_the_article_is_named_once(anew: Anew, question: str) -> None:
    hands = anew.begin()
    if question == "weight":
        inside(hands.window).model.entry.enter_code(shop.BANANA)
    else:
        inside(hands.window).model.entry.enter_code(shop.BREAD)
        hands.press(question)
    name = hands.shop.name(shop.BANANA if question == "weight" else shop.BREAD)
    assert _words(panel(hands)).replace("\u00a0", " ").count(name) == 1


def the_quantity_of_what_comes_next_has_no_price_yet(hands: Hands) -> None:
    hands.press("F3")
    assert panel(hands).reckoning is None


@each(
    "act",
    [
        a_weight_tells_price_and_total_as_it_is_typed,
        the_pad_counts_as_typing,
        a_quantity_tells_what_the_line_comes_to_with_its_discount,
        an_amount_off_a_line_outlives_hold_and_recall,
        the_quantity_of_what_comes_next_has_no_price_yet,
    ],
)
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


def _choose(hands: Hands, part: int) -> None:
    segment = panel(hands).segment
    hands.choose(segment, part)


def _words(shown: QWidget) -> str:
    parts = [one for one in shown.findChildren(QWidget) if one.isVisible()]
    return " | ".join(words for part in parts for words in words_on(part))
