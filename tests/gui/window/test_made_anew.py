"""A theme or a language that is chosen in the menu is kept, and letters search the menu."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent

from pos_app import settings
from tests.gui.pictures import settle
from tests.gui.window.hands import Hands


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
