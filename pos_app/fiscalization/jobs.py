"""Delivery jobs as the journal keeps them: papers to be printed or sent, with their states.

A receipt's jobs are committed together with SIGNED; a paper that the till gives to print is a job
too.
Source: exactly-once.md, steps 6 and 11; fiscal.md 6.12.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from pos_app.documents.blocks import Document
from pos_app.domain.receipt.receipt_list import HandOver
from pos_app.domain.receipt.server_jobs import CountedPaper, OpenPapers, PaperCount
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedJob(DeliveryJob):
    """A delivery job with the data for its queue. Instants are UTC. sending: how often the job was
    asked for. asked_at: when it was last asked for. next_at: the job is not tried before."""

    asked_at: datetime
    next_at: datetime
    sending: int = 1
    trouble: DeviceTrouble | None = None


@dataclass(frozen=True, slots=True)
class InTrouble:
    """The first of the jobs in trouble. left_off: the number of the others; at most 1,000 of each
    method are counted."""

    jobs: tuple[QueuedJob, ...]
    left_off: int


@dataclass(frozen=True, slots=True)
class WaitingJobs:
    """of_receipts: the jobs of each receipt, by its request; receipts and jobs are sorted newest
    first. go_on and many: as in `domain.receipt_list.WaitingPage`."""

    of_receipts: Mapping[str, tuple[QueuedJob, ...]]
    go_on: int | None
    many: int


@dataclass(frozen=True, slots=True)
class DeviceLine:
    """The part of the waiting jobs of a device and method that decides the next turn.

    first: the oldest job in the line. has_new: a job in the line met no trouble yet, or a person
    wants it now. held_until: the instant until which a fault of the device holds the other jobs.
    aside: among the jobs that failed by a fault of their own, those that are due first and last.
    """

    first: QueuedJob | None = None
    has_new: bool = False
    held_until: datetime | None = None
    aside: tuple[QueuedJob, ...] = ()

    @property
    def waits(self) -> bool:
        return self.first is not None or bool(self.aside)


def has_original(jobs: Sequence[QueuedJob]) -> bool:
    """Whether a receipt's original was printed or sent, is being printed or sent, or will be
    without a person's act.

    There is one original: a further one is allowed only where the first failed or is not proven
    (fiscal.md 6.12), or after its job was dropped.
    """
    gone = (JobState.WAITING, JobState.RUNNING, JobState.DONE)
    return any(job.state in gone for job in jobs)


def waits_for_paper(job: QueuedJob) -> bool:
    return job.state is JobState.WAITING and job.method in (JobMethod.THERMAL, JobMethod.A4)


_BY_PAPER = {
    JobState.WAITING: HandOver.WAITING,
    JobState.RUNNING: HandOver.WAITING,
    JobState.DONE: HandOver.DONE,
    JobState.FAILED: HandOver.NOT_PRINTED,
    JobState.UNPROVEN: HandOver.PRINT_UNPROVEN,
    JobState.DROPPED: HandOver.DROPPED,
}
_BY_MAIL = _BY_PAPER | {
    JobState.WAITING: HandOver.MAIL_WAITS,
    JobState.RUNNING: HandOver.MAIL_WAITS,
    JobState.FAILED: HandOver.MAIL_FAILED,
    JobState.UNPROVEN: HandOver.MAIL_UNPROVEN,
}
_WORST_FIRST = tuple(HandOver)


def hand_over_of(
    jobs: Iterable[tuple[JobMethod, JobState, bool]], *, stays_here: bool = False
) -> HandOver:
    """The delivery state of a receipt with these jobs; each comes with a flag for a trouble.
    stays_here: the receipt is the refund of a closing."""
    entries = []
    for method, state, has_trouble in jobs:
        if method is JobMethod.EMAIL:
            entries.append(_BY_MAIL[state])
        elif state is JobState.WAITING and has_trouble:
            entries.append(HandOver.NOT_PRINTED)
        else:
            entries.append(_BY_PAPER[state])
    none = HandOver.STAYS_HERE if stays_here else HandOver.NONE
    return min(entries, key=_WORST_FIRST.index, default=none)


class DeliveryJobs(Protocol):
    """The part of the journal that holds the delivery jobs. Every method is one transaction. Errors
    are MachineError; a move that the table of states does not have is NotAllowed."""

    def add(
        self, paper: Document, *, key: str, now: datetime, method: JobMethod = JobMethod.THERMAL
    ) -> QueuedJob:
        """Keep a paper of our own to be printed. The same key again returns the existing job.
        Raises NotAllowed if the key was used for another paper."""
        ...

    def job(self, job_id: int) -> QueuedJob | None: ...

    def of_receipt(self, request_id: str) -> tuple[QueuedJob, ...]:
        """All jobs of one receipt, in the order they were made."""
        ...

    def paper(self, job_id: int) -> Document | None:
        """The till's paper to print, or None for the job of a receipt."""
        ...

    def add_drawer(self, *, key: str, by: str, now: datetime) -> QueuedJob:
        """Keep that the drawer is to be opened; the person is logged.

        Earlier pulses that failed or are unproven are no longer listed. The same key again returns
        the existing job. Raises NotAllowed if that job is somebody else's, or a paper's.
        """
        ...

    def line(self, method: JobMethod) -> DeviceLine:
        """The line of a method; the cost does not grow with the number of waiting jobs. Here and in
        each list a damaged row is left out and logged."""
        ...

    def not_done(self, *, before: int | None = None) -> tuple[QueuedJob, ...]:
        """All jobs that wait, run, failed or are unproven, the newest first; at most 200. before:
        the id of the last job on the page before."""
        ...

    def of_waiting_receipts(self, *, before: int | None = None, most: int) -> WaitingJobs:
        """The undone jobs of at most `most` receipts, all of each receipt together. before: `go_on`
        of the page before."""
        ...

    def in_trouble(self, *methods: JobMethod, most: int) -> InTrouble:
        """Jobs in trouble, first those that only a person can end; the newest of either kind come
        first. A few waiting jobs are always listed."""
        ...

    def start(self, job_id: int, *, now: datetime) -> None:
        """Move a job WAITING → RUNNING, before anything is given to the device."""
        ...

    def end(
        self,
        job_id: int,
        state: JobState,
        *,
        now: datetime,
        trouble: DeviceTrouble | None = None,
        words: str = "",
    ) -> None:
        """Move a job to DONE, FAILED or UNPROVEN."""
        ...

    def put_back(
        self,
        job_id: int,
        *,
        now: datetime,
        next_at: datetime,
        trouble: DeviceTrouble,
        words: str,
        holding: JobMethod | None = None,
    ) -> None:
        """Move a job RUNNING → WAITING until `next_at`. If `holding` is the job's method, the job
        waits in the line, and the whole line is held as long, because the device's fault stops the
        other jobs, too. Otherwise it waits aside."""
        ...

    def hold_back(self, job_id: int, *, until: datetime) -> None:
        """Keep a waiting job from beginning before `until`, unless a person wants it."""
        ...

    def again(self, job_id: int, *, by: str, now: datetime) -> QueuedJob | None:
        """Let a job be tried now, because a person wants it; the person is logged. It returns None
        where there is no such job. Raises NotAllowed for a job that runs, is done or was
        dropped."""
        ...

    def open_papers(self) -> OpenPapers:
        """Count the receipts that lack their paper."""
        ...

    def print_all(
        self, papers: Sequence[CountedPaper], *, unproven: bool, by: str, now: datetime
    ) -> PaperCount:
        """Do as `again` for these papers, as far as `open_papers` still counts them in the same
        way; return these. One that is being tried has its turn already, and one that waits aside
        stays there: it is tried by itself, or its file is being opened."""
        ...

    def end_all(
        self, papers: Sequence[CountedPaper], *, unproven: bool, by: str, now: datetime
    ) -> PaperCount:
        """Do as `seen` for these papers, as far as `open_papers` still counts them in the same way
        and they are not being tried; return these."""
        ...

    def again_to(self, job_id: int, target: str, *, by: str, now: datetime) -> QueuedJob | None:
        """Send the mail of a job to another address instead; the person is logged.

        What a job hands over never changes: the job is dropped, and the receipt has a job for the
        other address, which is returned. A receipt has one job for each address, so the same call
        again sends nothing a second time. The job of an address that failed, is unproven or was
        dropped waits again. A paper that surely did not come out can be mailed instead. Raises
        NotAllowed for any other job that is no mail of a receipt, or one that runs.
        """
        ...

    def seen(self, job_id: int, *, by: str, now: datetime) -> QueuedJob | None:
        """Note that a person found an unproven paper, or no longer wants a job."""
        ...
