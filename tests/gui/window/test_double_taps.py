"""A double tap, or a tap that began before a page changed, presses no second button."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtWidgets import QApplication

from pos_app.cashier.sale.questions import More
from tests.gui.inside import inside
from tests.gui.patience import waited
from tests.gui.taps import moment, send_pointer, strike, strike_twice, tap, tap_twice
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.sweep import each, sampled

BREAD = "8609910700134"


def _paid(hands: Hands) -> int:
    """Type the payment of a sale without confirming it; returns its id."""
    hands.scan(BREAD)
    hands.shop.pause()
    hands.press("F12")
    hands.type("200")
    return inside(hands.window).model.cart.ticket.id


def _where(hands: Hands, words: str) -> QPoint:
    button = hands.button(words)
    waited(button)
    return button.mapTo(hands.window, button.rect().center())


@pytest.fixture(params=sampled([80, 250, 390]))
def apart(request: pytest.FixtureRequest) -> int:
    """The time in ms between the two taps of a double tap."""
    return int(request.param)


def _tapped_twice(hands: Hands, words: str, apart: int) -> None:
    """Tap the same point twice, whatever is there by then."""
    tap_twice(hands.window, _where(hands, words), apart=apart)


def test_pay_does_not_issue(hands: Hands, apart: int) -> None:
    """The payment that was begun before is complete: one more tap would issue the receipt."""
    sale = _paid(hands)
    hands.press("Esc")
    _tapped_twice(hands, "Настави", apart)
    assert inside(hands.window).work_area.is_paying
    assert inside(hands.window).model.cart.ticket.id == sale
    hands.tap_words("Издај рачун")
    assert inside(hands.window).model.cart.ticket.id != sale


def test_done_with_a_page_does_not_issue(hands: Hands, apart: int) -> None:
    sale = _paid(hands)
    hands.press("F5")
    _tapped_twice(hands, "Готово", apart)
    assert inside(hands.window).work_area.is_paying
    assert inside(hands.window).model.cart.ticket.id == sale


def test_issue_does_not_pay_the_next_sale(hands: Hands, apart: int) -> None:
    sale = _paid(hands)
    hands.scan(BREAD)
    hands.shop.pause()
    _tapped_twice(hands, "Издај рачун", apart)
    assert inside(hands.window).model.cart.ticket.id != sale
    assert not inside(hands.window).work_area.is_paying


def a_press_that_began_on_the_page_before_is_none(hands: Hands) -> None:
    sale = _paid(hands)
    hands.press("F5")
    done = hands.button("Готово")
    waited(done)
    spot = done.mapTo(hands.window, done.rect().center())
    send_pointer(hands.window, spot, QEvent.Type.MouseButtonPress, at=1_000)
    hands.press("Esc")
    send_pointer(hands.window, spot, QEvent.Type.MouseButtonRelease, at=1_100)
    assert inside(hands.window).model.cart.ticket.id == sale


def tiles_that_a_notice_has_moved_take_no_finger(hands: Hands) -> None:
    """A finger moves to a tile, and a notice pushes another one under it."""
    view = inside(hands.window).work_area.sale.picker.view
    spot = view.visualRect(inside(hands.window).work_area.sale.picker.rows.index(6)).center()
    at = view.viewport().mapTo(hands.window, spot)
    hands.scan("8600999000014")
    QApplication.processEvents()
    assert hands.window.childAt(at) is view.viewport()
    tap(hands.window, at, at=1_000)
    assert hands.rows() == []
    waited(view)
    tap(hands.window, at, at=2_000)
    assert len(hands.rows()) == 1


# --- a panel closes over the keys of payment -----------------------------------------------------


def _quantity(hands: Hands) -> str:
    hands.press("F3")
    hands.type("2")
    return "Унеси"


def _price(hands: Hands) -> str:
    hands.press("F4")
    hands.type("50")
    return "Промени"


@pytest.mark.parametrize("opened", sampled([_quantity, _price]))
def test_a_panel_does_not_pay(hands: Hands, opened: Callable[[Hands], str], apart: int) -> None:
    hands.scan(BREAD)
    hands.shop.pause()
    sale = inside(hands.window).model.cart.ticket.id
    words = opened(hands)
    button = hands.button(words)
    waited(button)
    corner = button.mapTo(hands.window, button.rect().bottomRight())
    for spot in (button.mapTo(hands.window, button.rect().center()), corner - QPoint(8, 8)):
        if inside(hands.window).model.questions.question is None:
            opened(hands)
            waited(hands.button(words))
        tap_twice(hands.window, spot, apart=apart)
        hands.shop.pause()
        assert inside(hands.window).model.questions.question is None, "the panel took its press"
        assert inside(hands.window).model.cart.ticket.id == sale
        assert inside(hands.window).model.confirmation.last is None


def test_a_second_tap_beside_the_first_does_not_pay(hands: Hands, apart: int) -> None:
    """The finger comes down elsewhere within the big key that was there."""
    hands.scan(BREAD)
    hands.shop.pause()
    _quantity(hands)
    button = hands.button("Унеси")
    waited(button)
    first = button.mapTo(hands.window, QPoint(12, button.height() // 2))
    second = button.mapTo(hands.window, QPoint(button.width() - 12, button.height() // 2))
    tap_twice(hands.window, first, apart=apart, second=second)
    assert inside(hands.window).model.confirmation.last is None


def test_issue_does_not_open_the_menu(hands: Hands, apart: int) -> None:
    _paid(hands)
    _tapped_twice(hands, "Издај рачун", apart)
    assert inside(hands.window).model.confirmation.last is not None
    assert inside(hands.window).model.questions.question is None


def test_more_tapped_twice_only_opens(hands: Hands, apart: int) -> None:
    _tapped_twice(hands, "Више", apart)
    assert hands.window.texts.language == "sr-Cyrl"
    assert isinstance(inside(hands.window).model.questions.question, More)


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
    assert inside(hands.window).model.questions.question is None
    assert str(inside(hands.window).model.cart.ticket.cart.total) == "29.50"


def a_finger_ends_a_page_of_the_payment_that_was_typed_into(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F12")
    waited(hands.button("Упиши тачан износ"))
    _finger(hands, "Попуст")
    hands.type("10")
    _finger(hands, "Готово")
    paid = inside(hands.window).work_area.payment.model
    assert paid is not None
    assert str(paid.due) == "53.09"


def what_a_finger_opened_takes_no_finger_at_once(hands: Hands) -> None:
    """The finger is elsewhere, so that only the rest of the big button keeps it from acting."""
    sale = _paid(hands)
    hands.press("Esc")
    waited(hands.button("Настави"))
    _finger(hands, "Настави")
    other = hands.button("Издај рачун")
    corner = other.mapTo(hands.window, QPoint(10, other.height() // 2))
    tap(hands.window, corner, at=moment())
    assert inside(hands.window).model.cart.ticket.id == sale


def what_came_by_itself_after_a_key_takes_no_finger_at_once(hands: Hands) -> None:
    _paid(hands)
    QApplication.processEvents()  # the key has ended
    issue = hands.button("Издај рачун")
    issue.hide()
    issue.show()
    tap(hands.window, issue.mapTo(hands.window, issue.rect().center()), at=moment())
    assert inside(hands.window).work_area.is_paying


# --- what may be repeated ------------------------------------------------------------------------


def _typed(hands: Hands) -> str:
    panel = inside(hands.window).work_area.panel
    assert panel is not None
    return panel.entries()["text"]


def a_key_of_the_pad_types_twice(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F3")
    _tapped_twice(hands, "5", 90)
    assert _typed(hands) == "55"


def neighbours_on_the_pad_type_both(hands: Hands) -> None:
    """Fast fingers hit two keys near the line between them."""
    hands.scan(BREAD)
    hands.press("F3")
    five, six = hands.button("5"), hands.button("6")
    first = five.mapTo(hands.window, QPoint(five.width() - 4, five.height() // 2))
    second = six.mapTo(hands.window, QPoint(4, six.height() // 2))
    tap_twice(hands.window, first, apart=90, second=second)
    assert _typed(hands) == "56"


def plus_adds_at_each_tap(hands: Hands) -> None:
    hands.scan(BREAD)
    spot = hands.spot_in_row("plus", 0)
    for number in range(3):
        tap(hands.window, spot, at=5_000 + 120 * number, is_second=number % 2 == 1)
    assert str(inside(hands.window).model.cart.ticket.cart.active[0].quantity.amount) == "4.000"


def a_tile_sells_at_each_tap(hands: Hands) -> None:
    view = inside(hands.window).work_area.sale.picker.view
    rows = inside(hands.window).work_area.sale.picker.rows
    spot = view.viewport().mapTo(hands.window, view.visualRect(rows.index(6)).center())
    waited(view)
    for number in range(3):
        tap(hands.window, spot, at=5_000 + 120 * number, is_second=number % 2 == 1)
    assert str(inside(hands.window).model.cart.ticket.cart.active[0].quantity.amount) == "3.000"


def the_bin_of_the_row_that_moved_up_takes_no_press(hands: Hands) -> None:
    for code in (BREAD, "8609951100139"):
        hands.scan(code)
    spot = hands.spot_in_row("remove", 1)
    for number in range(2):
        tap(hands.window, spot, at=5_000 + 120 * number)
    assert len(inside(hands.window).model.cart.ticket.cart.active) == 1


# --- keys ----------------------------------------------------------------------------------------


def f12_struck_twice_only_opens_the_payment(hands: Hands) -> None:
    sale = _paid(hands)
    hands.press("Esc")
    strike_twice(hands.window, Qt.Key.Key_F12, apart=150)
    assert inside(hands.window).work_area.is_paying
    assert inside(hands.window).model.cart.ticket.id == sale


def enter_struck_twice_in_a_panel_does_not_pay(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.shop.pause()
    hands.press("F3")
    hands.type("2")
    strike_twice(hands.window, Qt.Key.Key_Return, "\r", apart=150)
    assert inside(hands.window).model.questions.question is None
    assert inside(hands.window).model.confirmation.last is None


def delete_struck_twice_removes_one_row(hands: Hands) -> None:
    for code in (BREAD, "8609951100139"):
        hands.scan(code)
    strike_twice(hands.window, Qt.Key.Key_Delete, apart=150)
    assert len(inside(hands.window).model.cart.ticket.cart.active) == 1


def delete_struck_slowly_removes_both_rows(hands: Hands) -> None:
    for code in (BREAD, "8609951100139"):
        hands.scan(code)
    strike_twice(hands.window, Qt.Key.Key_Delete, apart=450)
    assert inside(hands.window).model.cart.ticket.cart.active == ()


def a_held_enter_acts_once(hands: Hands) -> None:
    sale = _paid(hands)
    hands.press("Esc")
    for number in range(8):
        strike(hands.window, Qt.Key.Key_F12, at=20_000 + 500 * number, is_repeat=number > 0)
    assert inside(hands.window).work_area.is_paying
    assert inside(hands.window).model.cart.ticket.id == sale


def digits_are_typed_as_fast_as_they_come(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F12")
    hands.type("555")
    paid = inside(hands.window).work_area.payment.model
    assert paid is not None
    assert [str(amount) for _, amount in paid.tender.paid] == ["555.00"]


KEYS = [
    f12_struck_twice_only_opens_the_payment,
    enter_struck_twice_in_a_panel_does_not_pay,
    delete_struck_twice_removes_one_row,
    delete_struck_slowly_removes_both_rows,
    a_held_enter_acts_once,
    digits_are_typed_as_fast_as_they_come,
]
FINGER_AFTER_KEYS = [
    a_finger_takes_what_a_key_opened_and_digits_filled_in,
    a_finger_ends_a_page_of_the_payment_that_was_typed_into,
    what_a_finger_opened_takes_no_finger_at_once,
    what_came_by_itself_after_a_key_takes_no_finger_at_once,
]
REPEATED = [
    a_key_of_the_pad_types_twice,
    neighbours_on_the_pad_type_both,
    plus_adds_at_each_tap,
    a_tile_sells_at_each_tap,
    the_bin_of_the_row_that_moved_up_takes_no_press,
]


@each("act", [*REPEATED, *KEYS, *FINGER_AFTER_KEYS])
def test_what_a_second_press_does(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


@each(
    "act",
    [a_press_that_began_on_the_page_before_is_none, tiles_that_a_notice_has_moved_take_no_finger],
)
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
