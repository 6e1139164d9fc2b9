"""The sale shows quietly, where typing begins, that F1 lists the keys."""

from __future__ import annotations

from itertools import product

from PySide6.QtWidgets import QLineEdit, QWidget

from pos_app.cashier.sale.questions import KeysOfScreen
from pos_app.cashier.texts.lookup import LANGUAGES
from pos_app.cashier.ui.buttons import KeyCap
from tests.gui.parts import visible_parts
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, Shop
from tests.sweep import each


def test_the_sale_hints_at_f1_where_typing_begins(shop: Shop, sell_in: SellIn) -> None:
    """It gives way to what is typed, and to the words of a mode; a press on it is one on the
    field."""
    hands = sell_in(shop, width=1024, touch=15)
    for language in LANGUAGES:
        hands.window.change(language=language)
        row = hands.area.sale.search
        hint, edit = row.hint, row.search.edit

        def beside(hint: QWidget = hint, edit: QLineEdit = edit) -> bool:
            words = edit.fontMetrics().horizontalAdvance(edit.placeholderText())
            return edit.x() + words < hint.x()

        assert hint.isVisible()
        assert hint.accessibleName().startswith("F1 ")
        assert beside()
        assert row.search.rect().contains(hint.geometry())
        assert row.search.childAt(hint.geometry().center()) is edit
        hands.type("s")
        assert not hint.isVisible()
        hands.press("Backspace")
        assert hint.isVisible()
        hands.press("F9")
        hands.type("2")
        assert not hint.isVisible() or beside()
        hands.press("Esc")
    hands.press("F1")
    assert isinstance(hands.model.questions.question, KeysOfScreen)


QUESTIONS = {
    "F3": ({"цифре", "Enter", "Esc"}, "2"),
    "F4": ({"цифре", "Enter", "Esc"}, "5"),
    "unusual": ({"F12", "Enter", "Esc"}, ""),
}


def caps(hands: Hands) -> set[str]:
    assert hands.area.panel is not None
    return {cap.accessibleName() for cap in visible_parts(hands.area.panel, KeyCap)}


@each(("asked", "back"), product(QUESTIONS, ["Esc", "F1", "Enter"]))
def test_f1_in_a_question_shows_its_keys_and_keeps_what_was_typed(
    anew: Anew, asked: str, back: str
) -> None:
    hands = anew.begin()
    promised, typed = QUESTIONS[asked]
    hands.model.entry.enter_code(BREAD)
    hands.press("F3" if asked == "unusual" else asked)
    hands.type(typed or "412")
    if asked == "unusual":
        hands.press("Enter")
    question = hands.model.questions.question
    hands.press("F1")
    assert promised <= caps(hands)
    assert "F6" not in caps(hands)
    hands.press(back)
    assert hands.model.questions.question is question
    assert "F1" not in caps(hands)
    assert hands.area.panel is not None
    assert list(hands.area.panel.entries().values())[:1] == ([typed] if typed else [])
