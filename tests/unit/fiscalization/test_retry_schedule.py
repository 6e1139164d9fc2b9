"""The order of jobs at a device, and the troubles that hold up the jobs behind."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.fiscalization.device_ports import DeviceTrouble, Failed
from pos_app.fiscalization.handover import retry_schedule
from pos_app.fiscalization.jobs import DeviceLine, QueuedJob
from pos_app.fiscalization.lane.lane_queue import LaneQueue, Rank
from tests.sweep import each

AT = datetime(2026, 1, 5, 8, tzinfo=UTC)
THERMAL, A4, EMAIL, DRAWER = JobMethod.THERMAL, JobMethod.A4, JobMethod.EMAIL, JobMethod.DRAWER


def seconds(count: float) -> timedelta:
    return timedelta(seconds=count)


def job(
    number: int,
    trouble: DeviceTrouble | None = None,
    *,
    due: float = 0,
    method: JobMethod = THERMAL,
    attempts: int = 0,
) -> QueuedJob:
    return QueuedJob(
        id=number,
        method=method,
        state=JobState.WAITING,
        since=AT,
        asked_at=AT,
        changed_at=AT,
        next_at=AT + seconds(due),
        attempts=attempts,
        trouble=trouble,
    )


def line_of(waiting: list[QueuedJob]) -> DeviceLine:
    """The device's queue as the journal reports it for these jobs."""
    line = [job for job in waiting if not retry_schedule.is_aside(job)]
    held = [job.next_at for job in line if job.trouble is not None]
    aside = sorted(
        (job for job in waiting if retry_schedule.is_aside(job)), key=lambda job: job.next_at
    )
    return DeviceLine(
        first=line[0] if line else None,
        has_new=len(held) < len(line),
        held_until=held[0] if held else None,
        aside=tuple(aside),
    )


def turn_of(waiting: list[QueuedJob], *, is_back: bool = False) -> retry_schedule.NextJob:
    pulses = [job for job in waiting if job.method is DRAWER]
    line = line_of([job for job in waiting if job.method is not DRAWER])
    return retry_schedule.next_turn(line, now=AT, is_back=is_back, drawer=line_of(pulses))


OUT, BROKEN = DeviceTrouble.PAPER_OUT, DeviceTrouble.JOB_FAILED


@each(
    ("waiting", "is_back", "turn"),
    [
        pytest.param([], False, (None, 60), id="nothing waits"),
        pytest.param([job(1), job(2)], False, (1, 0), id="the oldest"),
        pytest.param([job(1, OUT, due=30), job(2, OUT, due=30)], False, (1, 30), id="all are held"),
        pytest.param([job(1, OUT, due=30), job(2)], False, (1, 0), id="a new one comes"),
        pytest.param([job(1, OUT, due=30), job(2, OUT, due=30)], True, (1, 0), id="it is back"),
        pytest.param([job(1, BROKEN, due=30), job(2)], False, (2, 0), id="one is aside"),
        pytest.param([job(1, BROKEN, due=5), job(2, OUT, due=9)], False, (1, 5), id="aside first"),
        pytest.param([job(1, BROKEN), job(2)], False, (2, 0), id="both due: the line"),
        pytest.param([job(1, BROKEN, due=5)], True, (1, 5), id="back is nothing to one aside"),
        pytest.param([job(1), job(2, method=DRAWER, due=9)], False, (2, 0), id="the drawer"),
        pytest.param([job(1, OUT, due=7200)], False, (1, 0), id="our clock was set back"),
    ],
)
def test_whose_turn_it_is_and_whether_the_device_is_asked(
    waiting: list[QueuedJob], is_back: bool, turn: tuple[int | None, float]
) -> None:
    found = turn_of(waiting, is_back=is_back)
    assert (found.job and found.job.id, found.pause) == (turn[0], seconds(turn[1]))
    assert found.is_held is any(one.trouble is OUT for one in waiting)


LONGEST = retry_schedule.LONGEST_PAUSE.total_seconds()


@each(
    ("before", "trouble", "again"),
    [
        (job(1), DeviceTrouble.AWAY, (2, True)),
        (job(1, attempts=4), DeviceTrouble.COVER_OPEN, (32, True)),
        (job(1, attempts=4000), OUT, (LONGEST, True)),
        (job(1, method=A4), DeviceTrouble.QUEUE_STOPPED, (2, True)),
        (job(1, method=A4), BROKEN, (2, False)),
        (job(1, BROKEN, method=A4, attempts=1), BROKEN, (4, False)),
        (job(1, BROKEN, method=A4, attempts=2), BROKEN, None),
        (job(1, OUT, method=A4, attempts=99), BROKEN, (LONGEST, False)),
        (job(1, method=EMAIL), DeviceTrouble.AWAY, (2, True)),
        (job(1, method=EMAIL), DeviceTrouble.RECIPIENT, (2, False)),
        (job(1, method=EMAIL), DeviceTrouble.CUT_OFF, (2, False)),
        (job(1, DeviceTrouble.RECIPIENT, method=EMAIL, attempts=500), DeviceTrouble.RECIPIENT,
         (LONGEST, False)),
        (job(1, method=DRAWER), DeviceTrouble.AWAY, None),
    ],
)  # fmt: skip
def test_what_a_failed_attempt_means(
    before: QueuedJob, trouble: DeviceTrouble, again: tuple[float, bool] | None
) -> None:
    """again: after how many seconds, and whether all of the device wait."""
    wanted = again and retry_schedule.Retry(seconds(again[0]), with_all=again[1])
    assert retry_schedule.retry(before, Failed(trouble, "It failed.")) == wanted
    failed = Failed(trouble, "It failed.", may_be_repeated=False)
    assert retry_schedule.retry(before, failed) is None


@each("method", JobMethod)
def test_what_is_told_of_a_job_holds_up_no_device(method: JobMethod) -> None:
    own = {
        DeviceTrouble.DOCUMENT,
        DeviceTrouble.RECIPIENT,
        DeviceTrouble.JOB_FAILED,
        DeviceTrouble.JOB_CANCELLED,
        DeviceTrouble.NOT_SET_UP,
        DeviceTrouble.TOO_OLD,
        DeviceTrouble.INTERRUPTED,
    }
    assert not own & retry_schedule.HOLDS_UP[method]


@each(
    ("method", "age", "too_old"),
    [(THERMAL, 86399, False), (EMAIL, 86400, True), (DRAWER, 4.9, False), (DRAWER, 5, True)],
)
def test_how_long_a_job_may_wait_and_how_long_each_pause_is(
    method: JobMethod, age: float, too_old: bool
) -> None:
    assert retry_schedule.is_too_old(job(1, method=method), now=AT + seconds(age)) is too_old
    pauses = {tries: retry_schedule.pause_after(tries) for tries in (1, 2, 5, 6, 5000)}
    told = pauses
    assert told == {1: seconds(2), 2: seconds(4), 5: seconds(32), 6: seconds(60), 5000: seconds(60)}
    assert seconds(0) == retry_schedule.NOW


# --- the order of turns: half-done pairs, then tills, then all others ----------------------------


async def test_a_till_goes_before_sixty_that_wait() -> None:
    queue, order = LaneQueue(), list[str]()

    async def come(name: str, rank: Rank) -> None:
        async with queue.turn(rank):
            order.append(name)

    await queue.take(Rank.USUAL)
    waiting = [asyncio.create_task(come(f"other {n}", Rank.USUAL)) for n in range(60)]
    await asyncio.sleep(0)
    waiting.append(asyncio.create_task(come("till 1", Rank.TILL)))
    waiting.append(asyncio.create_task(come("till 2", Rank.TILL)))
    waiting.append(asyncio.create_task(come("pair", Rank.HALF_DONE)))
    await asyncio.sleep(0)
    queue.release()
    await asyncio.gather(*waiting)
    assert order == ["pair", "till 1", "till 2", *(f"other {n}" for n in range(60))]


async def test_who_leaves_hands_the_turn_on() -> None:
    queue = LaneQueue()
    await queue.take(Rank.USUAL)
    leaves = asyncio.create_task(queue.take(Rank.TILL))
    stays = asyncio.create_task(queue.take(Rank.USUAL))
    await asyncio.sleep(0)
    queue.release()  # the waiter is given the turn, and is cancelled before it takes it
    leaves.cancel()
    await asyncio.gather(leaves, return_exceptions=True)
    await asyncio.wait_for(stays, 1.0)
    queue.release()
    await asyncio.wait_for(queue.take(Rank.USUAL), 1.0)
