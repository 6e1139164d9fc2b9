"""The till's routes to the receipts of the journal, whoever asked for them."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from pos_app import log
from pos_app.documents.blocks import Document, plain
from pos_app.domain.open_advances import OpenAdvances
from pos_app.domain.receipt_overview import ReceiptOverview
from pos_app.errors import MachineError
from pos_app.fiscalization.issuing.enqueue import told_rates
from pos_app.fiscalization.issuing.results import IssuedReceipt, never_denied, signed_receipt_of
from pos_app.fiscalization.open_advances import open_advances
from pos_app.fiscalization.receipt_overview import receipt_overview
from pos_app.fiscalization.receipt_search import ReceiptSearch
from pos_app.fiscalization.service import FiscalService
from pos_app.http_front.endpoint import Endpoint
from pos_app.http_front.errors import JSON
from pos_app.local_api.context import ApiContext
from pos_app.wire.records import to_json, written
from pos_app.wire.strict_json import dumps

_log = log.get(__name__)


class JournalRoutes:
    def __init__(
        self, *, service: FiscalService, context: ApiContext, receipts: ReceiptSearch
    ) -> None:
        self._service = service
        self._context = context
        self._receipts = receipts

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [
            Endpoint("GET", "/till/receipts/{reference}", cls.receipt),
            Endpoint("GET", "/till/advances", cls.advances),
        ]

    async def receipt(self, request: Request) -> Response:
        """GET /till/receipts/{reference}: all of the receipt of that id or number, and its paper in
        blocks; null where that can't be laid out now."""
        journal, reference = self._service.journal, request.path_params["reference"]
        with never_denied(journal, reference):
            rates = told_rates(self._service.lane.status)
            overview = receipt_overview(journal, reference, rates=rates)
            issued = signed_receipt_of(journal, overview.receipt_id)
        paper = await self._paper(issued)
        told = {
            "overview": to_json(ReceiptOverview, overview),
            "paper": None if paper is None else plain(paper),
        }
        return Response(dumps(told), media_type=JSON)

    async def advances(self, request: Request) -> Response:
        """GET /till/advances: the open advances, the one touched last first."""
        found = await open_advances(self._service.journal, self._receipts)
        return Response(written(OpenAdvances, found), media_type=JSON)

    async def _paper(self, issued: IssuedReceipt) -> Document | None:
        planned = issued.planned
        try:
            return await asyncio.to_thread(
                self._context.pdf.layout, issued.receipt, planned.document, planned.esir
            )
        except MachineError as error:
            _log.warning("a receipt can't be laid out for the screen: %s", error.what)
            return None
