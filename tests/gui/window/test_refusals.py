"""A refusal is told on the screen where the act was tried, and ends with what it refused."""

from __future__ import annotations

from pos_app.cashier.window.frame import Screen, ScreenEntry
from pos_app.errors import NotAllowed
from pos_app.selling.people.rights import Act
from tests.gui.parts import lines_of
from tests.gui.window.hands import Hands
from tests.gui.window.test_screens_of_the_table import OVER_THE_SALE
from tests.sweep import each

WHY = NotAllowed("other_cart")


def told_on(hands: Hands, screen: Screen) -> bool:
    happened = hands.window.texts.error(WHY).happened
    return any(happened in line for line in lines_of(screen))


@each("entry", OVER_THE_SALE)
def test_each_screen_tells_a_refusal_until_another_act_begins(
    hands: Hands, entry: ScreenEntry
) -> None:
    frame = hands.window.frame
    frame.open(entry.name)
    screen = frame.top
    for tell in (frame.refuse, lambda error: frame.tell_failure(error, of=entry.name)):
        tell(WHY)
        assert told_on(hands, screen), "a refusal is told where the act was tried"
        frame.permit(Act.DRAWER, lambda: None)
        assert not told_on(hands, screen), "another act began"
    frame.go_home()
    assert hands.notice() == "", "nothing of it stays at the sale"


@each("entry", OVER_THE_SALE)
def test_a_failure_of_a_screen_that_was_left_is_told_at_the_sale(
    hands: Hands, entry: ScreenEntry
) -> None:
    hands.window.frame.tell_failure(WHY, of=entry.name)
    assert hands.notice().startswith(hands.window.texts.error(WHY).happened)
    hands.press("Esc")
    assert hands.notice() == ""
