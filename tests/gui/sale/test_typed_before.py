"""Esc goes back one step and destroys nothing: a question shows the text that was typed before."""

from __future__ import annotations

from collections.abc import Callable

import apsw

from pos_app.cashier.sale import questions
from pos_app.cashier.ui.field import Field
from tests.fakes.faulty_file import refused
from tests.fakes.inner_connection import connection_of
from tests.gui.parts import only, page_in_front
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BANANA, BREAD
from tests.sweep import each

Ask = Callable[[Hands], object]


def field(hands: Hands) -> str:
    panel = hands.area.panel
    assert panel is not None
    return only(panel, Field).text()


def drop(hands: Hands) -> None:
    hands.model.questions.ask(questions.VoidQuestion())


ASKED: dict[str, tuple[Ask, str, str]] = {
    "F3": (lambda hands: hands.press("F3"), "7", "7"),
    "F4": (lambda hands: hands.press("F4"), "15", "15"),
    "next": (lambda hands: hands.model.questions.ask(questions.NextQuantity()), "4", "4"),
    "weighed": (lambda hands: hands.model.entry.enter_code(BANANA), "0,412", "0,412"),
    "drop": (drop, "ode", "ode"),
}


@each(("ask", "typed", "stands"), ASKED.values())
def test_what_was_typed_stands_there_again(anew: Anew, ask: Ask, typed: str, stands: str) -> None:
    hands = anew.begin()
    hands.model.entry.enter_code(BREAD)
    before = (hands.rows(), hands.total())
    ask(hands)
    hands.press(f"#{typed}", "Esc")
    assert hands.model.questions.question is None
    assert (hands.rows(), hands.total()) == before
    ask(hands)
    assert field(hands) == stands
    hands.press("Esc")
    ask(hands)
    assert field(hands) == stands


def what_was_answered_is_asked_afresh(hands: Hands) -> None:
    for key, typed, after in (("F3", "7", "7"), ("F4", "15", "")):
        hands.model.entry.enter_code(BREAD)
        hands.press(key, f"#{typed}", "Esc", key, "Enter")
        assert hands.model.questions.question is None
        hands.press(key)
        assert field(hands) == after
        hands.press("Esc", "F6")


def a_line_that_has_changed_meanwhile_is_asked_afresh(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F3", "#7", "Esc")
    hands.model.entry.enter_code(BREAD)
    hands.press("F3")
    assert field(hands) == "2"


def another_cart_is_asked_afresh_and_the_first_is_not(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    drop(hands)
    hands.press("#ode", "Esc", "F6")
    hands.model.entry.enter_code(BREAD)
    drop(hands)
    assert field(hands) == ""
    hands.press("Esc")
    first = hands.model.cart.suspended()[0].id
    hands.model.cart.recall(first)
    drop(hands)
    assert field(hands) == "ode"


def the_new_price_is_still_a_price(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F4")
    panel = page_in_front(hands.window.frame, "ask.price_head")
    hands.choose(panel.segment, 2)
    hands.press("#49,99", "Esc", "F4")
    again = page_in_front(hands.window.frame, "ask.price_head")
    assert (again.segment.current(), field(hands)) == (2, "49,99")
    hands.press("Enter")
    assert hands.total() == "Укупно 49,99 РСД"


def a_new_article_keeps_all_its_fields(hands: Hands) -> None:
    question = questions.NewArticle("8600999000014")
    hands.model.questions.ask(question)
    panel = page_in_front(hands.window.frame, "ask.create")
    panel.name.set_text("Со")
    panel.price.set_text("55")
    panel.labels.button(2).setChecked(True)
    kept = panel.entries()
    hands.press("Esc")
    hands.model.questions.ask(question)
    again = page_in_front(hands.window.frame, "ask.create")
    assert again.entries() == kept
    hands.press("Esc")
    hands.model.questions.ask(questions.NewArticle("8600999000021"))
    other = page_in_front(hands.window.frame, "ask.create")
    assert other.name.text() == ""


def back_from_a_doubted_number_is_one_step_with_the_number_in_it(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F3", "#86009990", "Enter")
    assert isinstance(hands.model.questions.question, questions.UnusualAmountQuestion)
    hands.press("Esc")
    assert isinstance(hands.model.questions.question, questions.LineQuantity)
    assert field(hands) == "86009990"
    hands.press("Esc")
    assert hands.model.questions.question is None


# --- in payment ----------------------------------------------------------------------------------


def a_discount_on_the_receipt_waits_for_its_enter(hands: Hands) -> None:
    hands.model.entry.enter_code(BREAD)
    hands.press("F12", "F4", "#10", "Esc")
    assert hands.total() == "Укупно 58,99 РСД"
    hands.press("F4", "Enter")
    assert hands.total() == "Укупно 53,09 РСД"


ANSWERED: dict[str, tuple[Ask, str]] = {
    name: (ASKED[name][0], ASKED[name][1]) for name in ("F3", "F4", "weighed", "drop")
}


@each(("ask", "typed"), ANSWERED.values())
def test_what_could_not_be_stored_is_not_lost(anew: Anew, ask: Ask, typed: str) -> None:
    hands = anew.begin()
    hands.model.entry.enter_code(BREAD)
    before = (hands.rows(), hands.total())
    ask(hands)
    hands.type(typed)
    full = apsw.FullError("database or disk is full")
    with refused(connection_of(hands.shop.database.sales), full):
        hands.press("Enter")
    assert hands.notice().startswith("Нема места на диску")
    assert (hands.rows(), hands.total()) == before
    if hands.model.questions.question is None:
        ask(hands)
    assert field(hands) == typed
    hands.press("Enter")
    assert (hands.rows(), hands.total()) != before


@each(
    "act",
    [
        what_was_answered_is_asked_afresh, a_line_that_has_changed_meanwhile_is_asked_afresh,
        another_cart_is_asked_afresh_and_the_first_is_not,
        the_new_price_is_still_a_price,
        a_new_article_keeps_all_its_fields,
        back_from_a_doubted_number_is_one_step_with_the_number_in_it,
        a_discount_on_the_receipt_waits_for_its_enter,
    ],
)  # fmt: skip
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
