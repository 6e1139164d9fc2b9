"""The big button of the payment names the effect of the next Enter, or of a tap on it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.patience import waited
from tests.gui.taps import tap_twice
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD
from tests.sweep import each


def says(hands: Hands) -> str:
    """The word and amount on the big button, as a screen reader reads them."""
    return hands.paying.issue.accessibleName()


def paying(hands: Hands) -> None:
    """Open the payment of one bread."""
    hands.scan("8609910700134")
    hands.shop.pause()
    hands.press("F12")


def the_first_enter_takes_the_exact_amount_and_the_second_issues(hands: Hands) -> None:
    paying(hands)
    for told in ("Упиши тачан износ 59,00", "Издај рачун 58,99"):
        assert (says(hands), hands.sale()) == (told, None)
        hands.press("Enter")
    assert hands.sale()


def what_is_typed_changes_what_it_says(hands: Hands) -> None:
    paying(hands)
    hands.type("50")
    assert says(hands) == "Још 9,00"
    hands.press("Enter")
    assert hands.sale() is None
    hands.press("Del")
    hands.type("200")
    assert says(hands) == "Издај рачун 58,99"
    hands.press("Enter")
    assert hands.sale()


def the_rest_in_another_way_is_told_with_its_amount(hands: Hands) -> None:
    paying(hands)
    hands.tap_words("Картица")
    hands.type("20")
    assert says(hands) == "Упиши остатак 39,00"
    hands.press("Enter")
    assert (says(hands), hands.sale()) == ("Издај рачун 58,99", None)


def a_part_that_is_given_is_the_advance(hands: Hands) -> None:
    for method in ("Готовина", "Картица"):
        hands.choose(hands.top.segment, 1)
        paying(hands)
        hands.tap_words(method)
        for part in ("50", "20"):  # another amount is another advance
            hands.press("Del")
            hands.type(part)
            assert says(hands) == f"Узми као аванс {part},00"
            hands.press("Enter")
            assert says(hands) == f"Издај аванс {part},00"
        hands.press("Enter")
    assert [str(one.total) for one in hands.sales()] == ["20.00", "20.00"]


def cash_that_is_a_part_of_an_advance_is_told_the_way_to_it(hands: Hands) -> None:
    hands.choose(hands.top.segment, 1)
    hands.model.entry.enter_code(BREAD)
    hands.type("20")
    hands.pad("+")
    assert "За мањи аванс: F12, упишите износ, па Enter." in hands.notice()


def a_double_tap_takes_the_amount_over_and_issues_nothing(hands: Hands) -> None:
    paying(hands)
    button = hands.button("Упиши тачан износ")
    waited(button)
    tap_twice(hands.window, button.mapTo(hands.window, button.rect().center()), apart=200)
    assert hands.button("Издај рачун").isVisible()
    assert hands.sale() is None
    hands.tap_words("Издај рачун")
    assert hands.sale()


def a_finger_that_typed_need_not_wait_to_issue(hands: Hands) -> None:
    paying(hands)
    waited(hands.button("Упиши"))
    hands.type("200")
    QTest.mouseClick(hands.button("Издај рачун"), Qt.MouseButton.LeftButton)
    assert hands.sale()


@each(
    "act",
    [
        the_first_enter_takes_the_exact_amount_and_the_second_issues,
        what_is_typed_changes_what_it_says,
        the_rest_in_another_way_is_told_with_its_amount,
        a_part_that_is_given_is_the_advance,
        cash_that_is_a_part_of_an_advance_is_told_the_way_to_it,
        a_double_tap_takes_the_amount_over_and_issues_nothing,
        a_finger_that_typed_need_not_wait_to_issue,
    ],
)
def test_it_does_what_it_says(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
