"""Delivery jobs as the journal keeps them: what is to be printed or sent, and how that stands.

A receipt's jobs are committed together with SIGNED; what the till gives to print is a job too.
Source: exactly-once.md, steps 6 and 11; fiscal.md 6.12.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from pos_app.documents.blocks import Document
from pos_app.domain.receipt_list import HandOver
from pos_app.domain.server_status import DeliveryJob
from pos_app.domain.states import JobMethod, JobState
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedJob(DeliveryJob):
    """A delivery job with what its queue goes by. Instants are UTC.

    sending: counts how often it was asked for. asked_at: when the last time was.
    next_at: not tried before.
    """

    asked_at: datetime
    next_at: datetime
    sending: int = 1
    trouble: DeviceTrouble | None = None


@dataclass(frozen=True, slots=True)
class InTrouble:
    """The first of the jobs that met a trouble. left_off: how many more there are; of each method
    no more than 1,000 are counted."""

    jobs: tuple[QueuedJob, ...]
    left_off: int


@dataclass(frozen=True, slots=True)
class WaitingJobs:
    """of_receipts: the jobs of each, by its request. Newest first, both. go_on and many: as
    `domain.receipt_list.WaitingPage` has them."""

    of_receipts: Mapping[str, tuple[QueuedJob, ...]]
    go_on: int | None
    many: int


@dataclass(frozen=True, slots=True)
class DeviceLine:
    """What waits for a device by one method, as far as it tells whose turn is next.

    first: the oldest in the line; has_new: whether one in it met no trouble yet, or a person wants
    it now; held_until: until when a fault of the device keeps the others. aside: of those whose
    last attempt failed by a fault of their own, the one that is due first, and the last one.
    """

    first: QueuedJob | None = None
    has_new: bool = False
    held_until: datetime | None = None
    aside: tuple[QueuedJob, ...] = ()

    @property
    def waits(self) -> bool:
        return self.first is not None or bool(self.aside)


def has_original(jobs: Sequence[QueuedJob]) -> bool:
    """Whether a receipt's original was printed or sent, is at it, or will be by itself.

    There is one original: a further one is allowed only where the first failed or is not proven
    (fiscal.md 6.12), and whoever does not want to wait for it drops its job.
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
    """How a receipt with these jobs stands; each told with whether it met a trouble.

    stays_here: it is the refund of a closing.
    """
    told = []
    for method, state, has_trouble in jobs:
        if method is JobMethod.EMAIL:
            told.append(_BY_MAIL[state])
        elif state is JobState.WAITING and has_trouble:
            told.append(HandOver.NOT_PRINTED)
        else:
            told.append(_BY_PAPER[state])
    none = HandOver.STAYS_HERE if stays_here else HandOver.NONE
    return min(told, key=_WORST_FIRST.index, default=none)


class DeliveryJobs(Protocol):
    """The part of the journal that holds them. Every method is one transaction.

    Errors are MachineError; a move that the table of states does not have is NotAllowed.
    """

    def add(
        self,
        paper: Document,
        *,
        key: str,
        now: datetime,
        method: JobMethod = JobMethod.THERMAL,
    ) -> QueuedJob:
        """Keep a paper of our own that is to be printed. The same key again: the job that there is;
        NotAllowed where it was another paper.
        """
        ...

    def job(self, job_id: int) -> QueuedJob | None: ...

    def of_receipt(self, request_id: str) -> tuple[QueuedJob, ...]:
        """All of one receipt, in the order they were made."""
        ...

    def paper(self, job_id: int) -> Document | None:
        """What the till gave to print; None for the job of a receipt."""
        ...

    def add_drawer(self, *, key: str, by: str, now: datetime) -> QueuedJob:
        """Keep that the drawer is to be opened; who wants it, is logged.

        Pulses before it that failed or are unproven are told no more. The same key again: the job
        that there is; NotAllowed where somebody else wanted it, or it is a paper's.
        """
        ...

    def line(self, method: JobMethod) -> DeviceLine:
        """Whose turn it is, told at the same cost however many wait.

        Here and in each list a damaged row is left out and logged.
        """
        ...

    def not_done(self, *, before: int | None = None) -> tuple[QueuedJob, ...]:
        """All that wait, run, failed or are unproven, the newest first; at most 200.

        before: the id of the last one told, to be told of what is older.
        """
        ...

    def of_waiting_receipts(self, *, before: int | None = None, most: int) -> WaitingJobs:
        """The jobs of at most so many receipts that are not done, all of each receipt together.

        before: what `go_on` of the page before told.
        """
        ...

    def in_trouble(self, *methods: JobMethod, most: int) -> InTrouble:
        """Those of them that met a trouble: first those that only a person can end, each sort the
        newest first; a few of those that wait are told in any case."""
        ...

    def start(self, job_id: int, *, now: datetime) -> None:
        """WAITING → RUNNING, before anything is given to the device."""
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
        """→ DONE, FAILED or UNPROVEN."""
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
        """RUNNING → WAITING until `next_at`, aside; or, with its method for `holding`, in the line,
        which is held so long: what keeps the device from this one keeps it from the others."""
        ...

    def hold_back(self, job_id: int, *, until: datetime) -> None:
        """One that waits is not begun before then, unless a person wants it."""
        ...

    def again(self, job_id: int, *, by: str, now: datetime) -> QueuedJob | None:
        """A person wants it tried now; who, is logged. None: there is no such job."""
        ...

    def seen(self, job_id: int, *, by: str, now: datetime) -> QueuedJob | None:
        """A person says that an unproven one is there, or that another is not wanted any more."""
        ...
