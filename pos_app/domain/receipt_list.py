"""The list of all receipts of a journal: what may be asked of it, and what it answers.

The server fills these in and the till reads them; between the two they are JSON (`wire.records`).
How a receipt was handed over changes after it was signed: it is read from the journal for the rows
that are shown. Source: till.md ("Receipts").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from pos_app.domain.fiscal_document import FiscalLine
from pos_app.domain.money import Money
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.receipt import TaxItem
from pos_app.domain.receipt_overview import PaidBy
from pos_app.domain.request import InvoiceType, ReceiptKind
from pos_app.domain.server_status import DeliveryJob
from pos_app.domain.states import JobMethod
from pos_app.domain.tax import TaxLabel
from pos_app.errors import MachineError
from pos_app.lazy_dataclass import dataclass

LOCAL_PROGRAM = "local"
"""Those of this computer that are no till: nobody tells which."""
TILL_PROGRAM = "till:"
"""What the program of a receipt begins with that this server's till asked for."""
_LARGEST = 2**62


@dataclass(frozen=True, slots=True)
class ReceiptQuery:
    """All that a receipt in the answer has to be; what is left out asks nothing.

    since, until: instants of the processor's time, `until` not included
    (`domain.instant.beginning_of` gives those of days). kinds, payments: one of them. program: the
    origin of its request. buyer: in wire form. hour: of Belgrade's clock. label: of one of its
    lines. articles: one of its lines is of one of them, by `article_key`.
    number: its end, as digits of the counter ("597"), or with what stands before them
    ("abcd1234-8597"), in letters of either size. least, most: of its total.
    words: each begins a word of one article, of the cashier's name or of the buyer's number, in
    either script; or it is an article's code or EAN.
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
class ListPlace:
    """Where a receipt stands in the list: by its time, in milliseconds since 1970 UTC, then by when
    the journal had it."""

    at: int = field(metadata={"ge": -_LARGEST, "le": _LARGEST})
    row: int = field(metadata={"ge": -1, "le": _LARGEST})


@dataclass(frozen=True, slots=True)
class ListAsked:
    """A page of what the query finds: at most so many receipts behind `after`, None: from the
    newest on. figures: each row has its own; the page is shorter where they are long."""

    query: ReceiptQuery = EVERYTHING
    after: ListPlace | None = None
    most: int = field(default=50, metadata={"ge": 1, "le": 200})
    figures: bool = False


class HandOver(StrEnum):
    """How a receipt stands with its customer by its delivery jobs; of several the worst, which
    comes first here."""

    NOT_PRINTED = "not_printed"
    """Surely not: it failed, or waits because of a trouble at the printer."""
    PRINT_UNPROVEN = "print_unproven"
    MAIL_FAILED = "mail_failed"
    MAIL_UNPROVEN = "mail_unproven"
    WAITING = "waiting"
    """It waits for its turn at the printer, or is being printed."""
    MAIL_WAITS = "mail_waits"
    """It will be sent by itself, also where a trouble has held it up."""
    DONE = "done"
    DROPPED = "dropped"
    """Nobody wanted it any more on paper or by mail."""
    STAYS_HERE = "stays_here"
    """The refund of a closing is handed to nobody."""
    NONE = "none"
    """Neither paper nor mail was asked for: whoever asked for the receipt hands it over."""
    UNKNOWN = "unknown"
    """The journal can't be read now."""


@dataclass(frozen=True, slots=True)
class ReceiptFigures:
    """What was signed. Amounts are positive, on a refund too. payments: what stays with the shop:
    cash without the change, and of a closing what was paid with it. taxes: as the processor told
    them.
    handed_by: the ways by which it surely was handed over."""

    counter: str
    payments: tuple[PaidBy, ...]
    taxes: tuple[TaxItem, ...]
    lines: tuple[FiscalLine, ...]
    handed_by: tuple[JobMethod, ...]


@dataclass(frozen=True, slots=True)
class ListedReceipt:
    """A row of the list. at: the processor's time. total: positive, on a refund too. figures: where
    they were asked for and can be read.

    payments: those that paid anything. program: the origin of its request. buyer: in wire form; of
    a natural person only the code. referent: the number of the receipt that it refers to.
    """

    place: ListPlace
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
    """Some of the receipts that need something: the one whose newest open job was made last comes
    first. go_on: the job behind which the next page begins, None at the end. many: how many there
    are on all pages; no more than `MOST_COUNTED` are counted."""

    rows: tuple[WaitingReceipt, ...]
    go_on: int | None
    many: int


@dataclass(frozen=True, slots=True)
class ListState:
    """How much of the journal the list has: `done` of `of` receipts, the newest first.

    left_out: so many of these can't be read in the journal. trouble: what keeps it from going on.
    """

    done: int
    of: int
    left_out: int = 0
    trouble: MachineError | None = None

    @property
    def is_whole(self) -> bool:
        return self.trouble is None and self.done >= self.of


@dataclass(frozen=True, slots=True)
class ListPage:
    """Receipts, the newest first. go_on: what to ask for next, None at the end of the list.

    searched_back_to: the search took too long and stopped there: there may be more before, though
    this page is not full.
    """

    rows: tuple[ListedReceipt, ...]
    go_on: ListPlace | None
    searched_back_to: datetime | None
    state: ListState


@dataclass(frozen=True, slots=True)
class Turnover:
    """Sums of receipts of the types Normal and Advance, exact; they may be larger than the amount
    of any receipt. documents: how many there are of each kind, turnover or not; of none where too
    many would have to be looked at. is_part: the sums are those of the label, methods or articles
    that were asked for, and not of all that these receipts come to."""

    sales: Decimal
    refunds: Decimal
    documents: Mapping[ReceiptKind, int]
    is_part: bool = False

    @property
    def net(self) -> Decimal:
        return self.sales - self.refunds

    @property
    def receipts(self) -> int:
        """How many of them make the turnover."""
        return sum(count for kind, count in self.documents.items() if kind.invoice_type.is_fiscal)

    def not_turnover(self) -> dict[InvoiceType, int]:
        """How many copies, proformas and training receipts there are."""
        counts: dict[InvoiceType, int] = {}
        for kind, count in self.documents.items():
            if not kind.invoice_type.is_fiscal:
                counts[kind.invoice_type] = counts.get(kind.invoice_type, 0) + count
        return counts


@dataclass(frozen=True, slots=True)
class ToldTurnover:
    """turnover: None where too many receipts would have to be looked at for it."""

    turnover: Turnover | None
    state: ListState


@dataclass(frozen=True, slots=True)
class ListChoices:
    """What a person can choose from: who issued receipts of this journal, and which programs."""

    cashiers: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
