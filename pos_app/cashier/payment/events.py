"""What was pressed or typed in the payment, told once by whoever it happened to."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class PaymentEvents(QObject):
    """The widgets of a payment emit these; the panel connects to them and acts."""

    given = Signal(object)
    """Tender: what the customer gives by now."""
    method = Signal(object)
    """PaymentMethod: a method was pressed."""
    page = Signal(object)
    """FaultPlace: an option was pressed, whose page is to be opened."""
    page_changed = Signal()
    """Something typed on a page is in the model now."""
    page_done = Signal()
    """The page is done with."""
    saved = Signal(object)
    """Ticket: the cart was stored by a page."""
    failed = Signal(object)
    """PosError: it could not be stored."""
    agreed = Signal()
    """An unusual amount is right."""
    refused = Signal()
    """A sign was typed that no number has."""
