"""A panel ends with what it is about, and nothing keeps a widget of a screen that was left."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QPointingDevice
from PySide6.QtWidgets import QLineEdit, QWidget

from pos_app.cashier.sale.notices import TypedNotTaken
from pos_app.cashier.sale.questions import LineQuantity, UnusualAmountQuestion
from tests.gui.inside import inside
from tests.gui.window.finger import Finger
from tests.gui.window.hands import Hands
from tests.sweep import sampled

BREAD, MILK = "8609910700134", "8609951100139"


def _quantity(hands: Hands) -> None:
    hands.press("F3")


def _price(hands: Hands) -> None:
    hands.press("F4")


def _unusual(hands: Hands) -> None:
    """Ask whether 9,000 pieces are right."""
    hands.press("F3")
    hands.type("9000")
    hands.press("Enter")
    assert isinstance(inside(hands.window).model.questions.question, UnusualAmountQuestion)


def _why_void(hands: Hands) -> None:
    inside(hands.window).model.cart.ask_void()


PANELS = sampled([_quantity, _price, _unusual, _why_void])


def by_its_bin(hands: Hands) -> None:
    hands.tap_cart("remove", len(hands.rows()) - 1)


def by_minus(hands: Hands) -> None:
    hands.tap_cart("minus", len(hands.rows()) - 1)


GONE = sampled([by_its_bin, by_minus])


def _sells_on(hands: Hands) -> None:
    """A scan enters, and Esc leads back."""
    model = inside(hands.window).model
    assert model.questions.question is None
    assert inside(hands.window).work_area.panel is None
    assert not model.entry.waiting
    before = sum(line.quantity.amount for line in model.cart.active_lines)
    hands.scan(MILK)
    assert sum(line.quantity.amount for line in model.cart.active_lines) == before + 1
    hands.press("F3")
    assert inside(hands.window).work_area.panel is not None
    hands.press("Esc")
    assert inside(hands.window).work_area.panel is None


@pytest.mark.parametrize("opened", PANELS)
@pytest.mark.parametrize("gone", GONE)
def test_a_panel_ends_with_the_only_row(
    hands: Hands, opened: Callable[[Hands], None], gone: Callable[[Hands], None]
) -> None:
    hands.scan(BREAD)
    opened(hands)
    gone(hands)
    _sells_on(hands)


@pytest.mark.parametrize("opened", sampled([_quantity, _price, _unusual]))
def test_a_panel_ends_with_its_row_and_the_others_stay(
    hands: Hands, opened: Callable[[Hands], None]
) -> None:
    hands.scan(MILK)
    hands.scan(BREAD)
    opened(hands)
    by_its_bin(hands)
    _sells_on(hands)


def test_scans_that_waited_enter(hands: Hands) -> None:
    hands.scan(BREAD)
    _quantity(hands)
    hands.scan(MILK)
    assert inside(hands.window).model.entry.waiting
    by_its_bin(hands)
    assert [one.quantity.amount for one in inside(hands.window).model.cart.active_lines] == [1]
    _sells_on_after_waiting(hands)


def _sells_on_after_waiting(hands: Hands) -> None:
    assert inside(hands.window).model.questions.question is None
    assert not inside(hands.window).model.entry.waiting


@pytest.mark.parametrize("opened", sampled([_quantity, _price]))
def test_what_was_typed_is_told(hands: Hands, opened: Callable[[Hands], None]) -> None:
    hands.scan(BREAD)
    opened(hands)
    hands.type("7")
    by_its_bin(hands)
    (told,) = inside(hands.window).model.context.notices
    assert isinstance(told, TypedNotTaken)
    assert told.typed_text == "7"
    assert "Хлеб" in told.name
    assert "7" in hands.notice()


def test_another_row_ends_no_panel(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.scan(MILK)
    _quantity(hands)
    hands.type("7")
    first, second = inside(hands.window).model.cart.active_lines
    inside(hands.window).model.cart.remove_line(first.id)
    assert inside(hands.window).model.questions.question == LineQuantity(second.id)
    assert inside(hands.window).work_area.panel is not None
    assert inside(hands.window).work_area.panel.entries() == {"text": "7"}


def test_the_keyboard_outlives_the_screen_that_it_was_unfolded_in(
    hands: Hands, touch_screen: QPointingDevice
) -> None:
    finger = Finger(hands.window, touch_screen)
    for _ in range(3):
        hands.press("F8")
        field = _field(hands.window.frame.top)
        field.setFocus()
        finger.tap(_keyboard_key(field))
        assert finger.has_keyboard
        hands.scan(BREAD)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert hands.window.frame.is_home
        assert not finger.has_keyboard
    (line,) = inside(hands.window).model.cart.active_lines
    assert line.quantity.amount == 3


@pytest.mark.parametrize("name", sampled(["receipts", "advances"]))
@pytest.mark.parametrize("leaves", sampled(["home", "theme", "lock"]))
def test_the_keyboard_unfolds_again_after_its_screen_was_left(
    hands: Hands, touch_screen: QPointingDevice, name: str, leaves: str
) -> None:
    finger, window = Finger(hands.window, touch_screen), hands.window
    for theme in ("dark", "light"):
        window.frame.open(name)
        field = _field(window.frame.top)
        field.setFocus()
        finger.tap(_keyboard_key(field))
        assert finger.has_keyboard
        if leaves == "theme":
            window.change(theme=theme)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            assert finger.has_keyboard, "what is typed goes on"
            finger.type("а")
            hands.press("Esc")
        elif leaves == "lock":
            window.lock()
        window.frame.go_home()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert not finger.has_keyboard
    window.frame.go_home()
    hands.scan(MILK)
    assert len(hands.rows()) == 1


def _field(screen: QWidget) -> QLineEdit:
    return next(
        one
        for one in screen.findChildren(QLineEdit)
        if one.isVisible() and one.isEnabled() and _keys_of(one)
    )


def _keyboard_key(field: QLineEdit) -> QWidget:
    return _keys_of(field)[0]


def _keys_of(field: QLineEdit) -> list[QWidget]:
    around = field.parentWidget()
    assert around is not None
    return [one for one in around.findChildren(QWidget) if one.accessibleName() == "Тастатура"]
