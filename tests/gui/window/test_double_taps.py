"""A double tap, or a tap that began before a page changed, presses no second button."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui.inside import inside
from tests.gui.patience import waited
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.sweep import each, sampled

BREAD = "8609910700134"


def _paid(hands: Hands) -> int:
    """Type the payment of a sale without confirming it; returns its id."""
    hands.scan(BREAD)
    hands.press("F12")
    hands.type("200")
    return inside(hands.window).model.cart.ticket.id


def _where(hands: Hands, words: str) -> QPoint:
    button = hands.button(words)
    waited(button)
    return button.mapTo(hands.window, button.rect().center())


def _tapped_twice(hands: Hands, words: str) -> None:
    """Tap the same point twice, whatever is there by then."""
    spot = _where(hands, words)
    for _ in range(2):
        target = hands.window.childAt(spot)
        assert target is not None
        place = target.mapFrom(hands.window, spot)
        QTest.mouseClick(target, Qt.MouseButton.LeftButton, pos=place)


def _double_clicked(hands: Hands, words: str) -> None:
    """Double-click as the platform reports it: press, release, and a double click at the second
    press."""
    spot = _where(hands, words)
    for act in (QTest.mouseClick, QTest.mouseDClick):
        target = hands.window.childAt(spot)
        assert target is not None
        act(target, Qt.MouseButton.LeftButton, pos=target.mapFrom(hands.window, spot))


@pytest.mark.parametrize("twice", sampled([_double_clicked, _tapped_twice]))
def test_pay_does_not_issue(hands: Hands, twice: Callable[[Hands, str], None]) -> None:
    """The payment that was begun before is complete: one more tap would issue the receipt."""
    sale = _paid(hands)
    hands.press("Esc")
    twice(hands, "Настави")
    assert inside(hands.window).work_area.is_paying
    assert inside(hands.window).model.cart.ticket.id == sale
    hands.tap_words("Издај рачун")
    assert inside(hands.window).model.cart.ticket.id != sale


@pytest.mark.parametrize("twice", sampled([_double_clicked, _tapped_twice]))
def test_done_with_a_page_does_not_issue(hands: Hands, twice: Callable[[Hands, str], None]) -> None:
    sale = _paid(hands)
    hands.press("F5")
    twice(hands, "Готово")
    assert inside(hands.window).work_area.is_paying
    assert inside(hands.window).model.cart.ticket.id == sale


@pytest.mark.parametrize("twice", sampled([_tapped_twice, _double_clicked]))
def test_issue_does_not_pay_the_next_sale(
    hands: Hands, twice: Callable[[Hands, str], None]
) -> None:
    sale = _paid(hands)
    hands.scan(BREAD)
    twice(hands, "Издај рачун")
    assert inside(hands.window).model.cart.ticket.id != sale
    assert not inside(hands.window).work_area.is_paying


def a_press_that_began_on_the_page_before_is_none(hands: Hands) -> None:
    sale = _paid(hands)
    hands.press("F5")
    done = hands.button("Готово")
    waited(done)
    QTest.mousePress(done, Qt.MouseButton.LeftButton)
    hands.press("Esc")
    QTest.mouseRelease(done, Qt.MouseButton.LeftButton)
    assert inside(hands.window).model.cart.ticket.id == sale


def tiles_that_a_notice_has_moved_take_no_finger(hands: Hands) -> None:
    """A finger moves to a tile, and a notice pushes another one under it."""
    view = inside(hands.window).work_area.sale.picker.view
    spot = view.visualRect(inside(hands.window).work_area.sale.picker.rows.index(6)).center()
    at = view.viewport().mapTo(hands.window, spot)
    hands.scan("8600999000014")
    QApplication.processEvents()
    target = hands.window.childAt(at)
    assert target is view.viewport()
    QTest.mouseClick(target, Qt.MouseButton.LeftButton, pos=target.mapFrom(hands.window, at))
    assert hands.rows() == []
    waited(view)
    QTest.mouseClick(target, Qt.MouseButton.LeftButton, pos=target.mapFrom(hands.window, at))
    assert len(hands.rows()) == 1


@each(
    "act",
    [a_press_that_began_on_the_page_before_is_none, tiles_that_a_notice_has_moved_take_no_finger],
)
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
