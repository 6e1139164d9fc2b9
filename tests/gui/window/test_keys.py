"""F1 lists the keys of a question, and keeps what was typed into it."""

from __future__ import annotations

from itertools import product

from pos_app.cashier.ui.buttons import KeyCap
from tests.gui.parts import visible_parts
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD
from tests.sweep import each

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
