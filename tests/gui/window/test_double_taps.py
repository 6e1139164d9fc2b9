"""A double tap, or a tap that began before a page changed, presses no second button.

`tests/gui/crawl/twice.py` presses each control of each scene twice; here are the cases that need
more than one press before, and what may be repeated.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from tests.gui.patience import waited
from tests.gui.taps import moment, tap, tap_twice
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.sweep import each

BREAD, MILK = "8609910700134", "8609951100139"
APART = (80, 250, 390)
"""Milliseconds between the two taps of a double tap."""


def _paid(hands: Hands) -> None:
    """Type the payment of a sale without confirming it."""
    hands.scan(BREAD)
    hands.shop.pause()
    hands.press("F12", "#200")


def _where(hands: Hands, words: str) -> QPoint:
    button = hands.button(words)
    waited(button)
    return button.mapTo(hands.window, button.rect().center())


def _tapped_twice(hands: Hands, words: str, apart: int) -> None:
    """Tap the same point twice, whatever is there by then."""
    tap_twice(hands.window, _where(hands, words), apart=apart)


def pay_does_not_issue(hands: Hands, apart: int) -> None:
    """The payment that was begun before is complete: one more tap would issue the receipt."""
    _paid(hands)
    hands.press("Esc")
    _tapped_twice(hands, "Настави", apart)
    assert (hands.area.is_paying, hands.sale()) == (True, None)
    hands.tap_words("Издај рачун")
    assert hands.sale()


def issue_pays_no_next_sale_and_opens_no_menu(hands: Hands, apart: int) -> None:
    _paid(hands)
    hands.scan(BREAD)
    hands.shop.pause()
    _tapped_twice(hands, "Издај рачун", apart)
    assert (len(hands.sales()), hands.area.is_paying) == (1, False)
    assert hands.model.questions.question is None


def a_panel_does_not_pay(hands: Hands, apart: int) -> None:
    """The keys of payment lie below it; the second tap may be beside the first."""
    hands.scan(BREAD)
    for key, words in (("F3", "Унеси"), ("F4", "Промени")):
        hands.press(key, "#2")
        hands.shop.pause()
        button = hands.button(words)
        waited(button)
        first = button.mapTo(hands.window, QPoint(12, button.height() // 2))
        second = button.mapTo(hands.window, QPoint(button.width() - 12, button.height() - 8))
        tap_twice(hands.window, first, apart=apart, second=second)
        hands.shop.pause()
        assert hands.model.questions.question is None, "the panel took its press"
        assert hands.sale() is None


@each("apart", APART)
@each("act", [pay_does_not_issue, issue_pays_no_next_sale_and_opens_no_menu, a_panel_does_not_pay])
def test_two_taps(anew: Anew, act: Callable[[Hands, int], None], apart: int) -> None:
    act(anew.begin(), apart)


def tiles_that_a_notice_has_moved_take_no_finger(hands: Hands) -> None:
    """A finger moves to a tile, and a notice pushes another one under it."""
    view = hands.area.sale.picker.view
    spot = view.visualRect(hands.area.sale.picker.rows.index(6)).center()
    at = view.viewport().mapTo(hands.window, spot)
    hands.scan("8600999000014")
    QApplication.processEvents()
    assert hands.window.childAt(at) is view.viewport()
    tap(hands.window, at, at=moment())
    assert hands.rows() == []
    waited(view)
    tap(hands.window, at, at=moment())
    assert len(hands.rows()) == 1


# --- what may be repeated ------------------------------------------------------------------------


def the_bin_of_the_row_that_moved_up_takes_no_press(hands: Hands) -> None:
    hands.scan(BREAD, MILK)
    spot, begins = hands.spot_in_row("remove", 1), moment()
    for number in range(2):
        tap(hands.window, spot, at=begins + 120 * number)
    assert len(hands.ticket.cart.active) == 1


# --- keys ----------------------------------------------------------------------------------------


@each(
    "act",
    [tiles_that_a_notice_has_moved_take_no_finger, the_bin_of_the_row_that_moved_up_takes_no_press],
)
def test_what_another_press_does(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
