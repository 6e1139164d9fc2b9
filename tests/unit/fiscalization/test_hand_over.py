"""The state of a receipt's delivery to its customer, by its delivery jobs."""

from __future__ import annotations

import pytest

from pos_app.domain.receipt.receipt_list import HandOver
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.fiscalization.jobs import hand_over_of

S, H = JobState, HandOver
THERMAL, A4, EMAIL = JobMethod.THERMAL, JobMethod.A4, JobMethod.EMAIL
OF_PAPER = [
    (S.WAITING, False, H.WAITING),
    (S.WAITING, True, H.NOT_PRINTED),
    (S.RUNNING, False, H.WAITING),
    (S.RUNNING, True, H.WAITING),
    (S.DONE, False, H.DONE),
    (S.DONE, True, H.DONE),
    (S.FAILED, True, H.NOT_PRINTED),
    (S.UNPROVEN, True, H.PRINT_UNPROVEN),
    (S.DROPPED, True, H.DROPPED),
]
OF_MAIL = [
    (S.WAITING, False, H.MAIL_WAITS),
    (S.WAITING, True, H.MAIL_WAITS),
    (S.RUNNING, False, H.MAIL_WAITS),
    (S.DONE, False, H.DONE),
    (S.FAILED, True, H.MAIL_FAILED),
    (S.UNPROVEN, True, H.MAIL_UNPROVEN),
    (S.DROPPED, True, H.DROPPED),
]


@pytest.mark.parametrize(("state", "has_trouble", "told"), OF_PAPER)
def test_on_paper(state: JobState, has_trouble: bool, told: HandOver) -> None:
    assert hand_over_of([(THERMAL, state, has_trouble)]) is told
    assert hand_over_of([(A4, state, has_trouble)]) is told


@pytest.mark.parametrize(("state", "has_trouble", "told"), OF_MAIL)
def test_by_mail(state: JobState, has_trouble: bool, told: HandOver) -> None:
    assert hand_over_of([(EMAIL, state, has_trouble)]) is told


@pytest.mark.parametrize(
    ("jobs", "told"),
    [
        ([(THERMAL, S.DONE), (EMAIL, S.WAITING)], H.MAIL_WAITS),
        ([(THERMAL, S.FAILED), (EMAIL, S.DONE)], H.NOT_PRINTED),
        ([(THERMAL, S.FAILED), (A4, S.UNPROVEN)], H.NOT_PRINTED),
        ([(THERMAL, S.UNPROVEN), (EMAIL, S.FAILED)], H.PRINT_UNPROVEN),
        ([(THERMAL, S.WAITING), (EMAIL, S.FAILED)], H.MAIL_FAILED),
        ([(THERMAL, S.DROPPED), (EMAIL, S.DONE)], H.DONE),
        ([(THERMAL, S.DROPPED), (EMAIL, S.DROPPED)], H.DROPPED),
    ],
)
def test_of_several_the_worst(jobs: list[tuple[JobMethod, JobState]], told: HandOver) -> None:
    assert hand_over_of([(*job, False) for job in jobs]) is told


def test_without_a_job() -> None:
    assert hand_over_of([]) is HandOver.NONE
    assert hand_over_of([], stays_here=True) is HandOver.STAYS_HERE
