"""The state of a receipt's delivery to its customer, by its delivery jobs."""

from __future__ import annotations

from dataclasses import replace

from pos_app.domain.receipt.receipt_list import HandOver
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.fiscalization.jobs import QueuedJob, hand_over_of, has_original
from tests.sweep import each
from tests.unit.fiscalization.test_retry_schedule import job as queued

S, H = JobState, HandOver
THERMAL, A4, EMAIL = JobMethod.THERMAL, JobMethod.A4, JobMethod.EMAIL
PAPER, MAIL = (THERMAL, A4), (EMAIL,)


@each(
    ("methods", "state", "has_trouble", "told"),
    [
        (PAPER, S.WAITING, False, H.WAITING),
        (PAPER, S.WAITING, True, H.NOT_PRINTED),
        (PAPER, S.RUNNING, False, H.WAITING),
        (PAPER, S.RUNNING, True, H.WAITING),
        (PAPER, S.DONE, False, H.DONE),
        (PAPER, S.DONE, True, H.DONE),
        (PAPER, S.FAILED, True, H.NOT_PRINTED),
        (PAPER, S.UNPROVEN, True, H.PRINT_UNPROVEN),
        (PAPER, S.DROPPED, True, H.DROPPED),
        (MAIL, S.WAITING, False, H.MAIL_WAITS),
        (MAIL, S.WAITING, True, H.MAIL_WAITS),
        (MAIL, S.RUNNING, False, H.MAIL_WAITS),
        (MAIL, S.DONE, False, H.DONE),
        (MAIL, S.FAILED, True, H.MAIL_FAILED),
        (MAIL, S.UNPROVEN, True, H.MAIL_UNPROVEN),
        (MAIL, S.DROPPED, True, H.DROPPED),
    ],
)
def test_each_way_alone(
    methods: tuple[JobMethod, ...], state: JobState, has_trouble: bool, told: HandOver
) -> None:
    for method in methods:
        assert hand_over_of([(method, state, has_trouble)]) is told


@each(
    ("jobs", "told"),
    [
        ([(THERMAL, S.DONE), (EMAIL, S.WAITING)], H.MAIL_WAITS),
        ([(THERMAL, S.FAILED), (EMAIL, S.DONE)], H.NOT_PRINTED),
        ([(THERMAL, S.FAILED), (A4, S.UNPROVEN)], H.NOT_PRINTED),
        ([(THERMAL, S.UNPROVEN), (EMAIL, S.FAILED)], H.PRINT_UNPROVEN),
        ([(THERMAL, S.WAITING), (EMAIL, S.FAILED)], H.MAIL_FAILED),
        ([(THERMAL, S.DROPPED), (EMAIL, S.DONE)], H.DONE),
        ([(THERMAL, S.DROPPED), (EMAIL, S.DROPPED)], H.DROPPED),
        ([], H.NONE),
    ],
)
def test_of_several_the_worst(jobs: list[tuple[JobMethod, JobState]], told: HandOver) -> None:
    assert hand_over_of([(*job, False) for job in jobs]) is told
    assert hand_over_of([], stays_here=True) is H.STAYS_HERE


# --- when a receipt counts as handed over (fiscal.md 6.12) ---------------------------------------


def job(state: JobState, trouble: DeviceTrouble | None = None) -> QueuedJob:
    return replace(queued(1, trouble), state=state, receipt_id="r")


@each(
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
    assert has_original([job(state, trouble), job(JobState.DONE)]), "one way that worked is enough"
    assert not has_original([])
