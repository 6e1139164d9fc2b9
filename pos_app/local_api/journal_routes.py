"""The till's routes to the receipts of the journal, whoever asked for them."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from pos_app import log
from pos_app.documents.blocks import Document, plain
from pos_app.domain.receipt_overview import ReceiptOverview
from pos_app.errors import MachineError
from pos_app.fiscalization.issuing.results import never_denied
from pos_app.fiscalization.plans.chain import ChainReceipt
from pos_app.fiscalization.receipt_overview import receipt_overview
from pos_app.fiscalization.service import FiscalService
from pos_app.http_front.endpoint import Endpoint
from pos_app.http_front.errors import JSON
from pos_app.local_api.context import ApiContext
from pos_app.wire.records import to_json
from pos_app.wire.strict_json import dumps

_log = log.get(__name__)


class JournalRoutes:
    def __init__(self, *, service: FiscalService, context: ApiContext) -> None:
        self._service = service
        self._context = context

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [Endpoint("GET", "/till/receipts/{reference}", cls.receipt)]

    async def receipt(self, request: Request) -> Response:
        """GET /till/receipts/{reference}: all of the receipt of that id or number, and its paper in
        blocks; null where that can't be laid out now."""
        journal, reference = self._service.journal, request.path_params["reference"]
        with never_denied(journal, reference):
            overview, link = receipt_overview(journal, reference)
        paper = await self._paper(link)
        told = {
            "overview": to_json(ReceiptOverview, overview),
            "paper": None if paper is None else plain(paper),
        }
        return Response(dumps(told), media_type=JSON)

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
