"""The list of receipts with its query, and the open receipt. It has no widgets and no words.

Source: till.md ("Receipts").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum

from pos_app import errors
from pos_app.cashier.acts.act_in_front import ActInFront, Stage
from pos_app.cashier.receipts.filters import Filters
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Say
from pos_app.documents.shown_receipt import ShownElsewhere, ShownReceipt
from pos_app.domain.receipt import receipt_list
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.receipt_number import FiscalNumber
from pos_app.domain.receipt.receipt_overview import ReceiptAct, WhyNot
from pos_app.domain.receipt.server_status import DeliveryJob, PublicModeState
from pos_app.domain.receipt.states import OPEN, JobMethod, JobState
from pos_app.domain.text.email_address import checked_address
from pos_app.domain.text.instant import day_of, day_typed
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.attention.delivery_trouble import GOES_ON, PAPERS
from pos_app.selling.receipts.frozen_pair import pair_with
from pos_app.selling.receipts.own_sales import OwnSale, act_on, own_sales
from pos_app.selling.sale.sale import Sale

AGAIN = frozenset({JobState.WAITING, JobState.FAILED, JobState.UNPROVEN})
"""The states of deliveries that are tried once more when a person wants it."""
PAGE = 50
MOST_ROWS = 5000
"""The most rows that are kept: nobody scrolls further, and a day or a number finds any receipt."""
AWAY = (errors.NotDelivered, errors.OutcomeUnknown)

Row = receipt_list.ListedReceipt | OwnSale


class Doing(StrEnum):
    """An act that is shown instead of the receipt's paper, until the act is done or left."""

    PRINT = "print"
    """The reason to print the original once more; the next press does it."""
    COPY = "copy"
    """The content of the copy; the next press issues it."""
    SEND = "send"
    SEND_AGAIN = "send_again"
    """The original is not sent yet, so its mail is tried once more, and no copy is issued."""
    UNDO = "undo"
    """The receipt that undoes a refund; the next press issues it."""
    VERIFY = "verify"
    """The address at which the tax administration shows the receipt."""


class ReceiptsMessage(StrEnum):
    AGAIN_ASKED = "again_asked"
    PDF_OPENED = "pdf_opened"
    PDF_UNOPENED = "pdf_unopened"
    VERIFY_UNOPENED = "verify_unopened"


@dataclass(frozen=True, slots=True)
class SavedPdf:
    """The message that a receipt was written into this file."""

    file: str


@dataclass(frozen=True, slots=True)
class RefusedKey:
    """The message why the key of this letter does nothing now."""

    letter: str


Message = ReceiptsMessage | SavedPdf | RefusedKey | errors.PosError | Say


class ReceiptsModel:
    """The state of the screen; the room asks for data and reports the answers."""

    def __init__(self, services: TillServices) -> None:
        self._services = services
        self.filters = Filters()
        self.days_typed = ("", "")
        self.holds_days = False
        """Whether somebody typed them in this visit; else they came with the report."""
        self.rows: list[receipt_list.ListedReceipt] = []
        self.rows_of: Filters | None = None
        """The filters that the rows answer."""
        self.go_on: receipt_list.ListPosition | None = None
        self.state: receipt_list.ListState | None = None
        self.turnover: receipt_list.Turnover | None = None
        self.waiting: list[receipt_list.WaitingReceipt] = []
        """The receipts that need an act, as far as they are read."""
        self.waiting_many = 0
        self.waiting_go_on: int | None = None
        self.is_asking = False
        self.list_fault: errors.PosError | None = None
        self.own: list[OwnSale] | None = None
        """The till's own sales, shown while the server is away."""
        self._own_go_on: int | None = None
        self.opened: ShownReceipt | None = None
        self.own_act: Sale | None = None  # on the open receipt, without an outcome when it was read
        self.wanted = ""
        """The id or number of the receipt that is asked for, or ""."""
        self.is_late = False
        """Whether reading takes so long that the last receipt is no longer shown."""
        self.opened_by_scan = False
        self.by_short_number = False
        """Whether the scanned paper had only the end of a number. A receipt of another till, or of
        an older card, may end in the same digits."""
        self._foreign: ForeignReceipt | None = None
        self.unknown = ""  # the whole number that was asked for and the journal does not have
        """The number that the journal does not have, where the shop's other tills can be asked."""
        self.search_began: int | None = None
        """The time when the other tills were asked, in the clock's milliseconds, or None while
        nobody waits for them."""
        self.elsewhere: ShownElsewhere | errors.PosError | None = None
        """The result of the search, or None before, or when the search was left."""
        self.receipt_fault: errors.PosError | None = None
        self.unread = ""
        """The receipt that could not be read because the server is away."""
        self.own_opened: OwnSale | None = None
        """The till's own data of the receipt, shown while the server can't be asked."""
        self.doing: Doing | None = None
        self.address = ""
        self.message: Message | None = None
        """The last message. A text is what somebody else refuses, as the window a key."""
        self.act = ActInFront(lambda: services.outbox.young_doubts)
        """The copy, or the receipt that undoes a refund, that somebody waits for."""

    @property
    def lacks_address(self) -> bool:
        """Whether the begun act sends, and no address is typed to which it could."""
        try:
            checked_address(self.address.strip())
        except errors.Invalid:
            return self.doing in (Doing.SEND, Doing.SEND_AGAIN)
        return False

    def is_day(self, typed_text: str) -> bool:
        """Whether the typed end of a period is a day, or empty."""
        return not typed_text.strip() or day_typed(typed_text.strip(), today=self.today) is not None

    @property
    def lists_nothing(self) -> bool:
        """Whether the list is whole and has no receipt."""
        is_whole = self.state is None or self.state.is_whole
        is_read = self.is_found and self.own is None and self.list_fault is None
        return is_read and is_whole and not self.listed_rows

    @property
    def sees_turnover(self) -> bool:
        return self._services.sees_turnover

    @property
    def today(self) -> date:
        return day_of(self._services.till.clock.now())

    # --- the list --------------------------------------------------------------------------------

    def is_half_of_pair(self, sale: Sale) -> bool:
        return pair_with(self._services.sales, sale) is not None

    def is_exchange(self, receipt_id: str) -> bool:
        return self._services.sales.is_exchange(receipt_id)

    @property
    def listed_rows(self) -> Sequence[Row]:
        if self.own is not None:
            return self.own
        if self.filters.waiting:
            return [one.receipt for one in self.waiting]
        return self.rows

    @property
    def is_found(self) -> bool:
        """Whether the rows answer the last query."""
        return self.rows_of == self.filters

    @property
    def is_full(self) -> bool:
        """Whether MOST_ROWS are kept although there are more."""
        held = len(self.waiting) if self.filters.waiting else len(self.rows)
        return held >= MOST_ROWS and self._next is not None

    @property
    def goes_on(self) -> bool:
        """Whether the next page shall be read once the end comes into sight."""
        return self.own is None and self._next is not None and not self.is_full

    @property
    def _next(self) -> receipt_list.ListPosition | int | None:
        return self.waiting_go_on if self.filters.waiting else self.go_on

    def filter(self, filters: Filters) -> None:
        """Set another query, and drop the sums of the last one."""
        self.filters = filters
        self.turnover = None

    def take_waiting(
        self, rows: Iterable[receipt_list.WaitingReceipt], last: receipt_list.WaitingPage
    ) -> None:
        """Take the receipts that need an act, and the last page of them that was read. One that
        moved between two pages is listed once."""
        self.waiting = list({one.receipt.request_id: one for one in rows}.values())
        self.waiting_many, self.waiting_go_on = last.many, last.go_on

    def take_list(self, page: receipt_list.ListPage) -> None:
        """Take the newest receipts. The rows behind them stay if the query is unchanged."""
        rows = list(page.rows)
        tail = self._behind(rows) if self.is_found and page.go_on is not None else []
        if not tail:
            self.go_on = page.go_on
        self._take(page, [*rows, *tail])
        self.rows_of = self.filters
        self.own = self.list_fault = None

    def _behind(self, rows: list[receipt_list.ListedReceipt]) -> list[receipt_list.ListedReceipt]:
        return [one for one in self.rows if rows and one.list_position < rows[-1].list_position]

    def take_more(self, page: receipt_list.ListPage) -> None:
        self.go_on = page.go_on
        self._take(page, [*self.rows, *page.rows])

    def _take(self, page: receipt_list.ListPage, rows: list[receipt_list.ListedReceipt]) -> None:
        self.rows, self.state = rows, page.state

    def fail_list(self, fault: errors.PosError) -> None:
        """Take an error of the list. While the server is away the till's own sales are shown."""
        self.list_fault = fault
        if not self.is_found:
            self.rows, self.rows_of, self.go_on = [], None, None
        if isinstance(fault, AWAY) and self.own is None:
            self.own, self._own_go_on = [], None
            self._read_own()

    def read_more_own(self) -> bool:
        """Read the next own sales; returns whether there were any."""
        if self.own is None or self._own_go_on is None or len(self.own) >= MOST_ROWS:
            return False
        self._read_own()
        return True

    def _read_own(self) -> None:
        assert self.own is not None
        found = own_sales(self._services.sales, after=self._own_go_on, most=PAGE)
        self.own, self._own_go_on = [*self.own, *found.rows], found.go_on

    def index_of(self, reference: str) -> int | None:
        """The index of the row with a receipt's id or number, or with an own sale's key."""
        shown, wanted = self.listed_rows, reference.casefold()
        by_id = (index for index, row in enumerate(shown) if reference_of(row) == reference)
        found = next(by_id, None)
        if found is None:
            named = (index for index, row in enumerate(shown) if wanted in _names(row))
            found = next(named, None)
        return found

    # --- the receipt -----------------------------------------------------------------------------

    def want(
        self, reference: str, *, by_scan: bool = False, foreign: ForeignReceipt | None = None
    ) -> None:
        """Ask for this receipt next; what was begun with the last one is left. foreign: the content
        of its code, in case the journal does not have it."""
        self.wanted, self.opened_by_scan = reference, by_scan
        self.by_short_number = by_scan and reference.startswith("-")
        self._foreign = foreign
        self.unknown, self.search_began, self.elsewhere = "", None, None
        self.is_late = False
        self.receipt_fault = self.own_opened = None
        self.unread = ""
        self.doing, self.message, self.address = None, None, ""
        self.act.sale = None

    def take_receipt(self, shown_receipt: ShownReceipt) -> None:
        self.opened = shown_receipt
        self.own_act = act_on(self._services.sales, shown_receipt.overview)
        self.wanted, self.is_late = "", False
        self.receipt_fault = self.own_opened = None
        self.unread = ""

    def fail_receipt(self, fault: errors.PosError) -> None:
        """Take an error of the receipt; the till's own data of it is shown, if there is any."""
        is_away = isinstance(fault, AWAY)
        self.unread = self.wanted if is_away else ""
        own = self._own_of(self.wanted) if is_away else None
        is_missing = isinstance(fault, errors.NoSuchReceipt) and is_whole_number(self.wanted)
        self.unknown = self.wanted if is_missing else ""
        self.opened, self.wanted, self.is_late = None, "", False
        self.receipt_fault, self.own_opened = fault, own

    @property
    def lacks_answer(self) -> bool:
        """Whether the list or a receipt could not be read; the next list asks for both."""
        return self.list_fault is not None or bool(self.unread)

    def open_own(self, reference: str) -> bool:
        """Show one of the till's own sales while the server is away; False for another receipt."""
        if self.own is None or (own := self._own_of(reference)) is None:
            return False
        self.want("")
        self.opened, self.own_opened = None, own
        self.unread = own.request_id or ""
        return True

    def _own_of(self, reference: str) -> OwnSale | None:
        rows = self.own
        if rows is None:
            rows = list(own_sales(self._services.sales, most=PAGE).rows)
        return next((one for one in rows if reference.casefold() in _names(one)), None)

    @property
    def current(self) -> str:
        """The receipt whose row is marked: the one asked for, else the one shown."""
        if self.wanted:
            return self.wanted
        if self.opened is not None:
            return self.opened.overview.receipt_id
        return self.own_opened.key if self.own_opened is not None else ""

    @property
    def can_act(self) -> bool:
        """Whether the shown receipt is the one that was asked for last, and no other list is being
        read that may be without it."""
        return self.opened is not None and not self.wanted and not self.is_reading_another

    @property
    def is_reading_another(self) -> bool:
        """Whether the list is another query's, and the answer is still to come."""
        is_first = self.rows_of is None
        return not is_first and not self.is_found and self.list_fault is None

    @property
    def delivers(self) -> bool:
        jobs = self.opened.overview.deliveries if self.opened is not None else ()
        return any(job.state in GOES_ON for job in jobs)

    @property
    def waits_for_act(self) -> bool:
        """Whether another act on the open receipt, or in its chain, is under way."""
        overview = self.opened.overview if self.opened is not None else None
        if overview is None:
            return False
        is_held = any(one.why_not is WhyNot.UNDER_WAY for one in overview.acts)
        return is_held or any(one.state in OPEN for one in overview.chain)

    @property
    def paper_to_print(self) -> DeliveryJob | None:
        """The job that prints the original once more, or None where that is unlawful, or the
        original was never to be on paper."""
        if self.opened is None or not self.allows(ReceiptAct.PRINT):
            return None
        return self._job_again(*PAPERS)

    @property
    def mail_to_repeat(self) -> DeliveryJob | None:
        return self._job_again(JobMethod.EMAIL)

    def _job_again(self, *methods: JobMethod) -> DeliveryJob | None:
        jobs = self.opened.overview.deliveries if self.opened is not None else ()
        return next((one for one in jobs if one.method in methods and one.state in AGAIN), None)

    @property
    def may_mail(self) -> bool:
        return self._services.may_mail

    @property
    def foreign(self) -> ForeignReceipt | None:
        """A scanned receipt, or another till's, that the journal does not have."""
        if not isinstance(self.receipt_fault, errors.NoSuchReceipt):
            return None
        found = self.elsewhere.receipt if isinstance(self.elsewhere, ShownElsewhere) else None
        return found or self._foreign

    @property
    def missing(self) -> str:
        """The unknown number that other tills may know."""
        return self.unknown if self.joins_tills else ""

    @property
    def joins_tills(self) -> bool:
        status = self._services.server.status
        public_mode = status.public_mode if status is not None else None
        off = (PublicModeState.OFF, PublicModeState.NOT_CONFIGURED)
        return public_mode is not None and public_mode.state not in off

    @property
    def searched_ms(self) -> int:
        if self.search_began is None:
            return 0
        return self._services.till.clock.ticks() - self.search_began

    def begin_search(self) -> None:
        self.search_began, self.elsewhere = self._services.till.clock.ticks(), None

    @property
    def copy_waits(self) -> bool:
        """Whether the copy is issued by itself only once server and processor are back."""
        is_begun = self.act.stage is Stage.UNDER_WAY
        return is_begun and self._services.server.signs_nothing

    def allows(self, act: ReceiptAct) -> bool:
        shown = self.opened
        return shown is not None and shown.overview.why_not(act) is None

    # --- what is done with it --------------------------------------------------------------------

    def begin(self, doing: Doing | None) -> None:
        """Show what an act will do before it is done; None leaves the act."""
        self.doing, self.message = doing, None
        if self.act.stage is not Stage.UNDER_WAY:
            self.act.sale = None
        mails = self.opened.overview.deliveries if self.opened is not None else ()
        targets = [one.target for one in mails if one.target]
        if doing is Doing.SEND and not self.address and targets:
            self.address = targets[-1]
        if doing is Doing.SEND_AGAIN and (job := self.mail_to_repeat) is not None:
            self.address = job.target

    def leave(self) -> None:
        """Leave the screen: the next visit begins with today, read anew."""
        self.filters, self.days_typed, self.holds_days = Filters(), ("", ""), False
        self.rows, self.rows_of, self.go_on = [], None, None
        self.turnover, self.own, self.list_fault = None, None, None
        self.is_asking = False
        self.want("")
        self.opened = None


def is_whole_number(typed_text: str) -> bool:
    """Whether the typed text is a whole fiscal number, and not the end of one or an id."""
    try:
        FiscalNumber.parse(typed_text.strip())
    except errors.Invalid:
        return False
    return True


def reference_of(row: Row) -> str:
    return row.key if isinstance(row, OwnSale) else row.request_id


def _names(row: Row) -> tuple[str, ...]:
    if isinstance(row, OwnSale):
        names = (row.key, row.request_id or "", row.number or "")
    else:
        names = (row.request_id, row.number, "")
    return tuple(one.casefold() for one in names if one)
