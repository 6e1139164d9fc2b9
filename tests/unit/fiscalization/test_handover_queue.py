"""Delivery jobs in virtual time: which are repeated, when, and which never are."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw
import pytest

from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.documents.blocks import Document
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.errors import DiskFull, NotAllowed
from pos_app.fiscalization import device_ports
from pos_app.fiscalization.handover import handover_queue
from pos_app.fiscalization.handover.drawer_pulse import Drawer
from pos_app.fiscalization.jobs import QueuedJob
from tests.fakes.inner_connection import connection_of
from tests.fakes.virtual_time import VirtualClock, VirtualLoop
from tests.integration.journal.test_jobs import PAPER, signed
from tests.sweep import LONG

DONE = device_ports.Delivered(device_ports.HandoverProof.CARRIED_OUT)
AWAY = device_ports.Failed(device_ports.DeviceTrouble.AWAY, "It is off.")
REFUSED = device_ports.Failed(
    device_ports.DeviceTrouble.RECIPIENT, "No such mailbox.", may_be_repeated=False
)
PERHAPS = device_ports.Unproven(device_ports.DeviceTrouble.PAPER_OUT, "It stopped before the end.")
FULL = device_ports.Failed(device_ports.DeviceTrouble.RECIPIENT, "The mailbox is full.")
BROKEN = device_ports.Failed(device_ports.DeviceTrouble.JOB_FAILED, "The print service broke off.")
PRINTED = ReceiptDelivery(thermal=True)
ON_A4 = ReceiptDelivery(a4=True)


@dataclass
class Scripted:
    """A handover with given outcomes; after them it delivers. takes: seconds for each."""

    clock: VirtualClock
    outcomes: list[device_ports.HandOver] = field(default_factory=list)
    takes: float = 0.0
    began: list[tuple[float, int]] = field(default_factory=list)
    contents: list[handover_queue.Content] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    away_until: float | None = None
    """Seconds until which the device is off and fails each handover."""
    asked: list[float] = field(default_factory=list)
    """The times at which the queue asked whether the device is ready."""

    @property
    def is_away(self) -> bool:
        return self.away_until is not None and self.clock.seconds() < self.away_until

    async def is_ready(self) -> bool:
        self.asked.append(round(self.clock.seconds()))
        return self.away_until is not None and not self.is_away

    async def hand_over(
        self, job: QueuedJob, content: handover_queue.Content
    ) -> device_ports.HandOver:
        self.began.append((round(self.clock.seconds()), job.id))
        self.contents.append(content)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(self.takes)
            if self.is_away:
                return AWAY
            return self.outcomes.pop(0) if self.outcomes else DONE
        finally:
            self.at_once -= 1

    @property
    def times(self) -> list[float]:
        return [at for at, _ in self.began]


@dataclass
class World:
    journal: SqliteJournal
    clock: VirtualClock
    handover: Scripted
    queue: handover_queue.DeviceQueue

    def job(self, number: int, delivery: ReceiptDelivery = PRINTED) -> QueuedJob:
        (job,) = signed(self.journal, delivery, number, now=self.clock.now())
        self.queue.wake()
        return job

    def state(self, job: QueuedJob) -> JobState:
        found = self.journal.jobs.job(job.id)
        assert found is not None
        return found.state

    async def passes(self, seconds: float) -> None:
        """Let virtual time pass."""
        await asyncio.sleep(seconds)

    async def working(self, seconds: float) -> None:
        """Let the queue work for that long, then cut it off."""
        task = asyncio.ensure_future(self.queue.work())
        await asyncio.wait({task}, timeout=seconds)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.fixture
def journal(folder: Path) -> Iterator[SqliteJournal]:
    opened = SqliteJournal(folder / "journal.db")
    connection_of(opened).execute("PRAGMA synchronous=OFF")  # nobody cuts the power
    yield opened
    opened.close()


@pytest.fixture(params=[(JobMethod.THERMAL, JobMethod.DRAWER)])
def world(journal: SqliteJournal, request: pytest.FixtureRequest) -> World:
    clock = VirtualClock()
    handover = Scripted(clock)
    handovers = dict.fromkeys(JobMethod, handover)
    queue = handover_queue.DeviceQueue(
        *request.param, jobs=journal.jobs, receipts=journal, clock=clock, handovers=handovers
    )
    return World(journal, clock, handover, queue)


def in_virtual_time(history: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test on a loop whose waiting takes no time."""

    @functools.wraps(history)
    def run(**given: Any) -> None:
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            runner.run(history(**given))

    return run


A_MAIL = ReceiptDelivery(email="kupac@primer.rs")
MAIL, PAGES, PAPERS = (JobMethod.EMAIL,), (JobMethod.A4,), (JobMethod.THERMAL, JobMethod.DRAWER)
_J = JobState
HISTORIES: dict[str, tuple[Any, ...]] = {
    # by, outcomes, seconds that each takes | began at, by number of the job; how each ends
    "it is handed over once": (PAPERS, [], 0, [(0, 1)], [_J.DONE]),
    "what surely failed is tried with longer pauses": (
        PAPERS, [AWAY] * 7, 0, [(at, 1) for at in (0, 2, 6, 14, 30, 62, 122, 182)], [_J.DONE]),
    "what perhaps was printed is never repeated": (PAPERS, [PERHAPS], 0, [(0, 1)], [_J.UNPROVEN]),
    "what can't succeed is not tried again": (PAPERS, [REFUSED], 0, [(0, 1)], [_J.FAILED]),
    "a full mailbox stops no other mail": (
        MAIL, [FULL], 0, [(0, 1), (0, 2), (2, 1)], [_J.DONE, _J.DONE]),
    "a mail server that is away is tried with one mail and then takes all": (
        MAIL, [AWAY, AWAY], 0, [(0, 1), (2, 1), (6, 1), (6, 2), (6, 3)], [_J.DONE] * 3),
    "a paper that the print service breaks off stops no other": (
        PAGES, [BROKEN, DONE, BROKEN, BROKEN], 0, [(0, 1), (0, 2), (2, 1), (6, 1)],
        [_J.FAILED, _J.DONE]),
    "what was set aside comes again between those that go on": (
        PAGES, [BROKEN], 3, [(0, 1), (3, 2), (6, 3), (9, 1)], [_J.DONE] * 3),
}  # fmt: skip


@pytest.mark.parametrize(
    ("world", "outcomes", "takes", "began", "ends"),
    HISTORIES.values(),
    ids=HISTORIES,
    indirect=["world"],
)
@in_virtual_time
async def test_what_is_tried_and_when(
    world: World,
    outcomes: list[device_ports.HandOver],
    takes: float,
    began: list[tuple[float, int]],
    ends: list[JobState],
) -> None:
    world.handover.outcomes, world.handover.takes = list(outcomes), takes
    way = {JobMethod.EMAIL: A_MAIL, JobMethod.A4: ON_A4}.get(world.queue.methods[0], PRINTED)
    jobs = [world.job(number, way) for number in range(1, 1 + len(ends))]
    await world.working(3600)
    number = {job.id: place for place, job in enumerate(jobs, start=1)}
    assert [(at, number[job]) for at, job in world.handover.began] == began
    assert [world.state(job) for job in jobs] == ends
    first = world.handover.contents[0]
    assert isinstance(first, handover_queue.ReceiptPaper)
    assert first.receipt.invoice_number == "ABCD1234-ABCD1234-1"


@in_virtual_time
async def test_a_paper_of_the_till_is_printed_in_its_turn(world: World) -> None:
    world.handover.takes = 3
    first = world.job(1)
    second = world.journal.jobs.add(PAPER, key="k" * 16, now=world.clock.now())
    await world.working(60)
    assert [job for _, job in world.handover.began] == [first.id, second.id]
    assert isinstance(world.handover.contents[1], Document)
    assert world.handover.most_at_once == 1


@pytest.mark.parametrize("slept", [22, pytest.param(0, marks=LONG)])
@in_virtual_time
async def test_after_a_day_it_stays_failed_and_visible(world: World, slept: int) -> None:
    """slept: hours of the day for which the machine is off."""
    world.handover.outcomes = [AWAY] * 5000
    job = world.job(1)
    await world.working(3600)
    assert world.state(job) is JobState.WAITING
    world.clock.jump(slept * 3600)
    await world.working((29 - slept) * 3600)
    assert world.state(job) is JobState.FAILED
    assert (22 - slept) * 3600 < world.handover.times[-1] <= (24 - slept) * 3600 + 60
    (told,) = world.journal.jobs.not_done()
    assert (told.trouble, told.words) == (device_ports.DeviceTrouble.AWAY, "It is off.")


@in_virtual_time
async def test_a_printer_that_answers_again_prints_at_once_and_in_order(world: World) -> None:
    """A receipt that comes meanwhile has it tried once, and not again and again."""
    world.handover.away_until = 100
    first = world.job(1)
    await world.working(40)
    second = world.job(2)
    await world.working(600)
    tried = [at for at, job in world.handover.began if job == first.id]
    assert tried[:6] == [0, 2, 6, 14, 30, 40]
    assert len(tried) <= 8
    assert 100 <= tried[-1] <= 103  # its pause alone would make it later
    assert world.handover.began[-2:] == [(tried[-1], first.id), (tried[-1], second.id)]


@in_virtual_time
async def test_a_drawer_that_opens_between_keeps_no_paper_back(world: World) -> None:
    world.handover.takes = 1
    world.handover.outcomes = [AWAY] * 3
    first, second = world.job(1), world.job(2)
    working = asyncio.ensure_future(world.working(60))
    await world.passes(17.5)  # tried at 0, 3 and 8; now the first is being printed
    assert len(world.handover.began) == 4
    world.journal.jobs.add_drawer(key="k" * 16, by="Ана", now=world.clock.now())
    await working
    began = {job: at for at, job in world.handover.began[3:]}
    assert began[second.id] - began[first.id] <= 3  # the first paper, the pulse, the second


@in_virtual_time
async def test_a_job_that_can_not_be_begun_is_not_tried_without_a_pause(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[float] = []

    def full(job_id: int, *, now: datetime) -> None:
        tried.append(world.clock.seconds())
        raise DiskFull(what="The disk is full.")

    world.job(1)
    monkeypatch.setattr(world.journal.jobs, "start", full)
    await world.working(20)
    assert 5 <= len(tried) <= 11


@in_virtual_time
async def test_a_paper_that_can_not_be_read_any_more_holds_nobody_up(
    world: World, folder: Path
) -> None:
    at = int(world.clock.now().timestamp() * 1000)
    connection = apsw.Connection(str(folder / "journal.db"))
    connection.execute(
        "INSERT INTO jobs (till_key, paper, method, target, state, made_at, asked_at,"
        " changed_at, next_at) VALUES ('k', x'00', 'thermal', '', 'waiting', ?, ?, ?, ?)",
        (at, at, at, at),
    )
    connection.close()
    receipt = world.job(1)
    await world.working(60)
    assert world.state(receipt) is JobState.DONE
    (damaged,) = world.journal.jobs.not_done()
    told = (damaged.state, damaged.trouble)
    assert told == (JobState.FAILED, device_ports.DeviceTrouble.DOCUMENT)


# --- the drawer -------------------------------------------------------------------------------


def drawer_of(world: World) -> Drawer:
    return Drawer(world.journal.jobs, world.clock, world.queue.wake, world.queue.ended)


async def opened(world: World, *, after: float = 0, key: str = "") -> QueuedJob:
    """The till's answer. after: seconds that the queue works before. key: a new one by default."""
    key = key or f"press-{len(world.journal.jobs.not_done()) + len(world.handover.began):016}"
    working = asyncio.ensure_future(world.queue.work())
    await asyncio.sleep(after)
    job = await drawer_of(world).open(key=key, by="Ана")
    working.cancel()
    await asyncio.wait({working})
    return job


@pytest.mark.parametrize(
    ("outcome", "state"),
    [(DONE, JobState.DONE), (AWAY, JobState.FAILED), (PERHAPS, JobState.UNPROVEN)],
)
@in_virtual_time
async def test_the_drawer_is_opened_once_whatever_comes_of_it(
    world: World, outcome: device_ports.HandOver, state: JobState
) -> None:
    world.handover.outcomes = [outcome]
    job = await opened(world)
    assert (job.method, job.state) == (JobMethod.DRAWER, state)
    assert world.handover.contents == [handover_queue.DrawerPulse()]
    await world.working(3600)
    assert world.handover.times == [0]


@in_virtual_time
async def test_the_drawer_goes_before_the_papers_of_a_printer_in_trouble(world: World) -> None:
    world.handover.outcomes = [AWAY]
    paper = world.job(1)
    await world.working(1)
    job = await opened(world)
    assert job.state is JobState.DONE
    assert [one for _, one in world.handover.began] == [paper.id, job.id]


@in_virtual_time
async def test_the_drawer_stays_shut_when_a_long_paper_is_printed(world: World) -> None:
    world.handover.takes = 20
    world.job(1)
    job = await opened(world, after=1)
    assert (job.state, job.trouble) == (JobState.FAILED, device_ports.DeviceTrouble.BUSY)
    assert world.clock.seconds() == 9
    await world.working(600)
    assert handover_queue.DrawerPulse() not in world.handover.contents


@in_virtual_time
async def test_one_press_gives_one_pulse_however_often_it_is_asked_for(world: World) -> None:
    world.handover.takes = 2
    working = asyncio.ensure_future(world.queue.work())
    drawer = drawer_of(world)
    asking = [drawer.open(key="k" * 16, by="Ана") for _ in range(3)]
    jobs = await asyncio.gather(*asking)
    jobs.append(await drawer.open(key="k" * 16, by="Ана"))
    assert {(job.id, job.state) for job in jobs} == {(jobs[0].id, JobState.DONE)}
    assert world.clock.seconds() == 2
    assert world.handover.contents == [handover_queue.DrawerPulse()]
    for key, by in (("k" * 16, "Мира"), ("p" * 16, "Ана")):
        world.journal.jobs.add(PAPER, key="p" * 16, now=world.clock.now())
        with pytest.raises(NotAllowed):
            await drawer.open(key=key, by=by)
    working.cancel()
    await asyncio.wait({working})


@in_virtual_time
async def test_a_pulse_that_a_stopped_server_left_is_not_given_later(world: World) -> None:
    job = world.journal.jobs.add_drawer(key="k" * 16, by="Ана", now=world.clock.now())
    world.clock.jump(6)
    await world.working(60)
    assert world.handover.began == []
    assert world.state(job) is JobState.FAILED


@in_virtual_time
async def test_a_server_that_stops_finishes_the_job_in_hand_and_begins_no_other(
    world: World,
) -> None:
    world.handover.takes = 3
    first, second = world.job(1), world.job(2)
    task = asyncio.ensure_future(world.queue.work())
    await world.passes(1)
    await world.queue.finish(10)
    await task
    assert world.clock.seconds() == 3
    assert (world.state(first), world.state(second)) == (JobState.DONE, JobState.WAITING)


@in_virtual_time
async def test_an_outcome_that_the_disk_refuses_is_committed_later_and_nothing_printed_twice(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs, refusals = world.journal.jobs, [True] * 5
    end = jobs.end

    def full(*args: Any, **members: Any) -> None:
        if refusals:
            refusals.pop()
            raise DiskFull(what="The disk took no more.")
        end(*args, **members)

    monkeypatch.setattr(jobs, "end", full)
    job = world.job(1)
    await world.working(60)
    assert world.state(job) is JobState.DONE
    assert world.handover.times == [0]


@in_virtual_time
async def test_a_device_that_is_not_set_up_any_more_fails_visibly(world: World) -> None:
    job = world.job(1)
    deliveries = handover_queue.DeviceQueues(
        world.journal.jobs, world.journal, clock=world.clock, handovers={}
    )
    world.queue = deliveries.queues[0]
    await world.working(10)
    (told,) = world.journal.jobs.not_done()
    seen = (told.id, told.state, told.trouble)
    assert seen == (job.id, JobState.FAILED, device_ports.DeviceTrouble.NOT_SET_UP)
