"""A key or a tap right after a scan or a tap acts, or the till says that it was not taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.cashier.scanner.decoder import ENTER
from pos_app.cashier.scanner.stamps import stamp_of_now
from pos_app.domain.money.money import Money
from pos_app.settings import ScannerSettings
from tests.gui.inside import inside
from tests.gui.patience import waited
from tests.gui.scanner.wedge import ALTGR, CTRL, F12, PAD_PLUS
from tests.gui.taps import moment, tap, tap_twice
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.sweep import each

BREAD_EAN = "8609910700134"
WATER_EAN = "8609920500236"
NOT_TAKEN = "Тастер није узет"
STALL_MS = 600


@pytest.mark.usefixtures("in_real_time")
def test_enter_after_a_scan_and_the_key_of_payment_is_taken(hands: Hands) -> None:
    QTest.qWait(500)  # the window has stood for a while
    for pause in (50, 200):
        hands.scan(BREAD_EAN)
        for key in (F12, ENTER):
            QTest.qWait(pause)
            hands.keys.now += pause
            hands.keys.tap(key)
        assert hands.paying.issue.accessibleName().startswith("Издај рачун")
        QTest.qWait(420)
        hands.keys.now += 420
        hands.keys.tap(ENTER)
        assert hands.ticket.cart.is_empty


def _tap_after(hands: Hands, place: int, after: int) -> None:
    hands.keys.now += after
    hands.keys.tap(place)


def _sold(hands: Hands) -> int:
    return len(hands.sales())


def _is_told(hands: Hands) -> bool:
    said = hands.paying.head.news_text() if hands.area.is_paying else hands.notice()
    return said.startswith(NOT_TAKEN)


def plus_that_waited_in_a_stall_is_judged_by_when_it_was_pressed(hands: Hands) -> None:
    """The loop was blocked: the clock shows no time between scan and key, their stamps do."""
    for number, after in enumerate((160, 250, 500)):
        hands.scan(BREAD_EAN)
        _tap_after(hands, PAD_PLUS, after)
        assert _sold(hands) == number + 1


def plus_is_taken_again_once_something_was_scanned(hands: Hands) -> None:
    """It is no key that was struck twice, however short the time between."""
    hands.keys.window = hands.window.windowHandle()
    for number in range(3):
        hands.keys.now += 60
        hands.keys.scan(BREAD_EAN, gap=2)
        _tap_after(hands, PAD_PLUS, 160)
        assert _sold(hands) == number + 1


def plus_that_was_pressed_with_the_scan_pays_nothing_and_is_told(hands: Hands) -> None:
    """The hand was under way before the item could be seen, however late the key is handled."""
    for number, after in enumerate((0, 20, 60, 140)):
        hands.scan(BREAD_EAN)
        hands.shop.clock.go_on(STALL_MS)
        _tap_after(hands, PAD_PLUS, after)
        assert (_sold(hands), _is_told(hands)) == (number, True)
        assert hands.shop.tones.played[-1] == "no"
        _tap_after(hands, PAD_PLUS, 100)
        assert (_sold(hands), hands.notice()) == (number + 1, "")


def ctrl_enter_with_a_scan_pays_nothing_and_is_told(hands: Hands) -> None:
    for after in (10, 60, 140):
        hands.scan(BREAD_EAN)
        hands.keys.press(CTRL)
        _tap_after(hands, ENTER, after)
        hands.keys.release(CTRL)
        assert (_sold(hands), _is_told(hands)) == (0, True)
        hands.press("Esc")


def enter_with_a_scan_takes_no_amount_and_is_told(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    hands.press("F12")
    for after in (10, 60, 140):
        hands.scan(BREAD_EAN)
        _tap_after(hands, ENTER, after)
        assert (hands.payment.tender.paid, _is_told(hands)) == ((), True)
    hands.press("Enter")
    assert hands.payment.tender.paid


def enter_after_a_scan_of_a_scanner_without_a_suffix_takes_no_amount(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    hands.press("F12")
    hands.filter.configure(ScannerSettings(suffix="none"))
    hands.keys.scan(BREAD_EAN, suffix="none")
    _tap_after(hands, ENTER, 80)
    assert (hands.payment.tender.paid, _is_told(hands)) == ((), True)
    assert hands.payment.due == Money("117.98")
    hands.filter.configure(ScannerSettings())


def a_finger_on_an_amount_that_a_scan_has_just_changed_is_told(hands: Hands) -> None:
    bar = hands.area.sale.bar
    for button in (bar.exact, bar.card):
        hands.scan(BREAD_EAN)
        hands.tap(button)
        assert (_sold(hands), _is_told(hands)) == (0, True)
    hands.shop.pause()
    hands.tap(bar.exact)
    assert _sold(hands) == 1


def _touched(hands: Hands, button: QWidget, after: int) -> None:
    """Tap a button some ms after the last key, while the till has not yet decided on its keys."""
    spot = button.mapTo(hands.window, button.rect().center())
    hands.keys.now += after
    tap(hands.window, spot, at=hands.keys.now)
    hands.keys.now += 500


def _later(hands: Hands) -> None:
    hands.keys.now += 2000
    hands.shop.clock.go_on(2000)
    hands.keys.window = hands.window.windowHandle()


def what_was_typed_before_a_tap_counts_for_it(hands: Hands) -> None:
    """The keys of a program, as of a remote desktop or a macro pad, are down for no time, so that
    they may be the first part of a scan for a while."""
    hands.scan(BREAD_EAN)
    hands.press("F12", "#100")
    _later(hands)
    hands.keys.scan("0", suffix="none")
    _touched(hands, hands.paying.issue, 250)
    assert hands.sold().money_taken.tendered.total == Money(1000)
    assert hands.area.sale.search.text() == ""


def a_tap_while_a_scan_is_under_way_issues_nothing_and_is_told(hands: Hands) -> None:
    """The suffix comes later; the article is of the sale that the customer stands at."""
    for number, after in enumerate((10, 120, 300)):
        hands.scan(BREAD_EAN)
        _later(hands)
        hands.keys.scan(WATER_EAN, suffix="none")
        _touched(hands, hands.area.sale.bar.exact, after)
        hands.keys.tap(ENTER)
        assert (_sold(hands), len(hands.rows()), _is_told(hands)) == (number, 2, True)
        hands.shop.clock.go_on(2000)
        _touched(hands, hands.area.sale.bar.exact, 1000)
        assert _sold(hands) == number + 1


def a_tap_on_the_payments_button_rests_after_a_scan_and_is_told(hands: Hands) -> None:
    suffixes: tuple[Literal["enter", "none"], ...] = ("enter", "none")
    for number, ended in enumerate(suffixes):
        hands.scan(BREAD_EAN)
        hands.press("F12", "#1000")
        _later(hands)
        hands.keys.scan(BREAD_EAN, suffix=ended)
        _touched(hands, hands.paying.issue, 80)
        assert (_sold(hands), _is_told(hands)) == (number, True)
        assert hands.payment.due == Money("117.98")
        hands.shop.clock.go_on(2000)
        _touched(hands, hands.paying.issue, 1000)
        assert _sold(hands) == number + 1


@each("act", [
    plus_that_waited_in_a_stall_is_judged_by_when_it_was_pressed,
    plus_is_taken_again_once_something_was_scanned,
    plus_that_was_pressed_with_the_scan_pays_nothing_and_is_told,
    ctrl_enter_with_a_scan_pays_nothing_and_is_told, enter_with_a_scan_takes_no_amount_and_is_told,
    enter_after_a_scan_of_a_scanner_without_a_suffix_takes_no_amount,
    a_finger_on_an_amount_that_a_scan_has_just_changed_is_told,
    what_was_typed_before_a_tap_counts_for_it,
    a_tap_while_a_scan_is_under_way_issues_nothing_and_is_told,
    a_tap_on_the_payments_button_rests_after_a_scan_and_is_told,
])  # fmt: skip
def test_what_is_pressed_with_a_scan(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


def _serial_scan_and(hands: Hands, place: int) -> None:
    """Scan bread by the serial port, and press a key 60 ms later: a busy till carries the line out
    after the key was pressed."""
    hands.keys.now = stamp_of_now()
    hands.filter.take_line(BREAD_EAN, is_ended=True)
    _tap_after(hands, place, 60)
    QApplication.processEvents()


def test_a_key_of_payment_with_a_scan_of_a_serial_port_pays_nothing_and_is_told(
    hands: Hands,
) -> None:
    _serial_scan_and(hands, PAD_PLUS)
    assert (_sold(hands), _is_told(hands)) == (0, True)
    hands.press("Esc")
    hands.keys.press(CTRL)
    _serial_scan_and(hands, ENTER)
    hands.keys.release(CTRL)
    assert (_sold(hands), _is_told(hands)) == (0, True)
    hands.press("F12", "#1000")
    _serial_scan_and(hands, ENTER)
    assert (_sold(hands), _is_told(hands)) == (0, True)
    assert hands.payment.due == Money("176.97")
    hands.keys.now = stamp_of_now()
    _tap_after(hands, ENTER, 200)
    assert _sold(hands) == 1


BREAD, MILK_EAN = "8609910700134", "8609951100139"
SCREENS: dict[str, Callable[[Hands], object]] = {
    "sale": lambda hands: hands.press("Esc"),
    "search": lambda hands: hands.type("sir"),
    "quantity": lambda hands: (hands.model.entry.enter_code("16"), hands.type("2")),
    "payment": lambda hands: hands.press("F12", "#5"),
    "attention": lambda hands: inside(hands.window).open("attention"),
    "more": lambda hands: hands.press("F1"),
}


def _back(hands: Hands) -> None:
    hands.press(*["Esc"] * 6)


def _bought(hands: Hands) -> list[tuple[str | None, int]]:
    lines = hands.ticket.cart.active
    return [(line.article.frozen.gtin, int(line.quantity.amount)) for line in lines]


HELD = {"Ctrl": 29, "Alt": 56, "AltGr": ALTGR, "Windows": 125}


@each(("screen", "held"), zip(SCREENS, [*HELD, *HELD], strict=False))
def test_a_scan_while_a_key_is_held_is_told_and_counted(anew: Anew, screen: str, held: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    SCREENS[screen](hands)
    typed = _typed(hands)
    hands.keys.now += 500
    hands.keys.press(HELD[held])
    hands.scan(MILK_EAN)
    hands.keys.now += 40
    hands.keys.release(HELD[held])
    assert hands.shop.tones.played[-1] == "no"
    assert _typed(hands) == typed
    if screen == "sale":
        assert f"Док је скениран код {MILK_EAN}, био је притиснут тастер" in hands.notice()
        assert "Отпустите све тастере" in hands.notice()
    _back(hands)
    assert _bought(hands) == [(BREAD, 1)]
    assert [one.code for one in hands.ticket.missed] == [MILK_EAN]
    hands.pay("+")
    assert hands.sale() is None
    if hands.area.is_paying:  # the payment goes on as it stands, and tells it there
        assert "1 код није додат" in hands.paying.head.news_text()
        hands.press("Esc")
    else:
        assert hands.notice().startswith("1 код није додат")
    hands.scan(MILK_EAN)
    assert hands.ticket.missed == ()


def _typed(hands: Hands) -> list[str]:
    payment = hands.area.payment
    amounts = [] if payment.model is None else [str(payment.model.tender.payments)]
    return [hands.area.sale.search.text(), *amounts]


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


def the_bin_of_the_row_that_moved_up_takes_no_press(hands: Hands) -> None:
    hands.scan(BREAD, MILK)
    spot, begins = hands.spot_in_row("remove", 1), moment()
    for number in range(2):
        tap(hands.window, spot, at=begins + 120 * number)
    assert len(hands.ticket.cart.active) == 1


@each(
    "act",
    [tiles_that_a_notice_has_moved_take_no_finger, the_bin_of_the_row_that_moved_up_takes_no_press],
)
def test_what_another_press_does(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
