"""Carries out delivery jobs: one at a time for each device, each at most once without a person.

What surely failed is tried again, after 2 s, 4 s … 60 s, for a day: after that nobody stands at the
counter for it. What may have been done is never repeated by itself.
Source: exactly-once.md, step 11; architecture.md, rules 10 and 11; fiscal.md 6.12.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from pos_app import log
from pos_app.documents.blocks import Document
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import JobMethod, JobState
from pos_app.errors import MachineError
from pos_app.fiscalization.handover_ports import Delivered, Failed, HandOver, Trouble, Unproven
from pos_app.fiscalization.jobs import Job
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.ports import Clock, Journal

FRESH = timedelta(hours=24)
FIRST_PAUSE = timedelta(seconds=2)
LONGEST_PAUSE = timedelta(minutes=1)
NOW = timedelta(0)
COMMIT_RETRY_SECONDS = 1.0
_MOST_DOUBLINGS = 10

_PRINTERS = frozenset({JobMethod.THERMAL, JobMethod.A4})
"""They keep the order: what stops one job stops all of them. A mail waits for itself alone."""

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class ReceiptPaper:
    """A signed receipt, with all that goes on its paper."""

    receipt: SignedReceipt
    planned: PlannedReceipt


Content = ReceiptPaper | Document
"""What a job hands over: a receipt, or a paper of the till's own."""


class Courier(Protocol):
    """Draws what a job is about and hands it over; it never raises for what a device did."""

    async def hand_over(self, job: Job, content: Content) -> HandOver:
        """Once, to the end. Whoever cancels it does not know what became of it."""
        ...


class NotSetUp:
    """Implements Courier where a device was taken out of the settings since the job was made."""

    async def hand_over(self, job: Job, content: Content) -> HandOver:
        """Nothing is there to hand it to."""
        words = f'No device for "{job.method}" is set up.'
        return Failed(Trouble.NOT_SET_UP, words, may_be_repeated=False)


class DeliveryQueue:
    """The jobs of one device."""

    def __init__(
        self, method: JobMethod, *, journal: Journal, clock: Clock, courier: Courier
    ) -> None:
        self.method = method
        self._journal = journal
        self._clock = clock
        self._courier = courier
        self._woken = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._stopping = False

    def wake(self) -> None:
        """There may be a new job, or one that a person wants now."""
        self._woken.set()

    async def finish(self, seconds: float) -> None:
        """Begin no other job, and wait that long for the one in hand."""
        self._stopping = True
        self.wake()
        waiting = asyncio.ensure_future(self._idle.wait())
        await asyncio.wait({waiting}, timeout=seconds)
        waiting.cancel()

    async def work(self) -> None:
        """Carry out what is due, one after the other, until it is cancelled or finished."""
        while not self._stopping:
            self._woken.clear()
            try:
                job, pause = self._next()
                if job is not None and pause <= NOW:
                    await self._carry_out(job)
                    continue
            except MachineError as error:
                _log.error("the delivery jobs can't be read or begun now: %s", error.what)
                pause = FIRST_PAUSE
            await self._pause(pause)

    async def _pause(self, pause: timedelta) -> None:
        woken = asyncio.ensure_future(self._woken.wait())
        try:
            await asyncio.wait({woken}, timeout=pause.total_seconds())
        finally:
            woken.cancel()

    def _next(self) -> tuple[Job | None, timedelta]:
        """Whose turn it is, and how long until then.

        A printer is tried as soon as any of its jobs is due, and begins with the oldest. No pause
        is longer than the longest, whatever our clock was set to meanwhile.
        """
        waiting = self._journal.jobs.waiting(self.method)
        if not waiting:
            return None, LONGEST_PAUSE
        due = min(waiting, key=lambda job: job.next_at)
        pause = due.next_at - self._clock.now()
        job = waiting[0] if self.method in _PRINTERS else due
        return job, NOW if pause > LONGEST_PAUSE else pause

    # --- one job --------------------------------------------------------------------------------

    async def _carry_out(self, job: Job) -> None:
        jobs, now = self._journal.jobs, self._clock.now()
        if now - job.asked_at >= FRESH:
            words = job.words or "It waited for more than a day."
            trouble = job.trouble or Trouble.TOO_OLD
            jobs.end(job.id, JobState.FAILED, now=now, trouble=trouble, words=words)
            return
        content = self._content(job)
        jobs.start(job.id, now=now)
        # Whatever ends this without an outcome, it may have been printed.
        outcome: HandOver = Unproven(Trouble.INTERRUPTED, "The server was stopped meanwhile.")
        self._idle.clear()
        try:
            outcome = await self._courier.hand_over(job, content)
            await self._until_kept(lambda: self._keep(job, outcome))
        finally:
            self._idle.set()
            self._settle(job, outcome)

    def _settle(self, job: Job, outcome: HandOver) -> None:
        """The outcome of what was broken off; if the disk refuses, the next start says it."""
        try:
            kept = self._journal.jobs.job(job.id)
            if kept is not None and kept.state is JobState.RUNNING:
                self._keep(job, outcome)
        except MachineError as error:
            _log.error("the end of a delivery job can't be stored: %s", error.what)

    def _content(self, job: Job) -> Content:
        if job.request_id is None:
            paper = self._journal.jobs.paper(job.id)
            assert paper is not None
            return paper
        receipt = self._journal.receipt(job.request_id)
        request = self._journal.request(job.request_id)
        assert receipt is not None
        assert request is not None
        return ReceiptPaper(receipt, request.planned)

    async def _until_kept(self, keep: Callable[[], None]) -> None:
        """Commit an outcome, however long the disk refuses it: else it were done twice."""
        while True:
            try:
                return keep()
            except MachineError as error:
                _log.error("the outcome of a delivery job can't be stored yet: %s", error.what)
                await asyncio.sleep(COMMIT_RETRY_SECONDS)

    def _keep(self, job: Job, outcome: HandOver) -> None:
        jobs, now = self._journal.jobs, self._clock.now()
        match outcome:
            case Delivered():
                jobs.end(job.id, JobState.DONE, now=now)
            case Unproven(trouble, words):
                jobs.end(job.id, JobState.UNPROVEN, now=now, trouble=trouble, words=words)
            case Failed(trouble, words, may_be_repeated) if may_be_repeated:
                jobs.put_back(
                    job.id,
                    now=now,
                    next_at=now + pause_after(job.attempts + 1),
                    trouble=trouble,
                    words=words,
                    with_all=self.method in _PRINTERS,
                )
            case Failed(trouble, words):
                jobs.end(job.id, JobState.FAILED, now=now, trouble=trouble, words=words)


def pause_after(attempts: int) -> timedelta:
    """How long until the next attempt: 2, 4, 8 … 60 s.

    >>> [pause_after(attempts).seconds for attempts in (1, 2, 5, 6, 100)]
    [2, 4, 32, 60, 60]
    """
    doubled = 1 << min(attempts - 1, _MOST_DOUBLINGS)
    return min(FIRST_PAUSE * doubled, LONGEST_PAUSE)


class Deliveries:
    """A queue for each way of delivery; jobs whose device is no longer set up fail visibly."""

    def __init__(
        self, *, journal: Journal, clock: Clock, couriers: Mapping[JobMethod, Courier]
    ) -> None:
        nobody = NotSetUp()
        self.queues = tuple(
            DeliveryQueue(
                method, journal=journal, clock=clock, courier=couriers.get(method, nobody)
            )
            for method in JobMethod
        )

    def wake(self) -> None:
        """Have every queue look at its jobs now."""
        for queue in self.queues:
            queue.wake()

    async def finish(self, seconds: float) -> None:
        """Begin no other job, and wait that long for those in hand."""
        await asyncio.gather(*(queue.finish(seconds) for queue in self.queues))
