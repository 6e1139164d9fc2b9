"""The till's routes to the receipts of the journal, of all callers."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response

from pos_app import log
from pos_app.documents.blocks import Document, plain
from pos_app.domain.receipt import receipt_elsewhere, receipt_list, receipt_number, verification
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.open_advances import OpenAdvances
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.reports import ReportAsked, ReportSums
from pos_app.errors import Invalid, MachineError, NotFound
from pos_app.fiscalization.issuing.enqueue import given_rates
from pos_app.fiscalization.issuing.results import never_denied
from pos_app.fiscalization.plans.chain import ChainReceipt
from pos_app.fiscalization.receipt_overview import receipt_overview
from pos_app.fiscalization.receipt_search import ReceiptSearch, not_handed_over
from pos_app.fiscalization.service import FiscalService
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.local_api.context import ApiContext
from pos_app.local_api.job_routes import before_of
from pos_app.wire.records import from_json, to_json, written
from pos_app.wire.strict_json import dumps, loads

_log = log.get(__name__)


class JournalRoutes:
    def __init__(self, *, service: FiscalService, context: ApiContext) -> None:
        self._service = service
        self._context = context

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [
            Endpoint("GET", "/till/receipts/{reference}", cls.receipt),
            Endpoint("GET", "/till/receipts-elsewhere/{number}", cls.elsewhere),
            Endpoint("GET", "/till/advances", cls.advances),
            Endpoint("POST", "/till/receipt-list", cls.page),
            Endpoint("POST", "/till/receipt-list/turnover", cls.turnover),
            Endpoint("POST", "/till/report", cls.report),
            Endpoint("GET", "/till/receipt-list/choices", cls.choices),
            Endpoint("GET", "/till/receipt-list/waiting", cls.waiting),
        ]

    @property
    def _list(self) -> ReceiptSearch:
        if self._context.receipt_list is None:
            raise NotFound("no_receipt_list")
        return self._context.receipt_list

    async def receipt(self, request: Request) -> Response:
        """GET /till/receipts/{reference}: everything about the receipt of that id or number, and
        its paper in blocks; null if the paper can't be laid out now."""
        journal, reference = self._service.journal, request.path_params["reference"]
        with never_denied(journal, reference):
            rates = given_rates(self._service.lane.status)
            overview, link = receipt_overview(journal, reference, rates=rates)
        paper = await self._paper(link)
        answer = {
            "overview": to_json(ReceiptOverview, overview),
            "paper": None if paper is None else plain(paper),
        }
        return Response(dumps(answer), media_type=JSON)

    async def elsewhere(self, request: Request) -> Response:
        """GET /till/receipts-elsewhere/{number}: the other till of the shop that has the receipt of
        that fiscal number, and the receipt's paper; or why there is no such till."""
        others, receipt = self._context.other_tills, None
        search = receipt_elsewhere.SearchElsewhere(receipt_elsewhere.SearchEnd.NOT_ASKED)
        if others is not None:
            number = str(receipt_number.FiscalNumber.parse(request.path_params["number"]))
            search, receipt = await others.find(number)
        paper = None if receipt is None else await self._paper_elsewhere(receipt)
        answer = {
            "search": to_json(receipt_elsewhere.SearchElsewhere, search),
            "paper": None if paper is None else plain(paper),
        }
        return Response(dumps(answer), media_type=JSON)

    async def _paper_elsewhere(self, receipt: SignedReceipt) -> Document | None:
        """Lay the signed part of the receipt out. The text that the other till printed below the
        end line is unknown."""
        try:
            read = verification.decode(receipt.verification_url or "")
        except Invalid:
            return None
        document = FiscalDocument(read.invoice_type, read.transaction_type, (), (), cashier="")
        return await self._laid_out(receipt, document, EsirPart())

    async def advances(self, request: Request) -> Response:
        """GET /till/advances: the open advances, the one touched last first."""
        return Response(_written(await self._list.open_advances()), media_type=JSON)

    async def page(self, request: Request) -> Response:
        """POST /till/receipt-list: a page of the receipts that a query finds, the newest first."""
        asked = from_json(receipt_list.ListAsked, loads(await request.body()))
        page = await self._list.page(
            asked.query, after=asked.after, most=asked.most, figures=asked.figures
        )
        return Response(written(receipt_list.ListPage, page), media_type=JSON)

    async def turnover(self, request: Request) -> Response:
        """POST /till/receipt-list/turnover: the turnover of all receipts that a query finds."""
        asked = from_json(receipt_list.ListAsked, loads(await request.body()))
        turnover = await self._list.turnover(asked.query)
        return Response(written(receipt_list.ReportedTurnover, turnover), media_type=JSON)

    async def report(self, request: Request) -> Response:
        """POST /till/report: sums of the receipts of some days, a thousand rows at a time. `goOn`
        of the answer is the `skip` for the next rows."""
        asked = from_json(ReportAsked, loads(await request.body()))
        if asked.last < asked.first:
            raise Invalid("last_before_first", field="last")
        sums = await self._list.report(asked)
        return Response(written(ReportSums, sums), media_type=JSON)

    async def choices(self, request: Request) -> Response:
        """GET /till/receipt-list/choices: the cashiers and programs that a query can name."""
        return Response(
            written(receipt_list.ListChoices, await self._list.choices()), media_type=JSON
        )

    async def waiting(self, request: Request) -> Response:
        """GET /till/receipt-list/waiting: a page of the receipts with jobs that are not done.
        ?before=ID: the next page, from `goOn` of the previous one."""
        jobs, before = self._service.journal.jobs, before_of(request)
        page = await not_handed_over(jobs, self._list, before=before)
        return Response(written(receipt_list.WaitingPage, page), media_type=JSON)

    async def _paper(self, link: ChainReceipt) -> Document | None:
        planned, signed = link.planned, link.receipt
        assert signed is not None, "of what is not signed nothing is told"
        return await self._laid_out(signed, planned.document, planned.esir)

    async def _laid_out(
        self, signed: SignedReceipt, document: FiscalDocument, esir: EsirPart
    ) -> Document | None:
        try:
            return await asyncio.to_thread(self._context.pdf.layout, signed, document, esir)
        except MachineError as error:
            _log.warning("a receipt can't be laid out for the screen: %s", error.what)
            return None


@lru_cache(maxsize=1)
def _written(advances: OpenAdvances) -> bytes:
    """Write the answer, which is cached while the advances stay the same: a thousand take 13 ms."""
    return written(OpenAdvances, advances)
