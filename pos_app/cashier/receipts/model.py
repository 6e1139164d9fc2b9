"""The list of receipts as it is asked for, and the one that is open. No widget, no words.

Source: till.md ("Receipts").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from types import MappingProxyType

from pos_app.cashier.act_in_front import ActInFront
from pos_app.cashier.services import TillServices
from pos_app.domain.foreign_receipt import ForeignReceipt
from pos_app.domain.instant import day_of
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.receipt_list import (
    EVERYTHING,
    ListedReceipt,
    ListPage,
    ListPlace,
    ListState,
    ReceiptQuery,
    Turnover,
    WaitingReceipt,
)
from pos_app.domain.receipt_overview import ReceiptAct
from pos_app.domain.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.server_status import DeliveryJob
from pos_app.domain.states import JobState
from pos_app.errors import NoSuchReceipt, PosError
from pos_app.selling.attention.delivery_trouble import PAPERS
from pos_app.selling.receipts.search_words import asked_by, days_of
from pos_app.selling.server.ports import ShownReceipt

AGAIN = frozenset({JobState.WAITING, JobState.FAILED, JobState.UNPROVEN})
"""Deliveries that a person may have tried once more."""
PAGE = 50
"""Receipts that are asked for at a time."""
_SALE, _REFUND = TransactionType.SALE, TransactionType.REFUND


class Period(StrEnum):
    TODAY = "today"
    YESTERDAY = "yesterday"
    DAYS = "days"
    """From a first day to a last one."""


class KindChoice(StrEnum):
    """What the list is narrowed to."""

    ALL = "all"
    SALES = "sales"
    REFUNDS = "refunds"
    ADVANCES = "advances"
    COPIES = "copies"
    PROFORMAS = "proformas"
    TRAINING = "training"
    E_INVOICE = "e_invoice"
    """Turnover that an e-invoice has to follow."""


def _kinds(
    *types: InvoiceType, transactions: tuple[TransactionType, ...] = (_SALE, _REFUND)
) -> frozenset[ReceiptKind]:
    return frozenset(ReceiptKind(one, two) for one in types for two in transactions)


KINDS: Mapping[KindChoice, frozenset[ReceiptKind]] = MappingProxyType(
    {
        KindChoice.ALL: frozenset(),
        KindChoice.SALES: _kinds(InvoiceType.NORMAL, transactions=(_SALE,)),
        KindChoice.REFUNDS: _kinds(
            InvoiceType.NORMAL, InvoiceType.ADVANCE, transactions=(_REFUND,)
        ),
        KindChoice.ADVANCES: _kinds(InvoiceType.ADVANCE),
        KindChoice.COPIES: _kinds(InvoiceType.COPY),
        KindChoice.PROFORMAS: _kinds(InvoiceType.PROFORMA),
        KindChoice.TRAINING: _kinds(InvoiceType.TRAINING),
        KindChoice.E_INVOICE: frozenset(),
    }
)


@dataclass(frozen=True, slots=True)
class Filters:
    """first, last: the days of a period. typed: as it was typed; while something is, all days are
    asked, unless a period was chosen."""

    period: Period = Period.TODAY
    first: date | None = None
    last: date | None = None
    kind: KindChoice = KindChoice.ALL
    payment: PaymentMethod | None = None
    waiting: bool = False
    """Only what somebody has to do something about."""
    typed: str = ""

    def query(self, today: date) -> ReceiptQuery:
        query = replace(
            EVERYTHING,
            kinds=KINDS[self.kind],
            payments=frozenset({self.payment} if self.payment else ()),
            asks_e_invoice=self.kind is KindChoice.E_INVOICE,
        )
        if not self.typed.strip() or self.period is Period.DAYS:
            query = days_of(query, *self.days(today))
        return asked_by(self.typed, query, today=today)

    def days(self, today: date) -> tuple[date, date]:
        """The first and the last one."""
        if self.period is Period.DAYS and self.first is not None and self.last is not None:
            return min(self.first, self.last), max(self.first, self.last)
        day = today - timedelta(days=1) if self.period is Period.YESTERDAY else today
        return day, day


class Doing(StrEnum):
    """What stands in place of the receipt's acts, until it is done or left."""

    COPY = "copy"
    """What the copy will say; the next press issues it."""
    SEND = "send"
    """The address that a copy is to be sent to."""
    VERIFY = "verify"
    """The address at which the tax administration shows it."""


class ReceiptsModel:
    """What the screen shows; the room asks for it and tells what came."""

    def __init__(self, services: TillServices) -> None:
        self._services = services
        self.filters = Filters()
        self.rows: list[ListedReceipt] = []
        self.go_on: ListPlace | None = None
        self.state: ListState | None = None
        self.searched_back_to: datetime | None = None
        self.turnover: Turnover | None = None
        self.waiting: tuple[WaitingReceipt, ...] = ()
        self.is_asking = False
        self.list_fault: PosError | None = None
        """Why the list could not be read; what was read before stands."""
        self.opened: ShownReceipt | None = None
        self.wanted = ""
        """The receipt that is asked for, by id or number; "" for none."""
        self.opened_by_scan = False
        self._foreign: ForeignReceipt | None = None
        self.receipt_fault: PosError | None = None
        self.doing: Doing | None = None
        self.act = ActInFront()
        """The copy that somebody waits for."""

    @property
    def today(self) -> date:
        return day_of(self._services.till.clock.now())

    # --- the list --------------------------------------------------------------------------------

    @property
    def shown(self) -> list[ListedReceipt]:
        """The rows of the list, or those that need something."""
        if not self.filters.waiting:
            return self.rows
        return [one.receipt for one in self.waiting]

    def filter(self, filters: Filters) -> None:
        """Another question; what the answer before was goes with the first page of the next."""
        self.filters = filters

    def take_page(self, page: ListPage, *, goes_on: bool) -> None:
        """goes_on: it follows what is there."""
        before = self.rows if goes_on else []
        self.rows = [*before, *page.rows]
        self.go_on, self.state = page.go_on, page.state
        self.searched_back_to = page.searched_back_to
        self.list_fault = None

    def place_of(self, reference: str) -> int | None:
        """The row of a receipt, by its id or number."""
        wanted = reference.casefold()
        found = (
            place
            for place, row in enumerate(self.shown)
            if wanted in (row.request_id, row.number.casefold())
        )
        return next(found, None)

    # --- the receipt -----------------------------------------------------------------------------

    def want(
        self, reference: str, *, by_scan: bool = False, foreign: ForeignReceipt | None = None
    ) -> None:
        """Ask for this one next; what was begun with the one before is left. foreign: what its code
        says, for where the journal does not have it."""
        self.wanted, self.opened_by_scan = reference, by_scan
        self._foreign = foreign
        self.receipt_fault = None
        self.doing = None
        self.act.forget()

    def take_receipt(self, shown: ShownReceipt) -> None:
        self.opened = shown
        self.wanted = ""
        self.receipt_fault = None

    def fail_receipt(self, fault: PosError) -> None:
        """It could not be read; the one before is no longer what is asked for."""
        self.opened, self.wanted = None, ""
        self.receipt_fault = fault

    @property
    def paper_to_print(self) -> DeliveryJob | None:
        """The job by which the original is printed once more; None where that is not lawful, or it
        was never to be on paper."""
        shown = self.opened
        if shown is None or not self.allows(ReceiptAct.PRINT):
            return None
        jobs = shown.overview.deliveries
        return next((one for one in jobs if one.method in PAPERS and one.state in AGAIN), None)

    @property
    def foreign(self) -> ForeignReceipt | None:
        """The receipt that was scanned, where the journal does not have it."""
        return self._foreign if isinstance(self.receipt_fault, NoSuchReceipt) else None

    def allows(self, act: ReceiptAct) -> bool:
        shown = self.opened
        return shown is not None and shown.overview.why_not(act) is None

    def leave(self) -> None:
        """The screen was left: the next visit begins with today."""
        self.filters = Filters()
        self.doing = None
        self.wanted, self.opened_by_scan = "", False
        self.act.forget()
