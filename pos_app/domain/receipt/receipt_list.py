"""The list of all receipts of a journal: its queries and its answers.

The server fills these in and the till reads them; between the two they are JSON (`wire.records`).
The delivery of a receipt changes after it was signed, so it is read from the journal for the rows
that are shown. Source: till.md ("Receipts").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import FiscalLine
from pos_app.domain.receipt.receipt import TaxItem
from pos_app.domain.receipt.receipt_overview import PaidBy
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobMethod
from pos_app.errors import MachineError
from pos_app.lazy_dataclass import dataclass

LOCAL_PROGRAM = "local"
"""Programs of this computer that are no till; their names are unknown."""
TILL_PROGRAM = "till:"
"""The prefix of `program` for a receipt that a till of this server asked for."""
_LARGEST = 2**62


@dataclass(frozen=True, slots=True)
class ReceiptQuery:
    """The conditions that a receipt of the answer meets; an empty member is no condition.

    since, until: instants of the processor's time, `until` not included
    (`domain.instant.beginning_of` gives those of days). kinds, payments: the receipt has one of
    them. program: the origin of its request. buyer: in wire form. hour: the hour in Belgrade.
    label: one of its lines has this label. articles: one of its lines has one of these articles, by
    `article_key`. number: the end of its number, either the last digits of the counter ("597") or
    these with the part before them ("abcd1234-8597"), in letters of either case. least, most:
    limits of its total. words: each begins a word of an article, of the cashier's name or of the
    buyer's number, in either script; or it is an article's code or EAN. Two words may be found in
    different ones of these.
    """

    since: datetime | None = None
    until: datetime | None = None
    kinds: frozenset[ReceiptKind] = frozenset()
    payments: frozenset[PaymentMethod] = frozenset()
    cashier: str | None = field(default=None, metadata={"max_length": 200})
    program: str | None = field(default=None, metadata={"max_length": 200})
    buyer: str | None = field(default=None, metadata={"max_length": 200})
    asks_e_invoice: bool = False
    number: str = field(default="", metadata={"max_length": 200})
    least: Money | None = None
    most: Money | None = None
    words: str = field(default="", metadata={"max_length": 200})
    hour: int | None = field(default=None, metadata={"ge": 0, "le": 23})
    label: TaxLabel | None = None
    articles: frozenset[str] = frozenset()


EVERYTHING = ReceiptQuery()


@dataclass(frozen=True, slots=True, order=True)
class ListPosition:
    """The position of a receipt in the list: by its time, in milliseconds since 1970 UTC, then by
    its order in the journal."""

    at: int = field(metadata={"ge": -_LARGEST, "le": _LARGEST})
    row: int = field(metadata={"ge": -1, "le": _LARGEST})


class HandOver(StrEnum):
    """The state of a receipt's delivery to its customer. Among several jobs the worst counts, which
    comes first here."""

    NOT_PRINTED = "not_printed"
    """The receipt is surely not printed: printing failed, or waits because of a trouble at the
    printer."""
    PRINT_UNPROVEN = "print_unproven"
    MAIL_FAILED = "mail_failed"
    MAIL_UNPROVEN = "mail_unproven"
    WAITING = "waiting"
    """The receipt waits for its turn at the printer, or is being printed."""
    MAIL_WAITS = "mail_waits"
    """The mail will be sent by itself, also after a trouble."""
    DONE = "done"
    DROPPED = "dropped"
    """The receipt was no longer wanted on paper or by mail."""
    STAYS_HERE = "stays_here"
    """The refund of a closing is delivered to nobody."""
    NONE = "none"
    """Neither paper nor mail was asked for: the requesting program delivers it."""
    UNKNOWN = "unknown"
    """The journal can't be read now."""


@dataclass(frozen=True, slots=True)
class ReceiptFigures:
    """The signed figures. Amounts are positive, on a refund too. payments: the money that stays
    with the shop; the cash is without the change, and a closing has only what was paid with it.
    taxes: as the processor reported them. handed_by: the ways by which the receipt surely was
    delivered."""

    counter: str
    payments: tuple[PaidBy, ...]
    taxes: tuple[TaxItem, ...]
    lines: tuple[FiscalLine, ...]
    handed_by: tuple[JobMethod, ...]


@dataclass(frozen=True, slots=True)
class ListedReceipt:
    """A row of the list. at: the processor's time. total: positive, on a refund too. figures: set
    where they were asked for and can be read.

    payments: methods with an amount. program: the origin of its request. buyer: in wire form, for a
    natural person only the code. referent: the number of the receipt that it refers to.
    """

    list_position: ListPosition
    request_id: str
    at: datetime
    number: str
    kind: ReceiptKind
    total: Money
    payments: tuple[PaymentMethod, ...]
    cashier: str
    program: str
    buyer: str | None
    asks_e_invoice: bool
    referent: str | None
    handed_over: HandOver
    figures: ReceiptFigures | None = None


@dataclass(frozen=True, slots=True)
class WaitingReceipt:
    """A receipt with its delivery jobs that are not done."""

    receipt: ListedReceipt
    jobs: tuple[DeliveryJob, ...]


MOST_COUNTED = 1_000


@dataclass(frozen=True, slots=True)
class WaitingPage:
    """A page of the receipts whose delivery is not done; the one with the newest open job comes
    first. go_on: the job behind which the next page begins, or None. many: the number of receipts
    on all pages; no more than `MOST_COUNTED` are counted."""

    rows: tuple[WaitingReceipt, ...]
    go_on: int | None
    many: int


@dataclass(frozen=True, slots=True)
class ListState:
    """The part of the journal that the list has: `done` of `of` receipts, the newest first.
    left_out: the number of unreadable receipts. trouble: the error that stopped the work."""

    done: int
    of: int
    left_out: int = 0
    trouble: MachineError | None = None

    @property
    def is_whole(self) -> bool:
        return self.trouble is None and self.done >= self.of


@dataclass(frozen=True, slots=True)
class ListPage:
    """Receipts, the newest first. go_on: `after` for the next page, None at the end of the list."""

    rows: tuple[ListedReceipt, ...]
    go_on: ListPosition | None
    state: ListState


@dataclass(frozen=True, slots=True)
class Turnover:
    """The exact sums of receipts of the types Normal and Advance; a sum may be larger than a
    receipt's amount can be. documents: the number of receipts of each kind, also of kinds that are
    no turnover; empty if too many receipts would have to be read. is_part: the sums are those of
    the queried label, methods or articles, not of the whole receipts."""

    sales: Decimal
    refunds: Decimal
    documents: Mapping[ReceiptKind, int]
    is_part: bool = False

    @property
    def net(self) -> Decimal:
        return self.sales - self.refunds

    @property
    def receipts(self) -> int:
        return sum(count for kind, count in self.documents.items() if kind.invoice_type.is_fiscal)

    def not_turnover(self) -> dict[InvoiceType, int]:
        """The numbers of copies, proformas and training receipts."""
        counts: dict[InvoiceType, int] = {}
        for kind, count in self.documents.items():
            if not kind.invoice_type.is_fiscal:
                counts[kind.invoice_type] = counts.get(kind.invoice_type, 0) + count
        return counts


@dataclass(frozen=True, slots=True)
class ReportedTurnover:
    """The answer with the turnover, which is None where too many receipts would have to be read."""

    turnover: Turnover | None
    state: ListState


@dataclass(frozen=True, slots=True)
class ListChoices:
    cashiers: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
