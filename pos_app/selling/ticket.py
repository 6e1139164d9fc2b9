"""A cart with its papers: kind of document, cashier, and the key its receipt will be asked by.

Source: till.md ("Cart"), exactly-once.md ("The key travels the whole way").
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from pos_app.domain.cart import Cart
from pos_app.domain.request import InvoiceType
from pos_app.selling.missed_codes import Missed
from pos_app.selling.typed_details import NOTHING_ADDED, TypedDetails


class DocumentKind(StrEnum):
    """What the cart becomes at confirm."""

    SALE = "sale"
    ADVANCE = "advance"
    PROFORMA = "proforma"
    TRAINING = "training"

    @property
    def invoice_type(self) -> InvoiceType:
        """The kind as a processor knows it."""
        return _INVOICE_TYPES[self]

    @property
    def is_training(self) -> bool:
        """Whether it is practice: such a cart lives beside the real one."""
        return self is DocumentKind.TRAINING

    @property
    def takes_money(self) -> bool:
        """Whether a customer pays for it: practice is played, and a proforma is only an offer."""
        return self in (DocumentKind.SALE, DocumentKind.ADVANCE)


_INVOICE_TYPES = {
    DocumentKind.SALE: InvoiceType.NORMAL,
    DocumentKind.ADVANCE: InvoiceType.ADVANCE,
    DocumentKind.PROFORMA: InvoiceType.PROFORMA,
    DocumentKind.TRAINING: InvoiceType.TRAINING,
}


EMPTY = "empty"
"""Reason of a cart that was put away while nothing in it would have been sold."""


@dataclass(frozen=True, slots=True)
class NewTicket:
    """An empty cart to be opened. key: 32 hex digits, minted for it alone. opened_at: UTC."""

    key: str
    kind: DocumentKind
    cashier: str
    opened_at: datetime


@dataclass(frozen=True, slots=True)
class Ticket:
    """A stored cart. revision counts its changes, so that an outdated copy is never written.

    missed: codes that came to nothing, until the cart ends. suspended_at: since when it is set
    aside, UTC; None for one that is not.
    """

    id: int
    key: str
    kind: DocumentKind
    cashier: str
    opened_at: datetime
    revision: int = 0
    cart: Cart = field(default_factory=Cart)
    typed_details: TypedDetails = NOTHING_ADDED
    missed: Missed = ()
    suspended_at: datetime | None = None
