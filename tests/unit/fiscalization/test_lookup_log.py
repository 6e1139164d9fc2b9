"""Look-ups of a doubt in a row: all are counted, some are stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from pos_app.domain.receipt.server_status import LookUpTried
from pos_app.domain.receipt.states import LookAnswer
from pos_app.errors import DiskFull
from pos_app.fiscalization.outcomes.doubt import Look, NoReceiptFound, ProcessorUnreachable
from pos_app.fiscalization.outcomes.lookup_log import KEEP_EACH, LookupLog

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
STANDS, MOVED = NoReceiptFound("U", 12), NoReceiptFound("U", 13)


@dataclass
class Kept:
    """Findings that keep look-ups only. full: whether the disk refuses them."""

    runs: dict[tuple[str, datetime], LookUpTried] = field(default_factory=dict)
    writes: int = 0
    full: bool = False

    def looked(self, request_id: str, run: LookUpTried) -> None:
        if self.full:
            raise DiskFull(what="full")
        self.writes += 1
        self.runs[request_id, run.since] = run

    def look_ups(self, request_id: str) -> tuple[LookUpTried, ...]:
        return tuple(run for (of, _), run in self.runs.items() if of == request_id)


class Ticks:
    """A clock that goes on by a second with each look."""

    def __init__(self) -> None:
        self.moment = NOON

    def now(self) -> datetime:
        self.moment += timedelta(seconds=1)
        return self.moment

    def seconds(self) -> float:
        return 0.0


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def looks(kept: Kept) -> LookupLog:
    return LookupLog(kept, Ticks())  # type: ignore[arg-type]  # only what is asked of it


def note(looks: LookupLog, *found: Look, of: str = "r") -> None:
    for look in found:
        looks.note(of, look)


def test_the_same_answer_is_one_run_and_another_answer_or_counter_begins_one(
    looks: LookupLog, kept: Kept
) -> None:
    note(looks, *[STANDS] * 3, ProcessorUnreachable(), ProcessorUnreachable(), STANDS, MOVED)
    kept.full = True
    note(looks, MOVED)
    told = [(run.answer, run.counter, run.times) for run in looks.of("r")]
    assert told == [
        (LookAnswer.MISSING, 12, 3),
        (LookAnswer.AWAY, None, 2),
        (LookAnswer.MISSING, 12, 1),
        (LookAnswer.MISSING, 13, 2),
    ], "a full disk keeps nobody from looking"
    first = looks.of("r")[0]
    assert first.at - first.since == timedelta(seconds=2)


def test_a_minute_of_the_same_is_stored_a_few_times(looks: LookupLog, kept: Kept) -> None:
    note(looks, *[STANDS] * 60)
    assert kept.writes <= 60 // KEEP_EACH.seconds + 1
    assert looks.of("r")[0].times == 60
    note(looks, MOVED)
    note(looks, STANDS, of="s")
    assert [run.times for run in kept.look_ups("r")] == [60, 1]
    assert [run.times for run in looks.of("s")] == [1]
