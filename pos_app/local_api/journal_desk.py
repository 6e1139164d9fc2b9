"""Tells the till about the receipts of the journal, of all callers: the service "receipts"."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from pos_app import log
from pos_app.documents.blocks import Document
from pos_app.documents.shown_receipt import ShownElsewhere, ShownReceipt
from pos_app.domain.receipt import receipt_elsewhere, receipt_list, receipt_number, verification
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.open_advances import OpenAdvances
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.reports import ReportAsked, ReportSums
from pos_app.errors import Invalid, MachineError, NotFound, OutcomeUnknown
from pos_app.fiscalization.issuing.enqueue import given_rates
from pos_app.fiscalization.issuing.results import never_denied
from pos_app.fiscalization.open_advances import with_acts
from pos_app.fiscalization.receipt_overview import receipt_overview
from pos_app.fiscalization.receipt_search import ReceiptSearch, not_handed_over
from pos_app.fiscalization.refusals import ReceiptNotFound
from pos_app.fiscalization.service import FiscalService
from pos_app.local_api.context import ApiContext

_log = log.get(__name__)


class JournalDesk:
    """Implements documents.server_receipts.ServerReceipts."""

    def __init__(self, *, service: FiscalService, context: ApiContext) -> None:
        self._service = service
        self._context = context

    @property
    def _list(self) -> ReceiptSearch:
        if self._context.receipt_list is None:
            raise NotFound("no_receipt_list")
        return self._context.receipt_list

    async def receipt(self, reference: str) -> ShownReceipt:
        """Return everything about the receipt of that id, number or ending of a number. Raises
        ReceiptNotFound."""
        if reference.startswith("-"):
            reference = await self._newest(reference)
        journal = self._service.journal
        with never_denied(journal, reference):
            rates = given_rates(self._service.lane.status)
            overview, link = receipt_overview(journal, reference, rates=rates)
        planned, signed = link.planned, link.receipt
        assert signed is not None, "of what is not signed nothing is told"
        paper = await self._laid_out(signed, planned.document, planned.esir)
        return ShownReceipt(overview, paper)

    async def _newest(self, end: str) -> str:
        """Return the id of the newest receipt whose number ends so. Another element, such as an
        earlier card, may have counted as far."""
        rows = (await self._list.page(receipt_list.ReceiptQuery(number=end), most=1)).rows
        if not rows:
            raise ReceiptNotFound()
        return rows[0].request_id

    async def elsewhere(self, number: str) -> ShownElsewhere:
        others, receipt = self._context.other_tills, None
        search = receipt_elsewhere.SearchElsewhere(receipt_elsewhere.SearchEnd.NOT_ASKED)
        if others is not None:
            search, receipt = await others.find(str(receipt_number.FiscalNumber.parse(number)))
        if not search.verification_url:
            return ShownElsewhere(search)
        try:
            read = verification.decode(search.verification_url)
        except Invalid as error:
            raise OutcomeUnknown("server_unread", why=error.what) from error
        found = replace(
            ForeignReceipt.of(read),
            till=search.till,
            payments=search.payments,
            by_label=search.by_label,
        )
        # The text that the other till printed below the end line is unknown.
        document = FiscalDocument(read.invoice_type, read.transaction_type, (), (), cashier="")
        paper = await self._laid_out(receipt, document, EsirPart()) if receipt else None
        return ShownElsewhere(search, found, paper)

    async def advances(self) -> OpenAdvances:
        """Return the open advances, the one touched last first. Raises MachineError."""
        return with_acts(await self._list.open_advances(), self._service.journal)

    async def page(
        self,
        query: receipt_list.ReceiptQuery,
        *,
        after: receipt_list.ListPosition | None = None,
        most: int = 50,
        figures: bool = False,
    ) -> receipt_list.ListPage:
        return await self._list.page(query, after=after, most=most, figures=figures)

    async def turnover(self, query: receipt_list.ReceiptQuery) -> receipt_list.ReportedTurnover:
        return await self._list.turnover(query)

    async def report(self, asked: ReportAsked) -> ReportSums:
        """Return sums of some days, a thousand rows at a time. `go_on` of the answer is the `skip`
        for the next rows."""
        if asked.last < asked.first:
            raise Invalid("last_before_first", field="last")
        return await self._list.report(asked)

    async def choices(self) -> receipt_list.ListChoices:
        """Return the cashiers and programs that a query can name."""
        return await self._list.choices()

    async def waiting(self, *, before: int | None = None) -> receipt_list.WaitingPage:
        """Return a page of the receipts with jobs that are not done."""
        return await not_handed_over(self._service.journal.jobs, self._list, before=before)

    async def _laid_out(
        self, signed: SignedReceipt, document: FiscalDocument, esir: EsirPart
    ) -> Document | None:
        try:
            return await asyncio.to_thread(self._context.pdf.layout, signed, document, esir)
        except MachineError as error:
            _log.warning("a receipt can't be laid out for the screen: %s", error.what)
            return None
