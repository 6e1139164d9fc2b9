"""The room of the receipts: it asks the server for the list and for one receipt, and has a copy
made, a paper printed once more or a file opened."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from pos_app.cashier.acts.act_in_front import Stage
from pos_app.cashier.receipts.filters import Filters, PeriodChoice
from pos_app.cashier.receipts.model import (
    PAGE,
    Doing,
    ReceiptsMessage,
    ReceiptsModel,
    SavedPdf,
    is_whole_number,
    reference_of,
)
from pos_app.cashier.services.exporting import Exporting
from pos_app.cashier.services.tasks import LastAsked
from pos_app.cashier.ui.fonts import breakable
from pos_app.cashier.window.frame import Busy, Change, Frame, Room
from pos_app.cashier.window.screens import (
    CORRECTION,
    RECEIPTS,
    REFUND,
    REPORTS,
    ReceiptPlace,
    ReceiptsOfPlace,
)
from pos_app.documents.shown_receipt import ShownElsewhere, ShownReceipt
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_list import EVERYTHING
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.text.email_address import checked_address
from pos_app.errors import PosError
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.receipts.confirm import confirm_copy
from pos_app.selling.receipts.correction import confirm_undoing
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import ENDED, SaleState
from pos_app.selling.server.monitor import ServerLink

REST_MS = 120
"""Milliseconds that a row stays current before its receipt is read, as arrow keys pass many."""
LATE_MS = 300
"""Milliseconds that the last receipt stays visible while the next one is read."""
LOOK_SECONDS = 3
"""Seconds between two checks whether deliveries are done, or whether the server is back."""


_ENDED_HERE = ENDED | {SaleState.REFUSED, SaleState.DOUBT}
"""The states in which nobody waits at the till for an act any more."""


class ReceiptsRoom(Room):
    """Signals: `listed()`, rows, sums or their state changed; `receipt_changed()`, the receipt or
    its act changed."""

    listed = Signal()
    receipt_changed = Signal()
    _file_came = Signal(object)
    _file_saved = Signal(str)

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.model = ReceiptsModel(frame.services)
        self._services = frame.services
        self._listing, self._reading, self._searching = (LastAsked(frame.tasks) for _ in range(3))
        self._opens_first = False
        self.back_to = ""
        """The screen that Esc leads to, or "" for the sale."""
        self._way_back: tuple[str, Filters] | None = None
        """Where Esc led to, and the filters of the list, when an act on a receipt was opened from
        here. It is None again once somebody went to the sale."""
        self._seconds = 0
        self._resting = self._timer(REST_MS, self._ask_wanted)
        self._late = self._timer(LATE_MS, self._be_late)
        self.exporting = Exporting(self)
        frame.went_home.connect(self._forget_left)
        self._file_came.connect(self._show_file, Qt.ConnectionType.QueuedConnection)
        self._file_saved.connect(self._tell_saved, Qt.ConnectionType.QueuedConnection)

    def _timer(self, milliseconds: int, on_end: Callable[[], None]) -> QTimer:
        timer = QTimer(self, interval=milliseconds, singleShot=True)
        timer.timeout.connect(on_end)
        return timer

    # --- for the frame ---------------------------------------------------------------------------

    def handle_change(self, change: Change) -> None:
        if self.model.act.follow_change(change):
            self._follow_act()

    @property
    def busy(self) -> Busy | None:
        return Busy.RECEIPTS if self.exporting.poll is not None else None

    def leave(self) -> None:
        for asked in (self._listing, self._reading, self._searching):
            asked.drop()
        self._resting.stop()
        self._late.stop()
        is_act = self.frame.top_name in (REFUND, CORRECTION)
        self._way_back = (self.back_to, self.model.filters) if is_act and self.back_to else None
        self._opens_first, self.back_to = False, ""
        self.exporting.leave()
        self.model.leave()

    def _forget_left(self) -> None:
        self._way_back = None

    def close(self) -> None:
        self._leave_wanted()

    def tick(self) -> None:
        self._seconds = (self._seconds + 1) % LOOK_SECONDS
        if self._seconds == 0:
            self.look()

    def look(self) -> None:
        """Check whether the server is back, whether the deliveries are done, and whether another
        act on the receipt has ended."""
        if self.model.lacks_answer:
            self.refresh()
        if self.model.delivers or self.model.waits_for_act:
            self.read_again()

    def see_server(self) -> None:
        if self._services.server.link is ServerLink.OURS and self.model.lacks_answer:
            self.refresh()
        self.receipt_changed.emit()

    # --- the list --------------------------------------------------------------------------------

    def filter(self, filters: Filters) -> None:
        if filters != self.model.filters:
            self.model.filter(filters)
            self.ask_list()

    def change(self, **changed: object) -> None:
        """Ask the query with members of `Filters` changed; this leaves the list of what waits."""
        filters = replace(self.model.filters, **{"waiting": False, **changed})  # type: ignore[arg-type]
        self.filter(filters)

    def come_from(self, screen_place: ReceiptPlace) -> None:
        """Let Esc lead where the receipt was opened from; after an act on it, where it led
        before."""
        if screen_place.is_back and self._way_back is not None:
            self.back_to, filters = self._way_back
            self.filter(filters)
        elif screen_place.back_to:
            self.back_to = screen_place.back_to
        self._way_back = None

    def show_days(self, screen_place: ReceiptsOfPlace) -> None:
        """Show the receipts of some days for a report, whatever was asked before."""
        self.back_to = REPORTS
        parts = (
            f"{day.day}.{day.month}.{day.year}." for day in (screen_place.first, screen_place.last)
        )
        self.model.days_typed, self.model.holds_days = (next(parts), next(parts)), False
        self.filter(
            Filters(
                PeriodChoice.DAYS,
                screen_place.first,
                screen_place.last,
                payment=screen_place.payment,
                narrowed=screen_place.narrowed,
                narrowed_to=screen_place.words,
            )
        )

    def widen(self) -> None:
        self.change(narrowed=EVERYTHING, narrowed_to=None)

    def ask_list(self) -> None:
        """Read the list from the newest receipt on; an outstanding answer is not waited for."""
        self._begin_listing(self._ask_list)
        self.listed.emit()

    def _begin_listing(self, ask: Callable[[], Coroutine[object, object, None]]) -> None:
        self.model.is_asking = True
        self._listing.ask(
            ask, name="list receipts", take=lambda _: self._end_listing(), fail=self._list_failed
        )

    def _end_listing(self) -> None:
        self.model.is_asking = False
        self.listed.emit()

    def refresh(self) -> None:
        if not self.model.is_asking:
            self.ask_list()

    def go_on(self) -> None:
        model = self.model
        if model.read_more_own():
            self.listed.emit()
        elif model.goes_on and not model.is_asking:
            self._begin_listing(self._ask_more)

    def open_first(self) -> None:
        self._opens_first = True
        if self.model.is_found:
            self._open_first_found()

    async def _ask_list(self) -> None:
        model, receipts = self.model, self._services.receipts
        query = model.filters.query(model.today)
        is_other = model.rows_of is not None and not model.is_found
        page = await receipts.page(query, most=PAGE)
        if model.filters.waiting:
            await self._ask_waiting(len(model.waiting))
        model.take_list(page)
        if is_other and not (self._opens_first and model.listed_rows):
            self._follow()
        if model.unread:
            self.open(model.unread)
        if not model.filters.waiting:
            await self._ask_waiting(0)
        self._open_first_found()
        self.listed.emit()
        if self._services.sees_turnover:
            model.turnover = (await receipts.turnover(query)).turnover

    async def _ask_waiting(self, held: int) -> None:
        """Read as many rows as before, so that the list stays where it is."""
        receipts = self._services.receipts
        page = await receipts.waiting()
        rows = list(page.rows)
        while len(rows) < held and page.go_on is not None:
            page = await receipts.waiting(before=page.go_on)
            rows += page.rows
        self.model.take_waiting(rows, page)

    def _follow(self) -> None:
        """Follow the answer to another query: a receipt that is not among the found ones is closed,
        and the first found one is shown."""
        model = self.model
        if model.index_of(model.current) is not None:
            self.receipt_changed.emit()
        elif model.listed_rows:
            self.choose(reference_of(model.listed_rows[0]))
        else:
            self._leave_wanted()
            model.want("")
            model.opened = None
            self.receipt_changed.emit()

    async def _ask_more(self) -> None:
        model = self.model
        if model.filters.waiting:
            page = await self._services.receipts.waiting(before=model.waiting_go_on)
            model.take_waiting([*model.waiting, *page.rows], page)
        else:
            query = model.filters.query(model.today)
            model.take_more(await self._services.receipts.page(query, after=model.go_on, most=PAGE))

    def _list_failed(self, error: PosError) -> None:
        self.model.is_asking = False
        try:
            self.model.fail_list(error)
        except PosError as unread:
            self.frame.home.show_error(unread)
        self.listed.emit()

    def _open_first_found(self) -> None:
        shown = self.model.listed_rows
        typed = self.model.filters.typed_text.strip()
        if self._opens_first and shown:
            self.open(reference_of(shown[0]))
        elif self._opens_first and is_whole_number(typed):
            self.open(typed)
        self._opens_first = False

    # --- the receipt -----------------------------------------------------------------------------

    def choose(self, reference: str) -> None:
        """Read the receipt of a row that a person chose, after the row was current for a moment."""
        opened = self.model.opened
        is_open = opened is not None and opened.overview.receipt_id == reference
        self._leave_wanted()
        if is_open and not self.model.opened_by_scan:
            self.model.wanted = ""
        elif not self.model.open_own(reference):
            self.model.want(reference)
            self._resting.start()
        self.receipt_changed.emit()

    def open(
        self, reference: str, *, by_scan: bool = False, foreign: ForeignReceipt | None = None
    ) -> None:
        """Show the receipt of that number or id, or of the end of a number."""
        self._leave_wanted()
        if not self.model.open_own(reference):
            self.model.want(reference, by_scan=by_scan, foreign=foreign)
            self._ask_wanted()
        self.receipt_changed.emit()

    def _leave_wanted(self) -> None:
        self._resting.stop()
        self._late.stop()
        self._reading.drop()
        self.stop_search()

    def _ask_wanted(self) -> None:
        self._late.start()
        self._ask_receipt(self.model.wanted)

    def _be_late(self) -> None:
        if self.model.wanted:
            self.model.is_late = True
            self.receipt_changed.emit()

    def _ask_receipt(self, reference: str) -> None:
        self._reading.ask(
            partial(self._services.receipt_now, reference),
            name="read a receipt",
            take=self._take_receipt,
            fail=self._not_read,
        )

    def _not_read(self, error: PosError) -> None:
        if self.model.wanted:  # else the receipt is shown already
            self._late.stop()
            self.model.fail_receipt(error)
            self.search_elsewhere()
            self.receipt_changed.emit()

    # --- the shop's other tills ------------------------------------------------------------------

    def search_elsewhere(self) -> None:
        """Ask the other tills for what the journal does not have, where a platform joins them."""
        number = self.model.missing
        if not number or self.model.search_began is not None:
            return
        self.model.begin_search()
        self._searching.ask(
            partial(self._services.receipts.elsewhere, number),
            name="ask the shop's other tills",
            take=self._take_search,
            fail=self._take_search,
        )
        self.receipt_changed.emit()

    def _take_search(self, answer: ShownElsewhere | PosError) -> None:
        self.model.search_began, self.model.elsewhere = None, answer
        self.receipt_changed.emit()

    def stop_search(self) -> None:
        self._searching.drop()
        if self.model.search_began is not None:
            self.model.search_began = None
            self.receipt_changed.emit()

    def _take_receipt(self, shown_receipt: ShownReceipt) -> None:
        model = self.model
        before, receipt_id = model.opened, shown_receipt.overview.receipt_id
        is_same = before is not None and before.overview.receipt_id == receipt_id
        self._late.stop()
        model.take_receipt(shown_receipt)
        self.receipt_changed.emit()
        if (
            before is not None
            and is_same
            and (before.overview.deliveries != shown_receipt.overview.deliveries)
        ):
            self.refresh()

    def see_ended(self, sale: Sale) -> None:
        """Read the receipt anew once an act has ended that may be about it, wherever the act was
        confirmed."""
        is_act = sale.operation is not Operation.ISSUE or sale.follows is not None
        if is_act and sale.state in _ENDED_HERE:
            self.read_again()

    def read_again(self) -> None:
        if self.model.opened is not None and not self.model.wanted:
            self._ask_receipt(self.model.opened.overview.receipt_id)

    # --- what is done with it --------------------------------------------------------------------

    def begin(self, doing: Doing | None) -> None:
        self.model.begin(doing)
        self.receipt_changed.emit()

    def print(self) -> None:
        """Print the original once more, by the job that perhaps did not print it."""
        self._again_instead(self.model.paper_to_print)

    def send_again(self) -> None:
        """Send the original, whose e-mail was not sent yet, to the typed address. Raises Invalid
        for a wrong one."""
        job, address = self.model.mail_to_repeat, checked_address(self.model.address.strip())
        is_other = job is not None and job.target != address
        self._again_instead(job, email=address if is_other else "")

    def _again_instead(self, job: DeliveryJob | None, *, email: str = "") -> None:
        self.model.begin(None)
        if job is not None:
            self.again(job, email=email)
        self.receipt_changed.emit()

    def again(self, job: DeliveryJob, *, email: str = "") -> None:
        """Hand over once more. email: the address to which the mail goes instead."""
        opened = self.model.opened
        if not self._note(NotedAct.REPRINT, opened.overview.number if opened is not None else ""):
            return
        self._start(self._again(job, email), "hand over again", self._act_failed)

    def _note(self, done: NotedAct, subject: str) -> bool:
        """Log an act before it is done. Returns False if that failed and the act must not be
        done."""
        try:
            self._services.note(done, subject)
        except PosError as error:
            self._act_failed(error)
            return False
        return True

    async def _again(self, job: DeliveryJob, email: str) -> None:
        services = self._services
        await services.server_jobs.again(job.id, by=services.cashier, email=email)
        self._tell(ReceiptsMessage.AGAIN_ASKED)
        self.read_again()

    def copy(self) -> None:
        self._confirm_copy(self._services.usual_delivery.delivery())

    def send_copy(self) -> None:
        """Issue a copy and send it. Raises Invalid for a wrong address."""
        self._confirm_copy(ReceiptDelivery(email=checked_address(self.model.address.strip())))

    def _confirm_copy(self, delivery: ReceiptDelivery) -> None:
        services = self._services

        def confirm(overview: ReceiptOverview) -> Sale:
            return confirm_copy(
                till=services.till, overview=overview, delivery=delivery, cashier=services.cashier
            )

        self._confirm(confirm)

    def undo(self) -> None:
        """Issue the sale that undoes the open refund; the drawer stays shut."""
        services = self._services

        def confirm(overview: ReceiptOverview) -> Sale:
            return confirm_undoing(
                till=services.till,
                overview=overview,
                seller=services.own_buyer(),
                delivery=services.usual_delivery.delivery(),
                cashier=services.cashier,
                in_whole_dinars=services.in_whole_dinars,
            )

        self._confirm(confirm)

    def _confirm(self, confirm: Callable[[ReceiptOverview], Sale]) -> None:
        shown = self.model.opened
        if shown is None or self.model.act.stage is Stage.UNDER_WAY:
            return
        try:
            sale = confirm(shown.overview)
        except PosError as error:
            self._act_failed(error)
            return
        self.model.begin(None)
        self.model.act.sale = sale
        self.frame.home.act_confirmed(sale)
        self.receipt_changed.emit()

    def _follow_act(self) -> None:
        """Read receipt and list anew once the copy is issued, refused or in doubt."""
        if self.model.act.stage is not Stage.UNDER_WAY:
            self.model.message = None  # the end of the act is told
            self.ask_list()
            self.read_again()
        self.receipt_changed.emit()

    def pdf(self) -> None:
        """Open the receipt as its customer sees it, in the system's viewer."""
        if self.model.opened is not None:
            receipt_id = self.model.opened.overview.receipt_id
            self._start(self._pdf(receipt_id), "show a receipt", self._act_failed)

    def save_pdf(self, receipt_id: str, file: Path) -> None:
        self._start(self._save_pdf(receipt_id, file), "save a receipt", self._act_failed)

    async def _save_pdf(self, receipt_id: str, file: Path) -> None:
        services = self._services
        await services.receipt_files.save(receipt_id, file, by=services.cashier)
        self._file_saved.emit(breakable(str(file)))

    async def _pdf(self, receipt_id: str) -> None:
        services = self._services
        file = await services.receipt_files.pdf_of(receipt_id, by=services.cashier)
        self._file_came.emit(file)

    def verify(self) -> None:
        shown = self.model.opened
        url = QUrl(shown.overview.verification_url or "" if shown is not None else "")
        if url.scheme() not in ("http", "https") or not QDesktopServices.openUrl(url):
            self._tell(ReceiptsMessage.VERIFY_UNOPENED)

    # --- parts -----------------------------------------------------------------------------------

    def _show_file(self, file: Path) -> None:
        self._tell(ReceiptsMessage.PDF_OPENED)
        self.frame.viewer.show(file, on_failed=self._file_not_opened)

    def _tell_saved(self, file: str) -> None:
        self._tell(SavedPdf(file))

    def _file_not_opened(self) -> None:
        self._tell(ReceiptsMessage.PDF_UNOPENED)

    def _act_failed(self, error: PosError) -> None:
        if self.frame.top_name == RECEIPTS:
            self._tell(error)
        else:
            self.frame.home.show_error(error)

    def _tell(self, what: ReceiptsMessage | SavedPdf | PosError) -> None:
        self.model.message = what
        self.receipt_changed.emit()

    def _start(
        self,
        coroutine: Coroutine[object, object, None],
        name: str,
        on_failure: Callable[[PosError], None],
    ) -> None:
        self.frame.tasks.start(coroutine, name=name, on_failure=on_failure)
