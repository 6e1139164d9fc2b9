"""Prints for the till, opens its drawer, and makes PDFs of receipts: the service "papers"."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from pos_app.documents.blocks import Document, check_own
from pos_app.documents.server_papers import PdfFile
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobMethod
from pos_app.errors import MachineError, NotAllowed
from pos_app.fiscalization.issuing.results import IssuedReceipt, never_denied, signed_receipt_of
from pos_app.fiscalization.jobs import QueuedJob, has_original, waits_for_paper
from pos_app.fiscalization.service import FiscalService
from pos_app.local_api.context import HandoverServices
from pos_app.local_api.receipt_response import ReceiptResponses

OPENED_WITHIN = timedelta(seconds=55)
"""The time for which printing of a receipt is held back while its PDF is made and opened. It is
less than the longest pause of a job: a later time would be taken for a clock that was set back."""


class PaperDesk:
    """Implements documents.server_papers.ServerPapers."""

    def __init__(
        self, *, service: FiscalService, handover: HandoverServices, answers: ReceiptResponses
    ) -> None:
        self._service = service
        self._handover = handover
        self._answers = answers

    async def print(self, paper: Document, *, key: str, on_a4: bool = False) -> DeliveryJob:
        check_own(paper)
        if not (self._handover.prints_pages if on_a4 else self._handover.prints):
            what, setting = (
                ("queue for A4", "a4.queue") if on_a4 else ("receipt printer", "printer.kind")
            )
            raise NotAllowed("printer.device", device=what, setting=setting)
        jobs = self._service.journal.jobs
        method = JobMethod.A4 if on_a4 else JobMethod.THERMAL
        job = jobs.add(paper, key=key, now=self._service.clock.now(), method=method)
        self._handover.wake()
        return job

    async def open_drawer(self, *, key: str, by: str) -> DeliveryJob:
        if self._handover.drawer is None:
            raise NotAllowed("drawer")
        return await self._handover.drawer.open(key=key, by=by)

    async def pdf(self, receipt_id: str, *, by: str, instead: bool = False) -> PdfFile:
        issued = self._signed(receipt_id)
        replaced = self._waiting(issued.id) if instead else ()
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
        self._note("receipt_viewed" if as_view else "receipt_as_pdf", issued.id, by=by)
        return PdfFile(issued.receipt.invoice_number, content)

    async def opened(self, receipt_id: str, *, by: str) -> None:
        jobs, now = self._service.journal.jobs, self._service.clock.now()
        for job in self._waiting(self._signed(receipt_id).id):
            jobs.seen(job.id, by=by, now=now)

    # --- parts -----------------------------------------------------------------------------------

    def _signed(self, receipt_id: str) -> IssuedReceipt:
        journal = self._service.journal
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
