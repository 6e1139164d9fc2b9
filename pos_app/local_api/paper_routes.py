"""The till's route to a receipt as its customer sees it, however it was handed over."""

from __future__ import annotations

import base64

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pos_app.errors import MachineError
from pos_app.fiscalization.answer import signed_receipt_of
from pos_app.fiscalization.counter import Counter
from pos_app.fiscalization.jobs import has_original
from pos_app.fiscalization.truth import truth_told
from pos_app.local_api.problems import JSON
from pos_app.local_api.receipt_answer import ReceiptAnswers
from pos_app.wire.reading import read
from pos_app.wire.server import BySaid, PdfFile, written
from pos_app.wire.strict_json import loads


class PaperRoutes:
    """Receipts as PDF, for the till alone."""

    def __init__(self, *, counter: Counter, answers: ReceiptAnswers) -> None:
        self._counter = counter
        self._answers = answers

    def all(self) -> list[Route]:
        """The routes of this module."""
        return [Route("/till/receipts/{receipt_id}/pdf", self.pdf, methods=["POST"])]

    async def pdf(self, request: Request) -> Response:
        """POST /till/receipts/{receiptId}/pdf: also of one that was asked for on paper alone.

        The original where it has no other, else marked as a view; who asked for it, is kept.
        """
        said = read(BySaid, loads(await request.body()))
        journal = self._counter.journal
        receipt_id = request.path_params["receipt_id"]
        with truth_told(journal, receipt_id):
            one = signed_receipt_of(journal, receipt_id)
        as_view = self._has_original(one.id)
        content = await self._answers.file(one, as_view=as_view)
        if not as_view and self._has_original(one.id):  # somebody had it printed meanwhile
            as_view, content = True, await self._answers.file(one, as_view=True)
        if content is None:
            raise MachineError("The PDF can't be made now.", do="Ask for it again later.")
        what = "receipt_viewed" if as_view else "receipt_as_pdf"
        journal.note(what, request_id=one.id, now=self._counter.clock.now(), words=said.by)
        told = PdfFile(
            number=one.receipt.invoice_number, content=base64.b64encode(content).decode()
        )
        return Response(written(told), headers={"Cache-Control": "no-store"}, media_type=JSON)

    def _has_original(self, request_id: str) -> bool:
        return has_original(self._counter.journal.jobs.of_receipt(request_id))
