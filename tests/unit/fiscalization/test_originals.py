"""When a receipt counts as handed over, so that no second original is made (fiscal.md 6.12)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.fiscalization.jobs import QueuedJob, has_original

AT = datetime(2026, 11, 20, 9, tzinfo=UTC)


def job(state: JobState, trouble: DeviceTrouble | None = None) -> QueuedJob:
    return QueuedJob(
        id=1,
        method=JobMethod.THERMAL,
        state=state,
        since=AT,
        changed_at=AT,
        receipt_id="r",
        trouble=trouble,
        asked_at=AT,
        next_at=AT,
    )


@pytest.mark.parametrize(
    ("state", "trouble", "has_one"),
    [
        (JobState.RUNNING, None, True),
        (JobState.RUNNING, DeviceTrouble.PAPER_OUT, True),
        (JobState.DONE, None, True),
        (JobState.DONE, DeviceTrouble.INTERRUPTED, True),
        (JobState.WAITING, None, True),
        (JobState.WAITING, DeviceTrouble.PAPER_OUT, True),
        (JobState.FAILED, DeviceTrouble.PAPER_OUT, False),
        (JobState.UNPROVEN, DeviceTrouble.INTERRUPTED, False),
        (JobState.DROPPED, None, False),
    ],
)
def test_an_original_came_or_comes_by_itself(
    state: JobState, trouble: DeviceTrouble | None, has_one: bool
) -> None:
    assert has_original([job(state, trouble)]) is has_one


def test_without_a_job_none_has_one() -> None:
    assert not has_original([])


def test_one_way_that_worked_is_enough() -> None:
    assert has_original([job(JobState.FAILED, DeviceTrouble.PAPER_OUT), job(JobState.DONE)])
