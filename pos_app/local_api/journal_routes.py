"""The till's routes to the receipts of the journal, whoever asked for them."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from pos_app import log
from pos_app.documents.blocks import Document, plain
from pos_app.domain.open_advances import OpenAdvances
from pos_app.domain.receipt_list import (
    ListAsked,
    ListChoices,
    ListPage,
    ToldTurnover,
    WaitingReceipt,
)
from pos_app.domain.receipt_overview import ReceiptOverview
from pos_app.errors import MachineError, NotFound
from pos_app.fiscalization.issuing.enqueue import told_rates
from pos_app.fiscalization.issuing.results import never_denied
from pos_app.fiscalization.open_advances import open_advances
from pos_app.fiscalization.plans.chain import ChainReceipt
from pos_app.fiscalization.receipt_overview import receipt_overview
from pos_app.fiscalization.receipt_search import ReceiptSearch, not_handed_over
from pos_app.fiscalization.service import FiscalService
from pos_app.http_front.endpoint import Endpoint
from pos_app.http_front.errors import JSON
from pos_app.local_api.context import ApiContext
from pos_app.local_api.job_routes import before_of
from pos_app.wire.records import from_json, to_json, written, written_list
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
            Endpoint("GET", "/till/advances", cls.advances),
            Endpoint("POST", "/till/receipt-list", cls.page),
            Endpoint("POST", "/till/receipt-list/turnover", cls.turnover),
            Endpoint("GET", "/till/receipt-list/choices", cls.choices),
            Endpoint("GET", "/till/receipt-list/waiting", cls.waiting),
        ]

    @property
    def _list(self) -> ReceiptSearch:
        if self._context.receipt_list is None:
            raise NotFound("This server makes no list of its receipts")
        return self._context.receipt_list

    async def receipt(self, request: Request) -> Response:
        """GET /till/receipts/{reference}: all of the receipt of that id or number, and its paper in
        blocks; null where that can't be laid out now."""
        journal, reference = self._service.journal, request.path_params["reference"]
        with never_denied(journal, reference):
            rates = told_rates(self._service.lane.status)
            overview, link = receipt_overview(journal, reference, rates=rates)
        paper = await self._paper(link)
        told = {
            "overview": to_json(ReceiptOverview, overview),
            "paper": None if paper is None else plain(paper),
        }
        return Response(dumps(told), media_type=JSON)

    async def advances(self, request: Request) -> Response:
        """GET /till/advances: the open advances, the one touched last first."""
        found = await open_advances(self._service.journal, self._list)
        return Response(written(OpenAdvances, found), media_type=JSON)

    async def page(self, request: Request) -> Response:
        """POST /till/receipt-list: a page of the receipts that a query finds, the newest first."""
        asked = from_json(ListAsked, loads(await request.body()))
        page = await self._list.page(
            asked.query, after=asked.after, most=asked.most, figures=asked.figures
        )
        return Response(written(ListPage, page), media_type=JSON)

    async def turnover(self, request: Request) -> Response:
        """POST /till/receipt-list/turnover: of all receipts that its query finds."""
        asked = from_json(ListAsked, loads(await request.body()))
        told = await self._list.turnover(asked.query)
        return Response(written(ToldTurnover, told), media_type=JSON)

    async def choices(self, request: Request) -> Response:
        """GET /till/receipt-list/choices: what cashiers and programs a query can ask for."""
        return Response(written(ListChoices, await self._list.choices()), media_type=JSON)

    async def waiting(self, request: Request) -> Response:
        """GET /till/receipt-list/waiting: receipts with jobs that are not done, the newest first.

        They are those of the newest 200 jobs, or with ?before=ID of 200 jobs older than that one.
        """
        jobs, before = self._service.journal.jobs, before_of(request)
        rows = await not_handed_over(jobs, self._list, before=before)
        return Response(written_list(WaitingReceipt, rows), media_type=JSON)

    async def _paper(self, link: ChainReceipt) -> Document | None:
        planned, signed = link.planned, link.receipt
        assert signed is not None, "of what is not signed nothing is told"
        try:
            return await asyncio.to_thread(
                self._context.pdf.layout, signed, planned.document, planned.esir
            )
        except MachineError as error:
            _log.warning("a receipt can't be laid out for the screen: %s", error.what)
            return None
