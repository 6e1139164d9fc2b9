"""The server's whole knowledge of one receipt, for acts on it: the goods sold and left, the
receipts that belong to it, the acts that are lawful now, and its delivery.

The server fills these in and the till reads them; between the two they are JSON (`wire.records`).
Instants are UTC. Source: fiscal.md 6.2 to 6.5, 6.12.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import RequestState
from pos_app.lazy_dataclass import dataclass


class ReceiptAct(StrEnum):
    PRINT = "print"
    """Print its original once more, while none is proven to have been delivered."""
    COPY = "copy"
    REFUND = "refund"
    ADVANCE = "advance"
    """Add a further payment."""
    CLOSE = "close"
    UNDO = "undo"
    """Undo a refund by a sale that refers to it."""


class WhyNot(StrEnum):
    """The reason why an act is not lawful now. A code never changes its meaning."""

    NOT_AN_ADVANCE = "not_an_advance"
    IS_COPY = "is_copy"
    IS_REFUND = "is_refund"
    IS_REVERSAL = "is_reversal"
    """The receipt undoes a refund, and sold nothing."""
    REFUNDED = "refunded"
    """The whole receipt is refunded."""
    CLOSED = "closed"
    """The advance has ended."""
    CLOSED_ADVANCE = "closed_advance"
    """The advance has ended: the sale of its closing is refunded in its stead."""
    ELSEWHERE = "elsewhere"
    """The advance began in another system."""
    HALF_DONE = "half_done"
    """An operation on it has one signed receipt and one unsigned."""
    UNDER_WAY = "under_way"
    """Another operation is under way on the same advance, or on all that is left of a sale."""
    HAS_ORIGINAL = "has_original"
    """The original was printed or sent, or will be by itself."""
    STAYS_HERE = "stays_here"
    """The refund of a closing is delivered to nobody."""
    NOT_A_REFUND = "not_a_refund"
    UNDONE = "undone"
    """The refund was undone already."""
    LOST = "lost"
    """The content of the receipt, or of one that belongs to it, was lost when the journal was
    restored."""


@dataclass(frozen=True, slots=True)
class ActAllowed:
    """numbers: the numbers of the receipts that make the act unlawful."""

    act: ReceiptAct
    why_not: WhyNot | None = None
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PaidBy:
    method: PaymentMethod
    amount: Money


@dataclass(frozen=True, slots=True)
class SoldLine:
    """A line of the receipt. left_quantity, left_total: the refundable part; 0 for a refund or
    copy.

    index: counts from 0; by it an item of a refund names the line. total: it may differ from price
    × quantity. is_given_away: it was paid by "other", and goes back so (fiscal.md 6.7). by_weight:
    the unit behind the name, or a quantity with decimals, shows that the goods are not counted in
    pieces. before_discount: the full price, or None where it was not lowered.
    """

    index: int
    name: str
    label: TaxLabel
    quantity: Decimal
    unit_price: Money
    total: Money
    left_quantity: Decimal
    left_total: Money
    is_given_away: bool
    sku: int | None = None
    gtin: str | None = None
    before_discount: Money | None = None
    by_weight: bool = False


@dataclass(frozen=True, slots=True)
class ChainMember:
    """A receipt of the same chain, signed or requested. number and time are None while it is
    unsigned.

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
    """A line of the goods for which an advance is paid."""

    name: str
    label: TaxLabel
    quantity: Decimal
    unit_price: Money
    total: Money
    sku: int | None = None
    gtin: str | None = None


@dataclass(frozen=True, slots=True)
class PaidOfLabel:
    label: TaxLabel
    amount: Money


@dataclass(frozen=True, slots=True)
class AdvanceOverview:
    """The state of an advance. paid: without refunds; by_label: the same by tax label, by_method:
    by the methods that a closing gives back. total is None while the final amount is unknown. vat:
    the tax in the payments, None while neither the receipts nor the processor have it. buyer: the
    default buyer of further receipts."""

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
    """A signed receipt. origin: the requesting program. chain: in the order of acceptance.

    left_by_method: payments less refunds; for an advance, those of all its payments. most_in_money:
    the part that may go back by other methods than voucher, None for all.
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

    @property
    def first_number(self) -> str:
        """The number of the first receipt of its chain, by which an advance is known."""
        return next((one.number for one in self.chain if one.number), self.number)

    def why_not(self, act: ReceiptAct) -> WhyNot | None:
        return next(one.why_not for one in self.acts if one.act is act)
