"""The frame of the window: the list of keys, what the menu chooses, and screens by their table."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent

from pos_app import settings
from pos_app.cashier.catalogue.view import CatalogueScreen
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import KeyCap
from pos_app.cashier.window import till_window as window_module
from pos_app.cashier.window.screens import SCREENS
from tests.gui.parts import visible_parts
from tests.gui.pictures import settle
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


def let_go() -> None:
    """Let Qt delete the widgets that were put away."""
    settle()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    settle()


def test_a_theme_or_language_of_the_menu_is_kept_and_letters_search(hands: Hands) -> None:
    """The next start reads what is kept, however this one ends."""
    window = hands.window
    for label, value in (("theme_words", "more.theme_dark"), ("language", "language.en")):
        hands.press("F9")
        hands.tap_words(f"{window.texts('more.look_words')}: {window.texts('more.look')}")
        let_go()
        hands.tap_words(f"{window.texts(f'more.{label}')}: {window.texts(value)}")
        let_go()
        assert hands.model.questions.question is None
        hands.type("sir")
        assert hands.area.sale.search.text() == "sir"
        hands.press("Esc")
    kept = settings.load(window.services.settings.data).till
    assert (kept.theme, kept.language) == ("dark", "en")


def test_the_window_names_no_screen() -> None:
    """The frame opens screens by the table."""
    words = Path(window_module.__file__).read_text(encoding="utf-8")
    rooms = [entry.home.removeprefix("pos_app.cashier.").split(".")[0] for entry in SCREENS]
    assert [room for room in rooms if f"pos_app.cashier.{room}" in words] == []
    assert CatalogueScreen.__name__ not in words
    assert len(words.splitlines()) <= 400


FILLED, PLAIN = ButtonKind.FILLED, ButtonKind.PLAIN
