"""Decides which job of a device is next, and what a failed attempt means for the jobs after it.

A fault of the device holds all its jobs, in order, because it would stop the next one too. A fault
of one job (a page that the print service can't take, a full mailbox) sets that job aside, and the
others continue.
Source: exactly-once.md, step 11; fiscal.md 6.12 (receipts are printed in order).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from pos_app.domain.receipt.states import JobMethod
from pos_app.fiscalization.device_ports import DeviceTrouble, Failed
from pos_app.fiscalization.jobs import DeviceLine, QueuedJob
from pos_app.lazy_dataclass import dataclass

FRESH = timedelta(hours=24)
"""An older job is not begun: the customer has left."""
DRAWER_FRESH = timedelta(seconds=5)
"""A drawer that opened later would be unattended."""
FIRST_PAUSE = timedelta(seconds=2)
LONGEST_PAUSE = timedelta(minutes=1)
NOW = timedelta(0)
NO_LINE = DeviceLine()
MOST_TRIES_ASIDE = 3
"""The most attempts for a paper that was set aside; each may occupy the device for minutes."""
_MOST_DOUBLINGS = 10

_T = DeviceTrouble
_OF_PRINTER = frozenset(
    {
        _T.AWAY,
        _T.BUSY,
        _T.NO_RIGHT,
        _T.CUT_OFF,
        _T.STUCK,
        _T.OFFLINE,
        _T.PAPER_OUT,
        _T.COVER_OPEN,
        _T.CUTTER,
        _T.PRINTER_ERROR,
        _T.NO_QUEUE,
        _T.QUEUE_STOPPED,
        _T.QUEUE_REFUSES,
        _T.NOT_FINISHED,
    }
)
_OF_MAIL_SERVER = frozenset({_T.AWAY, _T.NO_ENCRYPTION, _T.CERTIFICATE, _T.LOGIN, _T.SENDER})
"""A connection that is cut off or stuck during a mail may be that mail's fault."""
HOLDS_UP: Mapping[JobMethod, frozenset[DeviceTrouble]] = {
    JobMethod.THERMAL: _OF_PRINTER,
    JobMethod.A4: _OF_PRINTER,
    JobMethod.EMAIL: _OF_MAIL_SERVER,
    JobMethod.DRAWER: frozenset(),
}
"""The troubles of a device; any other trouble is the job's own."""


@dataclass(frozen=True, slots=True)
class NextJob:
    """job: None if no job waits. pause: the time until its turn. is_held: a fault of the device
    holds its line; the device is then asked whether it is ready again."""

    job: QueuedJob | None
    pause: timedelta
    is_held: bool = False


@dataclass(frozen=True, slots=True)
class Retry:
    """pause: the time until the next attempt. with_all: all jobs of the device wait as long."""

    pause: timedelta
    with_all: bool


def is_aside(job: QueuedJob) -> bool:
    return job.trouble is not None and job.trouble not in HOLDS_UP[job.method]


def next_turn(
    line: DeviceLine, *, now: datetime, is_back: bool, drawer: DeviceLine = NO_LINE
) -> NextJob:
    """The next job of a device. is_back: the device has recovered; drawer: waiting pulses.

    Pulses come first. When any job in the line is due, the oldest has its turn, so a new job has a
    device in trouble tried at once. A job set aside has its turn when it is due earlier than the
    line. No pause exceeds LONGEST_PAUSE, even if our clock was set back.
    """
    if drawer.first is not None:
        return NextJob(drawer.first, NOW)
    candidates = [NextJob(job, _pause_until(job.next_at, now)) for job in line.aside]
    if line.first is not None:
        held_until = now if is_back or line.has_new else line.held_until or now
        due = _pause_until(held_until, now)
        candidates.insert(0, NextJob(line.first, due, is_held=line.first.trouble is not None))
    if not candidates:
        return NextJob(None, LONGEST_PAUSE)
    first = min(candidates, key=lambda candidate: max(candidate.pause, NOW))
    return NextJob(first.job, first.pause, is_held=candidates[0].is_held)


def _pause_until(due: datetime, now: datetime) -> timedelta:
    pause = due - now
    return NOW if pause > LONGEST_PAUSE else pause


def is_too_old(job: QueuedJob, *, now: datetime) -> bool:
    fresh = DRAWER_FRESH if job.method is JobMethod.DRAWER else FRESH
    return now - job.asked_at >= fresh


def retry(job: QueuedJob, failed: Failed) -> Retry | None:
    """The retry of a job that just failed, or None where only a person may retry. job: the job as
    it was before the attempt."""
    if not failed.may_be_repeated or job.method is JobMethod.DRAWER:
        return None
    attempts = job.attempts + 1
    if failed.trouble in HOLDS_UP[job.method]:
        return Retry(pause_after(attempts), with_all=True)
    is_paper = job.method is not JobMethod.EMAIL
    if is_paper and attempts >= MOST_TRIES_ASIDE and is_aside(job):
        return None
    return Retry(pause_after(attempts), with_all=False)


def pause_after(attempts: int) -> timedelta:
    """The time until the next attempt: 2, 4, 8 … 60 s.

    >>> [pause_after(attempts).seconds for attempts in (1, 2, 5, 6, 100)]
    [2, 4, 32, 60, 60]
    """
    doubled = 1 << min(attempts - 1, _MOST_DOUBLINGS)
    return min(FIRST_PAUSE * doubled, LONGEST_PAUSE)
