"""The list of all receipts of a journal: what may be asked of it, what it answers, and its port.

What changes after a receipt was signed, its delivery jobs and its refunds, is not in the list: it
is read from the journal for the rows that are shown. Source: till.md ("Receipts").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Protocol

from pos_app.domain.money import Money
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.request import InvoiceType, ReceiptKind
from pos_app.errors import MachineError
from pos_app.fiscalization.jobs import DeliveryJobs, QueuedJob


@dataclass(frozen=True, slots=True)
class ReceiptQuery:
    """All that a receipt in the answer has to be; what is left out asks nothing.

    since, until: instants of the processor's time, `until` not included
    (`domain.instant.beginning_of` gives those of days). kinds, payments: one of them. program: the
    origin of its request. buyer: in wire form.
    number: its end, as digits of the counter ("597"), or with what stands before them
    ("abcd1234-8597"), in letters of either size. least, most: of its total.
    words: each begins a word of one article, of the cashier's name or of the buyer's number, in
    either script; or it is an article's code or EAN.
    """

    since: datetime | None = None
    until: datetime | None = None
    kinds: frozenset[ReceiptKind] = frozenset()
    payments: frozenset[PaymentMethod] = frozenset()
    cashier: str | None = None
    program: str | None = None
    buyer: str | None = None
    asks_e_invoice: bool = False
    number: str = ""
    least: Money | None = None
    most: Money | None = None
    words: str = ""


EVERYTHING = ReceiptQuery()


@dataclass(frozen=True, slots=True, order=True)
class ListPlace:
    """Where a receipt stands in the list: by its time, in milliseconds since 1970 UTC, then by when
    the journal had it."""

    at: int
    row: int


@dataclass(frozen=True, slots=True)
class ListedReceipt:
    """A row of the list. at: the processor's time. total: positive, on a refund too.

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
    of any receipt. documents: how many there are of each kind, turnover or not."""

    sales: Decimal
    refunds: Decimal
    documents: Mapping[ReceiptKind, int]

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


@dataclass(frozen=True, slots=True)
class PaidAdvances:
    """chains: the first request of each chain in which more was paid in advance than was given
    back, which no closing leaves."""

    chains: tuple[str, ...]
    state: ListState


class ReceiptSearch(Protocol):
    """The list, derived from the journal. A fault of its file is told in the state, and never
    raised: selling does not need it."""

    async def page(
        self, query: ReceiptQuery, *, after: ListPlace | None = None, most: int = 50
    ) -> ListPage:
        """At most so many receipts behind `after`, None: from the newest on. Those that were signed
        before it is asked are in it."""
        ...

    async def turnover(self, query: ReceiptQuery) -> ToldTurnover:
        """Of all receipts that the query finds."""
        ...

    async def listed(self, request_ids: Sequence[str]) -> tuple[ListedReceipt, ...]:
        """The rows of these requests, the newest first; those without a receipt are left out."""
        ...

    async def choices(self) -> ListChoices: ...

    async def paid_advances(self) -> PaidAdvances: ...


@dataclass(frozen=True, slots=True)
class NotHandedOver:
    """A receipt with its delivery jobs that are not done."""

    receipt: ListedReceipt
    jobs: tuple[QueuedJob, ...] = field(default_factory=tuple)


async def not_handed_over(
    jobs: DeliveryJobs, search: ReceiptSearch, *, before: int | None = None
) -> tuple[NotHandedOver, ...]:
    """The receipts that need something: jobs of theirs wait, run, failed or are unproven. The
    newest first; of the newest 200 jobs, or of those `before` one."""
    of_receipts: dict[str, list[QueuedJob]] = {}
    for job in jobs.not_done(before=before):
        if job.receipt_id is not None:
            of_receipts.setdefault(job.receipt_id, []).append(job)
    rows = await search.listed(tuple(of_receipts))
    return tuple(NotHandedOver(row, tuple(of_receipts[row.request_id])) for row in rows)
