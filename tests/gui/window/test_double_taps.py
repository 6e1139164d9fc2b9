"""A double tap, or a tap that began before a page changed, presses no second button.

`tests/gui/crawl/twice.py` presses each control of each scene twice; here are the cases that need
more than one press before, and what may be repeated.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from tests.gui.patience import waited
from tests.gui.taps import moment, strike, strike_twice, tap, tap_twice
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
    hands.press("F12")
    hands.type("200")


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


def done_with_a_page_does_not_issue(hands: Hands, apart: int) -> None:
    _paid(hands)
    hands.press("F5")
    _tapped_twice(hands, "Готово", apart)
    assert (hands.area.is_paying, hands.sale()) == (True, None)


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
        hands.press(key)
        hands.type("2")
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
@each(
    "act",
    [
        pay_does_not_issue,
        done_with_a_page_does_not_issue,
        issue_pays_no_next_sale_and_opens_no_menu,
        a_panel_does_not_pay,
    ],
)
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


# --- a finger after keys -------------------------------------------------------------------------


def _finger(hands: Hands, words: str) -> None:
    """Tap a button at once, without waiting for its rest."""
    button = hands.button(words)
    tap(hands.window, button.mapTo(hands.window, button.rect().center()), at=moment())


def a_finger_takes_what_a_key_opened_and_digits_filled_in(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F4")
    hands.type("50")
    _finger(hands, "Промени")
    assert hands.model.questions.question is None
    assert str(hands.ticket.cart.total) == "29.50"


def what_a_finger_opened_takes_no_finger_at_once(hands: Hands) -> None:
    """The finger is elsewhere, so that only the rest of the big button keeps it from acting."""
    _paid(hands)
    hands.press("Esc")
    waited(hands.button("Настави"))
    _finger(hands, "Настави")
    other = hands.button("Издај рачун")
    corner = other.mapTo(hands.window, QPoint(10, other.height() // 2))
    tap(hands.window, corner, at=moment())
    assert hands.sale() is None


# --- what may be repeated ------------------------------------------------------------------------


def keys_of_the_pad_type_at_each_tap(hands: Hands) -> None:
    """Fast fingers hit two keys near the line between them."""
    hands.scan(BREAD)
    hands.press("F3")
    _tapped_twice(hands, "5", 90)
    five, six = hands.button("5"), hands.button("6")
    first = five.mapTo(hands.window, QPoint(five.width() - 4, five.height() // 2))
    second = six.mapTo(hands.window, QPoint(4, six.height() // 2))
    tap_twice(hands.window, first, apart=90, second=second)
    assert hands.area.panel.entries()["text"] == "5556"


def plus_and_a_tile_act_at_each_tap(hands: Hands) -> None:
    hands.scan(BREAD)
    view, begins = hands.area.sale.picker.view, moment()
    tile = view.visualRect(hands.area.sale.picker.rows.index(6)).center()
    waited(view)
    for spot in (hands.spot_in_row("plus", 0), view.viewport().mapTo(hands.window, tile)):
        for number in range(3):
            begins += 120
            tap(hands.window, spot, at=begins, is_second=number % 2 == 1)
        begins += 1_000
    assert [str(one.quantity) for one in hands.ticket.cart.active] == ["4", "3"]


def the_bin_of_the_row_that_moved_up_takes_no_press(hands: Hands) -> None:
    for code in (BREAD, MILK):
        hands.scan(code)
    spot, begins = hands.spot_in_row("remove", 1), moment()
    for number in range(2):
        tap(hands.window, spot, at=begins + 120 * number)
    assert len(hands.ticket.cart.active) == 1


# --- keys ----------------------------------------------------------------------------------------


def f12_struck_twice_or_held_only_opens_the_payment(hands: Hands) -> None:
    _paid(hands)
    hands.press("Esc")
    strike_twice(hands.window, Qt.Key.Key_F12, apart=150)
    assert (hands.area.is_paying, hands.sale()) == (True, None)
    hands.press("Esc")
    begins = moment()
    for number in range(8):
        strike(hands.window, Qt.Key.Key_F12, at=begins + 500 * number, is_repeat=number > 0)
    assert (hands.area.is_paying, hands.sale()) == (True, None)


def enter_struck_twice_in_a_panel_does_not_pay(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.shop.pause()
    hands.press("F3")
    hands.type("2")
    strike_twice(hands.window, Qt.Key.Key_Return, "\r", apart=150)
    assert (hands.model.questions.question, hands.sale()) == (None, None)


@each(
    "act",
    [
        tiles_that_a_notice_has_moved_take_no_finger,
        a_finger_takes_what_a_key_opened_and_digits_filled_in,
        what_a_finger_opened_takes_no_finger_at_once,
        keys_of_the_pad_type_at_each_tap,
        plus_and_a_tile_act_at_each_tap,
        the_bin_of_the_row_that_moved_up_takes_no_press,
        f12_struck_twice_or_held_only_opens_the_payment,
        enter_struck_twice_in_a_panel_does_not_pay,
    ],
)
def test_what_another_press_does(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
