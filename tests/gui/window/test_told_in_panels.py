"""News that come while a question covers the notices are shown on it; typed text is untouched."""

from __future__ import annotations

from collections.abc import Callable

from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BANANA
from tests.sweep import each

BREAD_EAN, UNKNOWN = "8609910700134", "8600999000014"


def _weight(hands: Hands) -> None:
    hands.model.entry.enter_code(BANANA)
    hands.type("1,2")


def _weight_while_paying(hands: Hands) -> None:
    hands.press("F12")
    _weight(hands)


def _quantity(hands: Hands) -> None:
    hands.press("F3")
    hands.type("1,2")


def _discount(hands: Hands) -> None:
    hands.press("F4")
    hands.type("1,2")


PANELS: dict[str, Callable[[Hands], None]] = {
    "weight": _weight,
    "weight, while paying": _weight_while_paying,
    "quantity": _quantity,
    "discount": _discount,
}


def _said(hands: Hands) -> str:
    """The news on the panel, "" for none."""
    panel = hands.area.panel
    assert panel is not None
    if panel.notice is None:
        return ""
    assert panel.notice.isVisible()
    return panel.notice.accessibleName()


@each("opened", PANELS)
def test_a_misread_is_said_on_the_panel_and_typed_text_is_untouched(
    anew: Anew, opened: str
) -> None:
    """The sale shows it until it was read."""
    hands = anew.begin()
    hands.scan(BREAD_EAN)
    hands.scan(UNKNOWN)
    hands.shop.clock.go_on(10_000)
    PANELS[opened](hands)
    panel = hands.area.panel
    assert panel is not None
    before, focus = panel.entries(), hands.window.focusWidget()
    assert _said(hands) == "", "what was told long ago is not said again"
    hands.scan("lot-0016", cut=6, pause=500)  # it goes on, and is said once
    assert "lot-0016" in _said(hands)
    assert "Још" not in _said(hands)
    assert hands.shop.tones.played[-1] == "no"
    assert hands.area.panel is panel
    assert (panel.entries(), hands.window.focusWidget()) == (before, focus)
    hands.type("5")
    assert panel.entries() == {**before, "text": before["text"] + "5"}
    hands.keys.now += 1_000
    hands.scan("lot-0017", cut=6, pause=100)
    assert "lot-0017" in _said(hands)
    assert "Још 1 код није додат" in _said(hands)
    hands.press("Esc")
    if not hands.area.is_paying:
        assert "lot-0017" in hands.notice()


def a_list_says_it_too(hands: Hands) -> None:
    hands.press("F9")
    hands.scan("lot-0016", cut=6, pause=100)
    assert "lot-0016" in _said(hands)


def a_question_right_after_an_unknown_code_does_not_hide_it(hands: Hands) -> None:
    """Both are entered at once: the next question would cover the words about the code."""
    hands.scan(UNKNOWN)
    hands.window.on_scan(BANANA)
    assert UNKNOWN in _said(hands)
    hands.scan("8600999000021")
    hands.scan(BREAD_EAN)
    hands.window.on_scan(BANANA)
    hands.type("1,2")
    hands.press("Enter")
    assert hands.model.questions.is_asked
    assert "8600999000021" in _said(hands)
    hands.window.change(language="en")
    assert "8600999000021" in _said(hands)


@each("act", [a_list_says_it_too, a_question_right_after_an_unknown_code_does_not_hide_it])
def test_what_covers_it_says_it(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
