"""The till's routes to a receipt's PDF, also of a receipt that was handed over otherwise."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from datetime import timedelta

from starlette.requests import Request
from starlette.responses import Response

from pos_app.errors import MachineError
from pos_app.fiscalization.issuing.results import IssuedReceipt, never_denied, signed_receipt_of
from pos_app.fiscalization.jobs import QueuedJob, has_original, waits_for_paper
from pos_app.fiscalization.service import FiscalService
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.local_api.receipt_response import ReceiptResponses
from pos_app.wire import server
from pos_app.wire.reading import read
from pos_app.wire.strict_json import loads

OPENED_WITHIN = timedelta(seconds=55)
"""The time for which printing of a receipt is held back while its PDF is made and opened. It is
less than the longest pause of a job: a later time would be taken for a clock that was set back."""


class PaperRoutes:
    def __init__(self, *, service: FiscalService, answers: ReceiptResponses) -> None:
        self._service = service
        self._answers = answers

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        receipt = "/till/receipts/{receipt_id}"
        return [
            Endpoint("POST", f"{receipt}/pdf", cls.pdf),
            Endpoint("POST", f"{receipt}/opened", cls.opened),
        ]

    async def pdf(self, request: Request) -> Response:
        """POST /till/receipts/{receiptId}/pdf: the PDF, also of a receipt requested on paper only.

        The file is the original where there is no other original, else it is marked as a view. The
        person who asked is noted. `instead`: the PDF replaces papers that wait for a printer. These
        are held back until `opened` is called, and printed if it is not.
        """
        body = read(server.PdfBody, loads(await request.body()))
        issued = self._signed(request)
        replaced = self._waiting(issued.id) if body.instead else ()
        as_view = self._has_other(issued.id, but=replaced)
        if not as_view:
            until = self._service.clock.now() + OPENED_WITHIN
            for job in replaced:
                self._service.journal.jobs.hold_back(job.id, until=until)
        content = await self._answers.file(issued, as_view=as_view)
        if content is not None and not as_view and self._has_other(issued.id, but=replaced):
            as_view, content = True, await self._answers.file(issued, as_view=True)
        if content is None:
            raise MachineError("pdf.receipt")
        self._note("receipt_viewed" if as_view else "receipt_as_pdf", issued.id, by=body.by)
        file = server.PdfFile(
            number=issued.receipt.invoice_number, content=base64.b64encode(content).decode()
        )
        return Response(
            server.written(file), headers={"Cache-Control": "no-store"}, media_type=JSON
        )

    async def opened(self, request: Request) -> Response:
        """POST /till/receipts/{receiptId}/opened: the receipt's PDF was opened, so its waiting
        papers are dropped. A paper that was begun meanwhile is printed."""
        body = read(server.DecidedByBody, loads(await request.body()))
        issued = self._signed(request)
        jobs, now = self._service.journal.jobs, self._service.clock.now()
        for job in self._waiting(issued.id):
            jobs.seen(job.id, by=body.by, now=now)
        return Response(server.written(server.State(state="opened")), media_type=JSON)

    # --- parts -----------------------------------------------------------------------------------

    def _signed(self, request: Request) -> IssuedReceipt:
        journal, receipt_id = self._service.journal, request.path_params["receipt_id"]
        with never_denied(journal, receipt_id):
            return signed_receipt_of(journal, receipt_id)

    def _waiting(self, receipt_id: str) -> tuple[QueuedJob, ...]:
        return tuple(filter(waits_for_paper, self._service.journal.jobs.of_receipt(receipt_id)))

    def _has_other(self, receipt_id: str, *, but: Sequence[QueuedJob]) -> bool:
        replaced = {job.id for job in but}
        jobs = self._service.journal.jobs.of_receipt(receipt_id)
        return has_original(
            [job for job in jobs if job.id not in replaced or not waits_for_paper(job)]
        )

    def _note(self, what: str, receipt_id: str, *, by: str) -> None:
        now = self._service.clock.now()
        self._service.journal.note(what, request_id=receipt_id, now=now, words=by)
