"""The cashier's input in the payment: commands of keys, and signals of widgets.

Digits always type an amount; methods are Alt+1…7 in their order (till.md, "Keys").
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence

from pos_app.cashier.commands import KEYS, KeyPage, TillCommand
from pos_app.cashier.ui.typed_keys import HELD, typed_text
from pos_app.domain.money.payment import PaymentMethod

Found = tuple[TillCommand | None, str]
"""A command with its sign or number. The command is None for a key that is held down, so that Enter
confirms once a press."""

_ALSO_IN_PAGES = frozenset(
    {
        TillCommand.BACK,
        TillCommand.ENTER,
        TillCommand.KEYS,
        TillCommand.PRICE,
        TillCommand.BUYER,
        TillCommand.PAY,
    }
)
"""These keys act on a page over the payment, too. F2 and F10 act everywhere, because they are the
window's."""
_OF_AMOUNT = frozenset(
    {TillCommand.LINE_UP, TillCommand.LINE_DOWN, TillCommand.RUB_OUT, TillCommand.CLEAR}
)


def _bound(commands: frozenset[TillCommand]) -> dict[int, TillCommand]:
    return {
        QKeySequence(sequence)[0].key(): key.command  # type: ignore[index]
        for key in KEYS
        if key.command in commands
        and (KeyPage.PAYMENT in key.help_texts or key.command is TillCommand.KEYS)
        for sequence in key.sequences
    }


_EVERYWHERE, _IN_PAYMENT = _bound(_ALSO_IN_PAGES), _bound(_OF_AMOUNT)
_SIGNS = frozenset("0123456789,.")
_METHOD_KEYS = range(Qt.Key.Key_1, Qt.Key.Key_1 + len(PaymentMethod))


def command_of(event: QKeyEvent, *, in_page: bool) -> Found | None:
    """Return a key's command, or None if the payment has no use for the key. in_page: a page covers
    the payment, and digits belong to its fields."""
    found = _EVERYWHERE.get(event.key())
    if found is not None:
        held = event.isAutoRepeat() and found is not TillCommand.BACK
        return (None if held else found), ""
    if in_page:
        return None
    modifiers = event.modifiers() & HELD
    if modifiers == Qt.KeyboardModifier.AltModifier and event.key() in _METHOD_KEYS:
        return TillCommand.METHOD, str(event.key() - Qt.Key.Key_1)
    if modifiers:
        return None
    if event.text() in _SIGNS and event.text():
        return TillCommand.TYPE, event.text()
    found = _IN_PAYMENT.get(event.key())
    return None if found is None else (found, "")


def is_other_sign(event: QKeyEvent) -> bool:
    """Tell whether the key types a sign that is no part of an amount."""
    return bool(typed_text(event).strip())


# --- what widgets tell --------------------------------------------------------------------------


class PaymentEvents(QObject):
    """The widgets of a payment emit these signals, and the panel acts."""

    given = Signal(object)
    """A Tender: the amounts given by now."""
    method = Signal(object)
    page = Signal(object)
    """The FaultPart whose page is to be opened."""
    page_changed = Signal()
    """A page has changed the model."""
    goes_back = Signal(object, object)
    """Payments: what went back to the customer as it was told before, and as it is now."""
    page_done = Signal()
    saved = Signal(object)
    """The Ticket that a page stored."""
    failed = Signal(object)
    """The PosError of a failed attempt to store."""
    agreed = Signal()
    """The cashier says that an unusual amount is right."""
    refused = Signal()
    """Somebody typed a sign that no number has."""
