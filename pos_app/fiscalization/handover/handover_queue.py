"""Carries out delivery jobs: one at a time for each device.

A job that surely failed is retried for a day, as `retry_schedule` decides. A device in trouble is
asked whether it is ready again. Only a person has a job repeated that may have been done.
Source: exactly-once.md, step 11; architecture.md, rules 10 and 11; fiscal.md 6.12.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Protocol

from pos_app import log
from pos_app.clock import Clock
from pos_app.documents.blocks import Document
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.errors import DatabaseDamaged, MachineError
from pos_app.fiscalization import device_ports
from pos_app.fiscalization.handover import retry_schedule
from pos_app.fiscalization.jobs import DeliveryJobs, QueuedJob
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.ports import ReceiptReader
from pos_app.fiscalization.state_changes import StateChanges
from pos_app.lazy_dataclass import dataclass

COMMIT_RETRY_SECONDS = 1.0
LOOK_PAUSE = timedelta(seconds=3)
"""The time between two questions to a device in trouble, and the longest wait of a repaired one."""
DEVICES: tuple[tuple[JobMethod, ...], ...] = (
    (JobMethod.THERMAL, JobMethod.DRAWER),
    (JobMethod.A4,),
    (JobMethod.EMAIL,),
)
"""Methods of one device, which share a queue so that only one job writes to it at a time."""

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class ReceiptPaper:
    """A signed receipt and the plan from which its paper is laid out."""

    receipt: SignedReceipt
    planned: PlannedReceipt


@dataclass(frozen=True, slots=True)
class DrawerPulse:
    """The pulse that opens the cash drawer."""


Content = ReceiptPaper | Document | DrawerPulse


class Handover(Protocol):
    """Renders a job's content and hands it over; it never raises for a device's errors."""

    async def hand_over(self, job: QueuedJob, content: Content) -> device_ports.HandOver:
        """Deliver the content of a job once, to the end. If this is cancelled, the result is
        unknown."""
        ...

    async def is_ready(self) -> bool: ...


class NotSetUp:
    """Implements Handover for a device that was removed from the settings since the job was
    made."""

    async def hand_over(self, job: QueuedJob, content: Content) -> device_ports.HandOver:
        message = f'No device for "{job.method}" is set up.'
        return device_ports.Failed(
            device_ports.DeviceTrouble.NOT_SET_UP, message, may_be_repeated=False
        )

    async def is_ready(self) -> bool:
        return False


class DeviceQueue:
    """Does the jobs of one device: the jobs of its first method in order, and pulses of a
    drawer."""

    def __init__(
        self,
        *methods: JobMethod,
        jobs: DeliveryJobs,
        receipts: ReceiptReader,
        clock: Clock,
        handovers: Mapping[JobMethod, Handover],
    ) -> None:
        self.methods = methods
        self.ended = StateChanges()
        """Signals, by a job's id, that the job is no longer running."""
        self._jobs = jobs
        self._receipts = receipts
        self._clock = clock
        not_set_up = NotSetUp()
        self._handovers = {method: handovers.get(method, not_set_up) for method in methods}
        self._woken = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._stopping = False
        self._was_away = False
        self._is_back = False

    def wake(self) -> None:
        self._woken.set()

    async def finish(self, seconds: float) -> None:
        self._stopping = True
        self.wake()
        waiting = asyncio.ensure_future(self._idle.wait())
        await asyncio.wait({waiting}, timeout=seconds)
        waiting.cancel()

    async def work(self) -> None:
        while not self._stopping:
            self._woken.clear()
            turn = retry_schedule.NextJob(None, retry_schedule.FIRST_PAUSE)
            try:
                turn = self._next()
                if turn.job is not None and turn.pause <= retry_schedule.NOW:
                    await self._run_job(turn.job)
                    continue
            except MachineError as error:
                _log.error("the delivery jobs can't be read or begun now: %s", error.what)
                turn = retry_schedule.NextJob(None, retry_schedule.FIRST_PAUSE)
            await self._wait(turn)

    def _next(self) -> retry_schedule.NextJob:
        now = self._clock.now()
        pulses = (
            self._jobs.line(JobMethod.DRAWER)
            if JobMethod.DRAWER in self.methods
            else retry_schedule.NO_LINE
        )
        line = self._jobs.line(self.methods[0])
        return retry_schedule.next_turn(line, now=now, is_back=self._is_back, drawer=pulses)

    async def _wait(self, turn: retry_schedule.NextJob) -> None:
        await self._pause(min(turn.pause, LOOK_PAUSE) if turn.is_held else turn.pause)
        if not turn.is_held or self._woken.is_set():
            return
        is_ready = await self._handovers[self.methods[0]].is_ready()
        # A device that failed although it was ready all the time is not retried sooner.
        self._is_back = is_ready and self._was_away
        self._was_away = not is_ready

    async def _pause(self, pause: timedelta) -> None:
        woken = asyncio.ensure_future(self._woken.wait())
        try:
            await asyncio.wait({woken}, timeout=pause.total_seconds())
        finally:
            woken.cancel()

    # --- one job --------------------------------------------------------------------------------

    async def _run_job(self, job: QueuedJob) -> None:
        now = self._clock.now()
        if retry_schedule.is_too_old(job, now=now):
            message = job.words or "It waited for too long."
            self._not_begun(job, job.trouble or device_ports.DeviceTrouble.TOO_OLD, message)
            return
        try:
            content = self._content(job)
        except DatabaseDamaged as error:  # only this row: the others are printed
            self._not_begun(job, device_ports.DeviceTrouble.DOCUMENT, error.what)
            return
        self._jobs.start(job.id, now=now)
        # If this ends without an outcome, the job may have been done.
        outcome: device_ports.HandOver = device_ports.Unproven(
            device_ports.DeviceTrouble.INTERRUPTED, "The server was stopped meanwhile."
        )
        self._idle.clear()
        try:
            outcome = await self._handovers[job.method].hand_over(job, content)
            await self._until_stored(lambda: self._save_outcome(job, outcome))
        finally:
            self._idle.set()
            self._settle(job, outcome)
            self.ended.announce(str(job.id))

    def _not_begun(self, job: QueuedJob, trouble: device_ports.DeviceTrouble, message: str) -> None:
        now = self._clock.now()
        self._jobs.end(job.id, JobState.FAILED, now=now, trouble=trouble, words=message)
        self.ended.announce(str(job.id))

    def _settle(self, job: QueuedJob, outcome: device_ports.HandOver) -> None:
        try:
            stored = self._jobs.job(job.id)
            if stored is not None and stored.state is JobState.RUNNING:
                self._save_outcome(job, outcome)
        except MachineError as error:
            _log.error("the end of a delivery job can't be stored: %s", error.what)

    def _content(self, job: QueuedJob) -> Content:
        if job.method is JobMethod.DRAWER:
            return DrawerPulse()
        if job.receipt_id is None:
            paper = self._jobs.paper(job.id)
            assert paper is not None
            return paper
        receipt = self._receipts.receipt(job.receipt_id)
        request = self._receipts.request(job.receipt_id)
        assert receipt is not None
        assert request is not None
        return ReceiptPaper(receipt, request.planned)

    async def _until_stored(self, store: Callable[[], None]) -> None:
        """Retry until the outcome is stored: else the job would be done twice."""
        while True:
            try:
                return store()
            except MachineError as error:
                _log.error("the outcome of a delivery job can't be stored yet: %s", error.what)
                await asyncio.sleep(COMMIT_RETRY_SECONDS)

    def _save_outcome(self, job: QueuedJob, outcome: device_ports.HandOver) -> None:
        now = self._clock.now()
        match outcome:
            case device_ports.Delivered():
                self._was_away = False  # the device works, whatever its status was
                if job.method is not JobMethod.DRAWER:  # a pulse needs no paper
                    self._is_back = True  # the jobs after it are tried at once
                self._jobs.end(job.id, JobState.DONE, now=now)
            case device_ports.Unproven(trouble, words):
                self._is_back = False
                self._jobs.end(job.id, JobState.UNPROVEN, now=now, trouble=trouble, words=words)
            case device_ports.Failed():
                self._is_back = self._is_back and job.method is JobMethod.DRAWER
                self._keep_failed(job, outcome)

    def _keep_failed(self, job: QueuedJob, failed: device_ports.Failed) -> None:
        now, again = self._clock.now(), retry_schedule.retry(job, failed)
        if again is None:
            self._jobs.end(
                job.id, JobState.FAILED, now=now, trouble=failed.trouble, words=failed.words
            )
            return
        self._jobs.put_back(
            job.id,
            now=now,
            next_at=now + again.pause,
            trouble=failed.trouble,
            words=failed.words,
            holding=job.method if again.with_all else None,
        )


class DeviceQueues:
    """A queue for each device; jobs whose device is no longer set up fail visibly."""

    def __init__(
        self,
        jobs: DeliveryJobs,
        receipts: ReceiptReader,
        *,
        clock: Clock,
        handovers: Mapping[JobMethod, Handover],
    ) -> None:
        self.queues = tuple(
            DeviceQueue(*methods, jobs=jobs, receipts=receipts, clock=clock, handovers=handovers)
            for methods in DEVICES
        )

    def of(self, method: JobMethod) -> DeviceQueue:
        return next(queue for queue in self.queues if method in queue.methods)

    def wake(self) -> None:
        for queue in self.queues:
            queue.wake()

    async def finish(self, seconds: float) -> None:
        await asyncio.gather(*(queue.finish(seconds) for queue in self.queues))
