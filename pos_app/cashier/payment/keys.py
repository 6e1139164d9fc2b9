"""Which key means what in the payment, as data (till.md, "Keys").

Digits always type an amount; methods are Alt+1…7 in their order.
"""

from __future__ import annotations

from enum import Enum, auto

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from pos_app.cashier.payment.drafts import FaultPlace


class PaymentAction(Enum):
    """What a key does."""

    BACK = auto()
    ENTER = auto()
    PAGE = auto()
    METHOD = auto()
    STEP = auto()
    KEY = auto()
    DONE = auto()
    """F12: on with the payment, from whatever page stands over it."""
    KEYS = auto()
    NOTHING = auto()
    """A key that is held down: Enter confirms once a press."""


Found = tuple[PaymentAction, str]

_K = Qt.Key
EVERYWHERE: dict[int, Found] = {
    _K.Key_Escape: (PaymentAction.BACK, ""),
    _K.Key_Return: (PaymentAction.ENTER, ""),
    _K.Key_Enter: (PaymentAction.ENTER, ""),
    _K.Key_F1: (PaymentAction.KEYS, ""),
    _K.Key_F4: (PaymentAction.PAGE, FaultPlace.DISCOUNT),
    _K.Key_F5: (PaymentAction.PAGE, FaultPlace.BUYER),
    _K.Key_F12: (PaymentAction.DONE, ""),
}
IN_PAYMENT: dict[int, Found] = {
    _K.Key_Up: (PaymentAction.STEP, "-1"),
    _K.Key_Down: (PaymentAction.STEP, "1"),
    _K.Key_Backspace: (PaymentAction.KEY, "back"),
    _K.Key_Delete: (PaymentAction.KEY, "clear"),
}
TOLD: tuple[tuple[str, str], ...] = (
    ("pay.keys.digits", "pay.keys.amount"),
    ("Alt+1…7", "pay.keys.methods"),
    ("Enter", "pay.keys.enter"),
    ("↑ ↓", "pay.keys.lines"),
    ("Backspace", "pay.rub_out"),
    ("Delete", "pay.keys.clear"),
    ("F2", "pay.keys.search"),
    ("F4", "pay.discount"),
    ("F5", "pay.buyer"),
    ("F10", "keys.f10"),
    ("F12", "pay.keys.done"),
    ("Esc", "keys.escape"),
)
"""What F1 tells: the key as it stands on the keyboard, or the text that names it; what it does."""
_SIGNS = frozenset("0123456789,.")
_METHOD_KEYS = range(_K.Key_1, _K.Key_7 + 1)
_FREE = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)


def act_of(event: QKeyEvent, *, in_page: bool) -> Found | None:
    """What a key press does; None when the payment has no use for it.

    in_page: a page stands over the payment, so digits belong to its fields.
    """
    found = EVERYWHERE.get(event.key())
    if found is not None:
        held = event.isAutoRepeat() and found[0] is not PaymentAction.BACK
        return (PaymentAction.NOTHING, "") if held else found
    if in_page:
        return None
    modifiers = event.modifiers() & _FREE
    if modifiers == Qt.KeyboardModifier.AltModifier and event.key() in _METHOD_KEYS:
        return PaymentAction.METHOD, str(event.key() - _K.Key_1)
    if modifiers:
        return None
    if event.text() in _SIGNS and event.text():
        return PaymentAction.KEY, event.text()
    return IN_PAYMENT.get(event.key())


def is_other_sign(event: QKeyEvent) -> bool:
    """Whether it types a sign that is no part of an amount."""
    typed = event.text()
    return bool(typed.strip()) and typed.isprintable() and not event.modifiers() & _FREE
