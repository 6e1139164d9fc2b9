"""The room of the receipts: asks the server for the list and for one of them, and has a copy made,
a paper printed once more or a file opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from pos_app.cashier.act_in_front import Stage
from pos_app.cashier.frame import Change, Frame, Room
from pos_app.cashier.receipts.model import PAGE, Doing, Filters, ReceiptsModel
from pos_app.domain.email_address import checked_address
from pos_app.domain.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt_overview import ReceiptOverview
from pos_app.domain.request import ReceiptDelivery
from pos_app.domain.server_status import DeliveryJob
from pos_app.errors import PosError
from pos_app.selling.receipts.confirm import confirm_copy
from pos_app.selling.receipts.correction import confirm_undoing
from pos_app.selling.sale.sale import Sale
from pos_app.selling.server.ports import ShownReceipt


class ReceiptsRoom(Room):
    """Signals: `listed()`, the rows, their sums or what is known of them; `shown()`, the receipt or
    what is done with it; `said(str, bool)`, one line, and whether it is trouble.
    """

    listed = Signal()
    shown = Signal()
    said = Signal(str, bool)
    _file_came = Signal(object)
    _came = Signal(object, str)

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.model = ReceiptsModel(frame.services)
        self._services = frame.services
        self._listing: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._tells_end = False
        self._file_came.connect(self._show_file, Qt.ConnectionType.QueuedConnection)
        self._came.connect(self._take_receipt, Qt.ConnectionType.QueuedConnection)

    # --- for the frame ---------------------------------------------------------------------------

    def hear(self, change: Change) -> None:
        if self.model.act.hear(change):
            self._follow_act()

    def leave(self) -> None:
        for task in (self._listing, self._reading):
            if task is not None:
                task.cancel()
        self.model.leave()

    # --- the list --------------------------------------------------------------------------------

    def filter(self, filters: Filters) -> None:
        """Ask another question, unless it is the same."""
        if filters != self.model.filters:
            self.model.filter(filters)
            self.ask_list()

    def change(self, **changed: object) -> None:
        """The same with some members of `Filters` changed."""
        self.filter(replace(self.model.filters, **changed))  # type: ignore[arg-type]

    def ask_list(self) -> None:
        """Read it from the newest on; an answer that was still to come is not waited for."""
        if self._listing is not None:
            self._listing.cancel()
        self.model.is_asking = True
        self._listing = self._start(self._ask_list(), "list receipts", self._list_failed)
        self.listed.emit()

    def go_on(self) -> None:
        """Read the next page; nothing while one is being read, or where there is none."""
        if self.model.go_on is not None and not self.model.is_asking:
            self.model.is_asking = True
            self._listing = self._start(self._ask_more(), "list receipts", self._list_failed)

    async def _ask_list(self) -> None:
        model, receipts = self.model, self._services.receipts
        query = model.filters.query(model.today)
        page = await receipts.page(query, most=PAGE)
        model.take_page(page, goes_on=False)
        self.listed.emit()
        model.waiting = await receipts.waiting()
        model.turnover = (await receipts.turnover(query)).turnover
        model.is_asking = False
        self.listed.emit()

    async def _ask_more(self) -> None:
        model = self.model
        query = model.filters.query(model.today)
        page = await self._services.receipts.page(query, after=model.go_on, most=PAGE)
        model.take_page(page, goes_on=True)
        model.is_asking = False
        self.listed.emit()

    def _list_failed(self, error: PosError) -> None:
        self.model.is_asking = False
        self.model.list_fault = error
        self.listed.emit()

    # --- the receipt -----------------------------------------------------------------------------

    def open(
        self, reference: str, *, by_scan: bool = False, foreign: ForeignReceipt | None = None
    ) -> None:
        """Show the receipt of that number or id."""
        self.model.want(reference, by_scan=by_scan, foreign=foreign)
        self._ask_receipt(reference)
        self.shown.emit()

    def _ask_receipt(self, reference: str) -> None:
        if self._reading is not None:
            self._reading.cancel()
        self._reading = self._start(
            self._ask_one(reference), "read a receipt", self._receipt_failed
        )

    async def _ask_one(self, reference: str) -> None:
        self._came.emit(await self._services.receipts.receipt(reference), reference)

    def _take_receipt(self, shown: ShownReceipt, reference: str) -> None:
        """Unless another one is wanted by now."""
        model = self.model
        if model.wanted in (reference, ""):
            model.take_receipt(shown)
            self.shown.emit()

    def _receipt_failed(self, error: PosError) -> None:
        self.model.fail_receipt(error)
        self.shown.emit()

    def read_again(self) -> None:
        """The one that is open may stand otherwise by now."""
        if self.model.opened is not None and not self.model.wanted:
            self._ask_receipt(self.model.opened.overview.receipt_id)

    # --- what is done with it --------------------------------------------------------------------

    def begin(self, doing: Doing | None) -> None:
        """Show what an act will do, before it does it; None: leave it."""
        self.model.doing = doing
        self.shown.emit()

    def print(self) -> None:
        """Its original once more: the job that did not surely come out."""
        job = self.model.paper_to_print
        if job is not None:
            self.again(job)

    def again(self, job: DeliveryJob) -> None:
        """Have one of its deliveries tried once more, now."""
        self._start(self._again(job), "hand over again", self._act_failed)

    async def _again(self, job: DeliveryJob) -> None:
        services = self._services
        await services.server_decisions.job_again(job.id, by=services.cashier)
        self._say("receipts.again_asked")
        self.read_again()

    def copy(self) -> None:
        """Issue a copy of the one that is open, and hand it over as the store usually does."""
        self._confirm_copy(self._services.usual_delivery.delivery())

    def send_copy(self, address: str) -> None:
        """Issue a copy and send it. Raises Invalid for what is no address."""
        self._confirm_copy(ReceiptDelivery(email=checked_address(address.strip())))

    def _confirm_copy(self, delivery: ReceiptDelivery) -> None:
        services = self._services

        def confirm(overview: ReceiptOverview) -> Sale:
            return confirm_copy(
                till=services.till, overview=overview, delivery=delivery, cashier=services.cashier
            )

        self._confirm(confirm)

    def undo(self) -> None:
        """Issue the sale that undoes the refund that is open; the drawer stays shut."""
        services = self._services

        def confirm(overview: ReceiptOverview) -> Sale:
            return confirm_undoing(
                till=services.till, overview=overview, seller=services.own_buyer(),
                delivery=services.usual_delivery.delivery(), cashier=services.cashier,
                in_whole_dinars=services.in_whole_dinars,
            )  # fmt: skip

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
        self.model.doing = None
        self.model.act.begin(sale)
        self.frame.home_room.act_confirmed(sale)
        self.shown.emit()

    def _follow_act(self) -> None:
        """The copy is issued, refused or in doubt: the receipt is read anew, and the list."""
        if self.model.act.stage is not Stage.UNDER_WAY:
            self.ask_list()
            self.read_again()
        self.shown.emit()

    def pdf(self) -> None:
        """Open it as its customer sees it, in the system's viewer."""
        if self.model.opened is not None:
            receipt_id = self.model.opened.overview.receipt_id
            self._start(self._pdf(receipt_id), "show a receipt", self._act_failed)

    async def _pdf(self, receipt_id: str) -> None:
        services = self._services
        file = await services.receipt_files.pdf_of(receipt_id, by=services.cashier)
        self._file_came.emit(file)

    def verify(self) -> None:
        """Open the page of the tax administration."""
        shown = self.model.opened
        url = QUrl(shown.overview.verification_url or "" if shown is not None else "")
        if url.scheme() not in ("http", "https") or not QDesktopServices.openUrl(url):
            self._say("receipts.verify_unopened", is_trouble=True)

    # --- parts -----------------------------------------------------------------------------------

    def _show_file(self, file: Path) -> None:
        self._say("receipts.pdf_opened")
        self.frame.viewer.show(file, on_failed=self._file_not_opened)

    def _file_not_opened(self) -> None:
        self._say("receipts.pdf_unopened", is_trouble=True)

    def _act_failed(self, error: PosError) -> None:
        words = self.frame.ui.texts.error(error)
        self.said.emit(f"{words.happened} {words.press}".strip(), True)

    def _say(self, key: str, *, is_trouble: bool = False) -> None:
        self.said.emit(self.frame.ui.texts(key), is_trouble)

    def _start(
        self,
        coroutine: Coroutine[object, object, None],
        name: str,
        on_failure: Callable[[PosError], None],
    ) -> asyncio.Task[None]:
        return self.frame.tasks.start(coroutine, name=name, on_failure=on_failure)
