"""A panel ends with what it is about, and nothing keeps a widget of a screen that was left."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QPointingDevice
from PySide6.QtWidgets import QLineEdit, QWidget

from pos_app.cashier.sale.notices import TypedNotTaken
from pos_app.cashier.sale.questions import LineQuantity, UnusualAmountQuestion
from tests.gui.window.anew import Anew
from tests.gui.window.finger import Finger
from tests.gui.window.hands import Hands
from tests.sweep import each

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
    assert isinstance(hands.model.questions.question, UnusualAmountQuestion)


def _why_void(hands: Hands) -> None:
    hands.model.cart.ask_void()


def by_its_bin(hands: Hands) -> None:
    hands.tap_cart("remove", len(hands.rows()) - 1)


def by_minus(hands: Hands) -> None:
    hands.tap_cart("minus", len(hands.rows()) - 1)


def _sells_on(hands: Hands) -> None:
    """A scan enters, and Esc leads back."""
    model = hands.model
    assert (model.questions.question, hands.area.panel) == (None, None)
    assert not model.entry.waiting
    before = sum(line.quantity.amount for line in model.cart.active_lines)
    hands.scan(MILK)
    assert sum(line.quantity.amount for line in model.cart.active_lines) == before + 1
    hands.press("F3")
    assert hands.area.panel is not None
    hands.press("Esc")
    assert hands.area.panel is None


@each("opened", [_quantity, _price, _unusual, _why_void])
@each("gone", [by_its_bin, by_minus])
def test_a_panel_ends_with_the_only_row(
    anew: Anew, opened: Callable[[Hands], None], gone: Callable[[Hands], None]
) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    opened(hands)
    gone(hands)
    _sells_on(hands)


@each("opened", [_quantity, _price, _unusual])
def test_a_panel_ends_with_its_row_and_the_others_stay(
    anew: Anew, opened: Callable[[Hands], None]
) -> None:
    """Scans that waited enter, and what was typed is told."""
    hands = anew.begin()
    hands.scan(MILK)
    hands.scan(BREAD)
    opened(hands)
    if opened is not _unusual:
        hands.type("7")
    hands.scan(MILK)
    assert hands.model.entry.waiting
    by_its_bin(hands)
    if opened is not _unusual:
        (told,) = hands.model.context.notices
        assert isinstance(told, TypedNotTaken)
        assert told.typed_text == "7"
        assert "Хлеб" in told.name
        assert "7" in hands.notice()
    assert [one.quantity.amount for one in hands.model.cart.active_lines] == [2]
    _sells_on(hands)


def test_another_row_ends_no_panel(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.scan(MILK)
    _quantity(hands)
    hands.type("7")
    first, second = hands.model.cart.active_lines
    hands.model.cart.remove_line(first.id)
    assert hands.model.questions.question == LineQuantity(second.id)
    assert hands.area.panel is not None
    assert hands.area.panel.entries() == {"text": "7"}


@each(
    ("name", "leaves"),
    [("receipts", "scan"), ("advances", "home"), ("receipts", "theme"), ("advances", "lock")],
)
def test_the_keyboard_unfolds_again_after_its_screen_was_left(
    anew: Anew, touch_screen: QPointingDevice, name: str, leaves: str
) -> None:
    hands = anew.begin()
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
        elif leaves == "scan":
            hands.scan(BREAD)
        window.frame.go_home()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert not finger.has_keyboard
    hands.scan(MILK)
    assert len(hands.rows()) == (2 if leaves == "scan" else 1)


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
