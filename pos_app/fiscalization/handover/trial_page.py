"""Prints a trial page through the queue of its printer, now or not at all.

A page that could not be printed is dropped once a person was shown the cause, because nobody would
need the page later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from pos_app.clock import Clock
from pos_app.documents.blocks import Document
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.fiscalization.jobs import DeliveryJobs, QueuedJob
from pos_app.fiscalization.state_changes import StateChanges
from pos_app.lazy_dataclass import dataclass

ANSWER_SECONDS = 45.0
"""The seconds to wait for the end of the trial. A print service needs longer than a receipt
printer."""


@dataclass(frozen=True, slots=True)
class TrialPages:
    """ended: by method, signals when a job of that printer has ended."""

    jobs: DeliveryJobs
    clock: Clock
    wake: Callable[[], None]
    ended: Mapping[JobMethod, StateChanges]

    async def print(self, page: Document, method: JobMethod, *, key: str, by: str) -> QueuedJob:
        """Print a page, and return the job as it ended: DONE, UNPROVEN, FAILED (surely not printed)
        with its trouble, or RUNNING where the printer has not finished. Raises MachineError,
        NotAllowed."""
        job = self.jobs.add(page, key=key, now=self.clock.now(), method=method)
        if job.state is JobState.WAITING and job.trouble is None:
            self.wake()
            await self.ended[method].wait(str(job.id), ANSWER_SECONDS)
        jobs = self.jobs.job(job.id)
        assert jobs is not None
        if jobs.state in (JobState.WAITING, JobState.FAILED, JobState.UNPROVEN):
            self.jobs.seen(jobs.id, by=by, now=self.clock.now())
        if jobs.state is JobState.WAITING:
            return replace(jobs, state=JobState.FAILED, trouble=jobs.trouble or DeviceTrouble.BUSY)
        return jobs
