"""The till's route to a receipt as its customer sees it, however it was handed over."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pos_app.errors import MachineError
from pos_app.fiscalization.answer import signed_receipt_of
from pos_app.fiscalization.counter import Counter
from pos_app.fiscalization.jobs import Job, has_original, waits_for_paper
from pos_app.fiscalization.truth import truth_told
from pos_app.local_api.problems import JSON
from pos_app.local_api.receipt_answer import ReceiptAnswers
from pos_app.wire.reading import read
from pos_app.wire.server import FileAsked, PdfFile, written
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
        Instead of papers that wait for a printer it is the original, and they are dropped.
        """
        said = read(FileAsked, loads(await request.body()))
        journal = self._counter.journal
        receipt_id = request.path_params["receipt_id"]
        with truth_told(journal, receipt_id):
            one = signed_receipt_of(journal, receipt_id)
        jobs = journal.jobs.of_receipt(one.id)
        dropped = tuple(filter(waits_for_paper, jobs)) if said.instead else ()
        as_view = has_original([job for job in jobs if job not in dropped])
        content = await self._answers.file(one, as_view=as_view)
        if content is not None and not as_view:
            self._drop(dropped, by=said.by)
            if has_original(journal.jobs.of_receipt(one.id)):  # it was printed meanwhile
                as_view, content = True, await self._answers.file(one, as_view=True)
        if content is None:
            raise MachineError("The PDF can't be made now.", do="Ask for it again later.")
        what = "receipt_viewed" if as_view else "receipt_as_pdf"
        journal.note(what, request_id=one.id, now=self._counter.clock.now(), words=said.by)
        told = PdfFile(
            number=one.receipt.invoice_number, content=base64.b64encode(content).decode()
        )
        return Response(written(told), headers={"Cache-Control": "no-store"}, media_type=JSON)

    def _drop(self, jobs: Sequence[Job], *, by: str) -> None:
        """They are not to come out any more; one that has begun meanwhile does."""
        kept, now = self._counter.journal.jobs, self._counter.clock.now()
        for job in jobs:
            told = kept.job(job.id)
            if told is not None and waits_for_paper(told):
                kept.seen(job.id, by=by, now=now)
