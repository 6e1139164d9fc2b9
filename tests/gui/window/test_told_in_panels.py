"""News that come while a question covers the notices are shown on it; typed text is untouched."""

from __future__ import annotations

from collections.abc import Callable

from tests.gui.inside import inside
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BANANA
from tests.sweep import each

BREAD_EAN, UNKNOWN = "8609910700134", "8600999000014"


def _weight(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BANANA)
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
    panel = inside(hands.window).work_area.panel
    assert panel is not None
    if panel.notice is None:
        return ""
    assert panel.notice.isVisible()
    return panel.notice.accessibleName()


@each("opened", PANELS)
def test_a_misread_is_said_on_the_panel(anew: Anew, opened: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD_EAN)
    hands.shop.clock.go_on(10_000)
    PANELS[opened](hands)
    panel = inside(hands.window).work_area.panel
    assert panel is not None
    before, focus = panel.entries(), hands.window.focusWidget()
    assert _said(hands) == ""
    hands.scan("lot-0016", cut=6, pause=100)
    assert "lot-0016" in _said(hands)
    assert hands.shop.tones.played[-1] == "no"
    assert inside(hands.window).work_area.panel is panel
    assert (panel.entries(), hands.window.focusWidget()) == (before, focus)
    hands.type("5")
    assert panel.entries() == {**before, "text": before["text"] + "5"}


def a_broken_scan_that_goes_on_is_said_once(hands: Hands) -> None:
    _weight(hands)
    hands.scan("lot-0016", cut=6, pause=500)
    assert "lot-0016" in _said(hands)
    assert "Још" not in _said(hands)
    hands.keys.now += 1_000
    hands.scan("lot-0017", cut=6, pause=100)
    assert "lot-0017" in _said(hands)
    assert "Још 1 код није додат" in _said(hands)


def a_list_says_it_too(hands: Hands) -> None:
    hands.press("F9")
    hands.scan("lot-0016", cut=6, pause=100)
    assert "lot-0016" in _said(hands)


def what_waited_and_came_to_nothing_is_said_on_the_next_question(hands: Hands) -> None:
    """Both are entered at once: the second question would cover the words about the first."""
    _weight(hands)
    hands.scan(UNKNOWN)
    hands.scan(BREAD_EAN)
    hands.window.on_scan(BANANA)
    hands.press("Enter")
    assert inside(hands.window).model.questions.is_asked
    assert UNKNOWN in _said(hands)


def a_question_right_after_an_unknown_code_does_not_hide_it(hands: Hands) -> None:
    hands.scan(UNKNOWN)
    hands.window.on_scan(BANANA)
    assert UNKNOWN in _said(hands)


def what_was_told_long_ago_is_not_said_again(hands: Hands) -> None:
    hands.scan(UNKNOWN)
    hands.shop.clock.go_on(10_000)
    _weight(hands)
    assert _said(hands) == ""


def test_it_is_said_in_another_language_too(hands: Hands) -> None:
    _weight(hands)
    hands.scan("lot-0016", cut=6, pause=100)
    hands.window.change(language="en")
    assert "lot-0016" in _said(hands)


def the_sale_shows_it_until_it_was_read(hands: Hands) -> None:
    _weight(hands)
    hands.scan("lot-0016", cut=6, pause=100)
    hands.press("Esc")
    assert "lot-0016" in hands.notice()
    hands.press("Esc")
    assert hands.notice() == ""


@each(
    "act",
    [
        a_broken_scan_that_goes_on_is_said_once,
        a_list_says_it_too,
        what_waited_and_came_to_nothing_is_said_on_the_next_question,
        a_question_right_after_an_unknown_code_does_not_hide_it,
        what_was_told_long_ago_is_not_said_again,
        the_sale_shows_it_until_it_was_read,
    ],
)
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
