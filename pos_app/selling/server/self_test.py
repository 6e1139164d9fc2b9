"""The self-test checks all that a day of selling needs. It waits for nobody who may not answer, and
never blocks selling.

Source: till.md ("Shift").
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from pos_app.domain.receipt.server_status import ProcessorState, ServerStatus
from pos_app.domain.receipt.states import JobMethod
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import Sale

LEAST_FREE = 1_000_000_000
"""Bytes of free disk below which the test warns."""
SOON_ENDS = timedelta(days=30)
MOST_APART = timedelta(minutes=5)
OLD_BACKUP = timedelta(days=7)
OLD_CATALOGUE = timedelta(days=1)
DEADLINE_SECONDS = 3.0
"""A part that did not answer in this time is reported as unknown."""
_BY_PRINTER = frozenset({JobMethod.THERMAL, JobMethod.A4, JobMethod.DRAWER})


class Subject(StrEnum):
    SERVER = "server"
    PROCESSOR = "processor"
    AUDIT = "audit"
    """The processor's audit, shown where the processor says whether one is due."""
    PRINTER = "printer"
    CLOCK = "clock"
    DISK = "disk"
    BACKUP = "backup"
    CATALOGUE = "catalogue"


class Verdict(StrEnum):
    WELL = "well"
    ODD = "odd"
    BAD = "bad"
    AWAY = "away"
    """Does not answer now; it may again by itself."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Finding:
    """why: a word for the finding; number: days, minutes or gigabytes in it, or 0."""

    what: Subject
    verdict: Verdict
    why: str
    number: int = 0


class Machine(Protocol):
    """The computer of the till. Its methods are called in a thread; each may take its time."""

    def free_bytes(self) -> int | None:
        """The free bytes on the disk of the data folder, or None."""

    def last_backup(self) -> datetime | None:
        """The time of the newest copy of the databases, UTC, or None."""

    def backup_failed(self) -> bool:
        """Whether the last backup failed, or did not reach its second folder."""
        ...

    def can_listen(self, port: int) -> bool:
        """Whether a server of this account could answer at that port now."""

    def addresses(self) -> tuple[str, ...]:
        """The known IPv4 addresses by which other machines of its networks reach this one."""


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """free: bytes, or None. asked: whether the machine answered at all."""

    free: int | None = None
    backup: datetime | None = None
    backup_failed: bool = False
    asked: bool = False


def machine_facts(machine: Machine) -> MachineFacts:
    """Ask the machine; call this in a thread."""
    failed = machine.backup_failed()
    return MachineFacts(machine.free_bytes(), machine.last_backup(), failed, asked=True)


def self_test(
    *,
    status: ServerStatus | None,
    last: Sale | None,
    machine: MachineFacts,
    has_platform: bool,
    synced_at: datetime | None,
    has_printer: bool,
    gives_paper: bool,
    now: datetime,
) -> tuple[Finding, ...]:
    """status: the server's last one, or None while it does not answer. last: the newest sale that
    has a receipt. synced_at: the last synchronisation of the catalogue. has_printer: whether one
    for receipts is set up. gives_paper: whether the store hands receipts over on its paper."""
    return (
        Finding(Subject.SERVER, Verdict.WELL, "works")
        if status is not None
        else Finding(Subject.SERVER, Verdict.AWAY, "away"),
        _processor(status, now),
        *_audit(status),
        _printer(status, has_printer=has_printer, gives_paper=gives_paper),
        _clock(last),
        _disk(machine),
        _backup(machine, now),
        _catalogue(synced_at, now, has_platform=has_platform),
    )


def _processor(status: ServerStatus | None, now: datetime) -> Finding:
    what = Subject.PROCESSOR
    if status is None:
        return Finding(what, Verdict.UNKNOWN, "unknown")
    processor_status = status.processor
    if processor_status.state is not ProcessorState.READY:
        return Finding(what, Verdict.BAD, processor_status.state.value)
    if processor_status.certificate_ends is not None:
        days = (processor_status.certificate_ends - now).days
        odd = processor_status.certificate_ends - now < SOON_ENDS
        return Finding(what, Verdict.ODD if odd else Verdict.WELL, "certificate_days", max(days, 0))
    return Finding(what, Verdict.WELL, "ready")


def _audit(status: ServerStatus | None) -> tuple[Finding, ...]:
    due = None if status is None else status.processor.needs_audit
    if due is None:
        return ()
    what = Subject.AUDIT
    return (Finding(what, Verdict.ODD, "due") if due else Finding(what, Verdict.WELL, "not_due"),)


def _printer(status: ServerStatus | None, *, has_printer: bool, gives_paper: bool) -> Finding:
    what = Subject.PRINTER
    if not (has_printer and gives_paper):
        return Finding(what, Verdict.ODD, "unused" if has_printer else "none")
    if status is None:
        return Finding(what, Verdict.UNKNOWN, "unknown")
    waits = sum(job.method in _BY_PRINTER for job in status.jobs)
    return Finding(
        what, Verdict.ODD if waits else Verdict.WELL, "waits" if waits else "works", waits
    )


def _clock(last: Sale | None) -> Finding:
    """Compare the processor's time of the last receipt with the arrival of its answer."""
    what = Subject.CLOCK
    signed = None if last is None or last.receipt is None else last.receipt.signed_at
    if signed is None or last is None or last.answered_at is None:
        return Finding(what, Verdict.UNKNOWN, "unknown")
    apart = abs(last.answered_at - signed)
    late = last.answered_at - last.frozen_at > MOST_APART  # it waited, so the times prove nothing
    if apart <= MOST_APART:
        return Finding(what, Verdict.WELL, "agrees")
    if late:
        return Finding(what, Verdict.UNKNOWN, "unknown")
    return Finding(what, Verdict.ODD, "apart", int(apart.total_seconds()) // 60)


def _disk(machine: MachineFacts) -> Finding:
    if machine.free is None:
        return Finding(Subject.DISK, Verdict.UNKNOWN, "unknown")
    verdict = Verdict.WELL if machine.free >= LEAST_FREE else Verdict.ODD
    return Finding(Subject.DISK, verdict, "free", machine.free // 1_000_000_000)


def _backup(machine: MachineFacts, now: datetime) -> Finding:
    what = Subject.BACKUP
    if not machine.asked:
        return Finding(what, Verdict.UNKNOWN, "unknown")
    if machine.backup is None:
        return Finding(what, Verdict.ODD, "none")
    if machine.backup_failed:
        return Finding(what, Verdict.ODD, "failed")
    age = now - machine.backup
    verdict = Verdict.WELL if age <= OLD_BACKUP else Verdict.ODD
    return Finding(what, verdict, "days", max(age.days, 0))


def _catalogue(synced_at: datetime | None, now: datetime, *, has_platform: bool) -> Finding:
    what = Subject.CATALOGUE
    if not has_platform:
        return Finding(what, Verdict.WELL, "own")
    if synced_at is None:
        return Finding(what, Verdict.ODD, "never")
    age = now - synced_at
    hours = int(age.total_seconds()) // 3600
    return Finding(what, Verdict.WELL if age <= OLD_CATALOGUE else Verdict.ODD, "hours", hours)
