"""Tells the till about delivery jobs, and takes a person's decisions: the service "jobs"."""

from __future__ import annotations

from collections.abc import Sequence

from pos_app.domain.receipt.server_jobs import CountedPaper, OpenPapers, PaperCount
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobState
from pos_app.domain.text.email_address import checked_address
from pos_app.errors import NotFound
from pos_app.fiscalization.service import FiscalService
from pos_app.local_api.context import HandoverServices

_OVER = frozenset({JobState.DONE, JobState.DROPPED})


class JobDesk:
    """Implements domain.receipt.server_jobs.ServerJobs."""

    def __init__(self, *, service: FiscalService, handover: HandoverServices) -> None:
        self._jobs = service.journal.jobs
        self._now = service.clock.now
        self._handover = handover

    async def not_done(self, *, before: int | None = None) -> Sequence[DeliveryJob]:
        return self._jobs.not_done(before=before)

    async def again(self, job_id: int, *, by: str, email: str = "") -> DeliveryJob:
        if email:
            job = self._jobs.again_to(job_id, checked_address(email), by=by, now=self._now())
        else:
            job = self._jobs.again(job_id, by=by, now=self._now())
        if job is None:
            raise NotFound("job")
        self._handover.wake()
        return job

    async def papers(self) -> OpenPapers:
        return self._jobs.open_papers()

    async def print_all(
        self, papers: Sequence[CountedPaper], *, unproven: bool, by: str
    ) -> PaperCount:
        decided = self._jobs.print_all(papers, unproven=unproven, by=by, now=self._now())
        self._handover.wake()
        return decided

    async def end_all(
        self, papers: Sequence[CountedPaper], *, unproven: bool, by: str
    ) -> PaperCount:
        return self._jobs.end_all(papers, unproven=unproven, by=by, now=self._now())

    async def end_of(self, job_id: int) -> JobState | None:
        job = self._jobs.job(job_id)
        if job is None:
            return JobState.DROPPED
        return job.state if job.state in _OVER else None

    async def seen(self, job_id: int, *, by: str) -> None:
        if self._jobs.seen(job_id, by=by, now=self._now()) is None:
            raise NotFound("job")
