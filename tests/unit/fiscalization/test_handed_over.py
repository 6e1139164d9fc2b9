"""When a receipt's original counts as given (fiscal.md 6.12)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pos_app.domain.states import JobMethod, JobState
from pos_app.fiscalization.handover_ports import Trouble
from pos_app.fiscalization.jobs import Job, is_handed_over

AT = datetime(2026, 11, 20, 9, tzinfo=UTC)


def job(state: JobState, trouble: Trouble | None = None) -> Job:
    return Job(1, JobMethod.THERMAL, state, AT, AT, AT, AT, request_id="r", trouble=trouble)


@pytest.mark.parametrize(
    ("state", "trouble", "is_out"),
    [
        (JobState.RUNNING, None, True),
        (JobState.RUNNING, Trouble.PAPER_OUT, True),
        (JobState.DONE, None, True),
        (JobState.DONE, Trouble.INTERRUPTED, True),
        (JobState.WAITING, None, False),
        (JobState.WAITING, Trouble.PAPER_OUT, False),
        (JobState.FAILED, Trouble.PAPER_OUT, False),
        (JobState.UNPROVEN, Trouble.INTERRUPTED, False),
        (JobState.DROPPED, None, False),
    ],
)
def test_an_original_is_out_or_coming_out(
    state: JobState, trouble: Trouble | None, is_out: bool
) -> None:
    assert is_handed_over([job(state, trouble)]) is is_out


def test_without_a_job_none_is_out() -> None:
    assert not is_handed_over([])


def test_one_way_that_worked_is_enough() -> None:
    assert is_handed_over([job(JobState.FAILED, Trouble.PAPER_OUT), job(JobState.DONE)])
