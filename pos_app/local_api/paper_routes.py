"""The till's route to a receipt as its customer sees it, however it was handed over."""

from __future__ import annotations

import base64

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pos_app.errors import MachineError
from pos_app.fiscalization.answer import IssuedReceipt, signed_receipt_of
from pos_app.fiscalization.counter import Counter
from pos_app.local_api.problems import JSON
from pos_app.local_api.receipt_answer import ReceiptAnswers
from pos_app.wire.server import PdfFile, written


class PaperRoutes:
    """Receipts as PDF, for the till alone."""

    def __init__(self, *, counter: Counter, answers: ReceiptAnswers) -> None:
        self._counter = counter
        self._answers = answers

    def all(self) -> list[Route]:
        """The routes of this module."""
        return [Route("/till/receipts/{receipt_id}/pdf", self.pdf, methods=["GET"])]

    async def pdf(self, request: Request) -> Response:
        """GET /till/receipts/{receiptId}/pdf: also of one that was asked for on paper alone."""
        one = signed_receipt_of(self._counter.journal, request.path_params["receipt_id"])
        return await file_of(one, self._answers)


async def file_of(one: IssuedReceipt, answers: ReceiptAnswers) -> Response:
    """A receipt as a file, for the till to keep and open. Raises MachineError."""
    content = await answers.file(one)
    if content is None:
        raise MachineError("The PDF can't be made now.", do="Ask for it again later.")
    told = PdfFile(number=one.receipt.invoice_number, content=base64.b64encode(content).decode())
    return Response(written(told), headers={"Cache-Control": "no-store"}, media_type=JSON)
