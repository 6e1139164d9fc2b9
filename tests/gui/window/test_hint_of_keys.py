"""The sale shows quietly, where typing begins, that F1 lists the keys."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from pos_app.cashier.sale.questions import KeysOfScreen
from pos_app.cashier.texts.lookup import LANGUAGES
from pos_app.cashier.ui.buttons import KeyCap
from pos_app.cashier.ui.metrics import TouchMm
from tests.gui.inside import inside
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, Shop
from tests.sweep import diagonals, each, sampled, turns


@pytest.mark.parametrize(
    ("language", "sizes"), sampled(product(LANGUAGES, diagonals([1024, 1366], [15, 9, 12])))
)
def test_the_sale_hints_at_f1(
    shop_data: Path, sell_in: SellIn, sizes: tuple[int, TouchMm], language: str
) -> None:
    width, touch = sizes
    shop = Shop(shop_data)
    hands = sell_in(shop, width=width, touch=touch)
    hands.window.change(language=language)  # type: ignore[arg-type]
    row = inside(hands.window).work_area.sale.search
    hint, field = row.hint, row.search
    assert hint.isVisible()
    assert hint.accessibleName().startswith("F1 ")
    placeholder = field.edit.fontMetrics().horizontalAdvance(field.edit.placeholderText())
    assert field.edit.x() + placeholder < hint.x()
    assert field.rect().contains(hint.geometry())
    shop.close()


def it_gives_way_to_what_is_typed(hands: Hands) -> None:
    hint = inside(hands.window).work_area.sale.search.hint
    hands.type("s")
    assert not hint.isVisible()
    hands.press("Backspace")
    assert hint.isVisible()


def a_mode_has_the_field_for_its_own_words(hands: Hands) -> None:
    hands.press("F9")
    hands.type("2")
    row = inside(hands.window).work_area.sale.search
    placeholder = row.search.edit.fontMetrics().horizontalAdvance(row.search.edit.placeholderText())
    assert not row.hint.isVisible() or row.search.edit.x() + placeholder < row.hint.x()


def f1_does_what_it_hints_at(hands: Hands) -> None:
    hands.press("F1")
    assert isinstance(inside(hands.window).model.questions.question, KeysOfScreen)


QUESTIONS = {
    "F3": ({"цифре", "Enter", "Esc"}, "2"),
    "F4": ({"цифре", "Enter", "Esc"}, "5"),
    "unusual": ({"F12", "Enter", "Esc"}, ""),
}


@pytest.mark.parametrize(("asked", "back"), turns(QUESTIONS, ["Esc", "F1", "Enter"]))
def test_f1_in_a_question_shows_its_keys_and_keeps_what_was_typed(
    hands: Hands, asked: str, back: str
) -> None:
    promised, typed = QUESTIONS[asked]
    inside(hands.window).model.entry.enter_code(BREAD)
    if asked == "unusual":
        hands.press("F3")
        hands.type("412")
        hands.press("Enter")
    else:
        hands.press(asked)
        hands.type(typed)
    question = inside(hands.window).model.questions.question
    hands.press("F1")
    assert promised <= caps(hands)
    assert "F6" not in caps(hands)
    hands.press(back)
    assert inside(hands.window).model.questions.question is question
    assert "F1" not in caps(hands)
    panel = inside(hands.window).work_area.panel
    assert panel is not None
    assert list(panel.entries().values())[:1] == ([typed] if typed else [])


def caps(hands: Hands) -> set[str]:
    panel = inside(hands.window).work_area.panel
    assert panel is not None
    return {cap.accessibleName() for cap in panel.findChildren(KeyCap) if cap.isVisible()}


def a_press_on_it_is_one_on_the_field(hands: Hands) -> None:
    row = inside(hands.window).work_area.sale.search
    assert row.search.childAt(row.hint.geometry().center()) is row.search.edit


@each(
    "act",
    [
        it_gives_way_to_what_is_typed,
        a_mode_has_the_field_for_its_own_words,
        f1_does_what_it_hints_at,
        a_press_on_it_is_one_on_the_field,
    ],
)
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
