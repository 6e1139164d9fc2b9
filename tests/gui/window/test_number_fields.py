"""A field for a number takes only a number: another sign is refused with words, and nothing is
lost."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit

from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BANANA, BREAD
from tests.sweep import each


def _edit(hands: Hands) -> QLineEdit:
    found = hands.window.focusWidget()
    assert isinstance(found, QLineEdit)
    return found


def _said(hands: Hands) -> str:
    """The words at the field, or at the payment."""
    return _edit(hands).accessibleDescription()


def _at_line(*keys: str) -> Callable[[Hands], None]:
    def open_by_keys(hands: Hands) -> None:
        hands.model.entry.enter_code(BREAD)
        for key in keys:
            hands.press(key)

    return open_by_keys


def _new_article(hands: Hands) -> None:
    hands.scan("8600999000014")
    hands.tap_words("Нови артикал")
    hands.type("A")
    hands.press("Enter")


PLACES: tuple[Callable[[Hands], object], ...] = (
    _at_line("F3"),
    _at_line("F4"),
    lambda hands: hands.model.entry.enter_code(BANANA),
    lambda hands: hands.press("F3"),
    _new_article,
    _at_line("F12"),
    _at_line("F12", "F4"),
)


@each(("opened", "sign"), zip(PLACES, ["a", "+", "-", "*", "pad +", "pad -", "a"], strict=True))
def test_another_sign_is_refused_aloud(
    anew: Anew, opened: Callable[[Hands], None], sign: str
) -> None:
    hands = anew.begin()
    opened(hands)
    hands.type("12")
    stood = _edit(hands).text()
    hands.shop.tones.played.clear()
    hands.pad(sign[-1]) if sign.startswith("pad") else hands.type(sign)
    assert (_edit(hands).text(), hands.shop.tones.played) == (stood, ["no"])
    assert "само број" in _said(hands)
    hands.type("3")
    assert _edit(hands).text().replace(".", "") == f"{stood}3"
    assert "само број" not in _said(hands)
