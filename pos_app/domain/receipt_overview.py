"""All that the server tells of one receipt to whoever acts on it: what was sold and what of it is
left, the receipts that belong to it, what is lawful now, and how it was handed over.

The server fills these in and the till reads them; between the two they are JSON (`wire.records`).
Instants are UTC. Source: fiscal.md 6.2 to 6.5, 6.12.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from pos_app.domain.money import Money
from pos_app.domain.operations import Operation
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.request import InvoiceType, TransactionType
from pos_app.domain.server_status import DeliveryJob
from pos_app.domain.states import RequestState
from pos_app.domain.tax import TaxLabel
from pos_app.lazy_dataclass import dataclass


class ReceiptAct(StrEnum):
    """What a person may want to do with a receipt."""

    PRINT = "print"
    """Its original once more, while none is proven to have been handed over."""
    COPY = "copy"
    REFUND = "refund"
    ADVANCE = "advance"
    """A further payment."""
    CLOSE = "close"
    UNDO = "undo"
    """A refund that should not have been, by a sale that refers to it."""


class WhyNot(StrEnum):
    """Why an act is not lawful now. A code never changes its meaning."""

    NOT_AN_ADVANCE = "not_an_advance"
    IS_COPY = "is_copy"
    IS_REFUND = "is_refund"
    IS_REVERSAL = "is_reversal"
    """It undoes a refund, and sold nothing."""
    REFUNDED = "refunded"
    """All of it is."""
    CLOSED = "closed"
    """An advance that ended."""
    CLOSED_ADVANCE = "closed_advance"
    """An advance that ended: the sale of its closing is refunded in its place."""
    ELSEWHERE = "elsewhere"
    """The advance began in another system."""
    HALF_DONE = "half_done"
    """Of an operation on it one receipt is signed and the other not yet."""
    UNDER_WAY = "under_way"
    """Another operation on the same advance, or on all that is left of a sale, is."""
    HAS_ORIGINAL = "has_original"
    """It was printed or sent, or will be by itself."""
    STAYS_HERE = "stays_here"
    """The refund of a closing is handed to nobody."""
    NOT_A_REFUND = "not_a_refund"
    UNDONE = "undone"
    """The refund was undone already."""
    LOST = "lost"
    """What is on it, or on a receipt that belongs to it, was lost when the journal was restored."""


@dataclass(frozen=True, slots=True)
class ActAllowed:
    """numbers: of the receipts that are why it is not lawful."""

    act: ReceiptAct
    why_not: WhyNot | None = None
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PaidBy:
    """A sum by one method."""

    method: PaymentMethod
    amount: Money


@dataclass(frozen=True, slots=True)
class SoldLine:
    """A line of the receipt. left, left_total: what can still be refunded; 0 of a refund or copy.

    place: from 0, as an item of a refund names it. total: may differ from price × quantity.
    is_given_away: it was paid by "other", and goes back so (fiscal.md 6.7). by_weight: it is not
    counted in pieces, by the unit behind its name or a quantity with decimals. before_discount:
    what it would have cost; None where it was not lowered.
    """

    place: int
    name: str
    label: TaxLabel
    quantity: Decimal
    unit_price: Money
    total: Money
    left: Decimal
    left_total: Money
    is_given_away: bool
    sku: int | None = None
    gtin: str | None = None
    before_discount: Money | None = None
    by_weight: bool = False


@dataclass(frozen=True, slots=True)
class ChainMember:
    """A receipt of the same chain, signed or asked for. number, time: None while it is not signed.

    is_undone: its refund was reversed, so it counts for nothing. refers_to: a fiscal number.
    """

    receipt_id: str
    operation: Operation
    invoice_type: InvoiceType
    transaction_type: TransactionType
    state: RequestState
    total: Money
    number: str | None = None
    time: datetime | None = None
    refers_to: str | None = None
    is_undone: bool = False


@dataclass(frozen=True, slots=True)
class OrderedLine:
    """What an advance is paid for."""

    name: str
    label: TaxLabel
    quantity: Decimal
    unit_price: Money
    total: Money
    sku: int | None = None
    gtin: str | None = None


@dataclass(frozen=True, slots=True)
class PaidOfLabel:
    """A sum of one tax label."""

    label: TaxLabel
    amount: Money


@dataclass(frozen=True, slots=True)
class AdvanceOverview:
    """How an advance stands. paid: less what was given back; by_label: the same by tax label,
    by_method: by the methods that a closing gives back. total: None where the final amount is not
    known. vat: in what is paid; None where neither the receipts nor the processor tell it now.
    buyer: whom further receipts name where they are given none.
    """

    paid: Money
    lines: tuple[OrderedLine, ...]
    is_closed: bool
    by_label: tuple[PaidOfLabel, ...] = ()
    by_method: tuple[PaidBy, ...] = ()
    total: Money | None = None
    vat: Money | None = None
    buyer: str | None = None

    @property
    def remaining(self) -> Money | None:
        return None if self.total is None else self.total - self.paid


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptOverview:
    """A signed receipt. origin: the program that asked for it. chain: in the order of acceptance.

    left_by_method: what was paid less what went back; of an advance, of all its payments.
    most_in_money: so much of it may go back by other ways than voucher; None: all may.
    """

    receipt_id: str
    number: str
    counter: str
    time: datetime
    origin: str
    operation: Operation
    invoice_type: InvoiceType
    transaction_type: TransactionType
    total: Money
    cashier: str
    payments: tuple[PaidBy, ...]
    lines: tuple[SoldLine, ...]
    chain: tuple[ChainMember, ...]
    acts: tuple[ActAllowed, ...]
    left_by_method: tuple[PaidBy, ...]
    deliveries: tuple[DeliveryJob, ...]
    asks_e_invoice: bool
    buyer: str | None = None
    cost_centre: str | None = None
    refers_to: str | None = None
    referent_time: datetime | None = None
    verification_url: str | None = None
    additional_text: str = ""
    most_in_money: Money | None = None
    advance: AdvanceOverview | None = None

    def why_not(self, act: ReceiptAct) -> WhyNot | None:
        """None where it is lawful."""
        return next(one.why_not for one in self.acts if one.act is act)
