"""The self-test, subject by subject, and whether the server that answers is the own one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from pos_app.domain.receipt.server_status import (
    JournalMark,
    ProcessorState,
    ProcessorStatus,
    ServerStatus,
)
from pos_app.errors import PortTaken
from pos_app.selling.server.answers import ServerFacts
from pos_app.selling.server.monitor import ServerLink, ServerMonitor
from pos_app.selling.server.self_test import Finding, MachineFacts, Subject, Verdict, self_test
from tests.fakes.till_clock import StandingClock
from tests.sweep import each

NOW = datetime(2026, 11, 20, 6, tzinfo=UTC)
GB = 1_000_000_000


def status(state: ProcessorState = ProcessorState.READY, days: int | None = None) -> ServerStatus:
    ends = None if days is None else NOW + timedelta(days=days)
    return ServerStatus(ProcessorStatus("vpfr", state, certificate_ends=ends))


def found(
    *,
    told: ServerStatus | None = None,
    machine: MachineFacts | None = None,
    synced: timedelta | None = None,
    has_platform: bool = True,
    has_printer: bool = True,
    gives_paper: bool = True,
) -> dict[Subject, Finding]:
    findings = self_test(
        status=told,
        last=None,
        machine=machine or MachineFacts(),
        has_platform=has_platform,
        synced_at=None if synced is None else NOW - synced,
        has_printer=has_printer,
        gives_paper=gives_paper,
        now=NOW,
    )
    return {one.what: one for one in findings}


def test_each_subject_is_told_once_in_its_order() -> None:
    """An audit is told where the processor reports it."""
    assert list(found(told=audited(due=True))) == list(Subject)
    for due, verdict in ((True, Verdict.ODD), (False, Verdict.WELL)):
        assert found(told=audited(due=due))[Subject.AUDIT].verdict is verdict
    assert Subject.AUDIT not in found(told=status())
    silent = found()
    assert silent[Subject.SERVER].verdict is Verdict.AWAY
    assert silent[Subject.PROCESSOR].verdict is silent[Subject.PRINTER].verdict is Verdict.UNKNOWN


def audited(*, due: bool) -> ServerStatus:
    return ServerStatus(ProcessorStatus("lpfr", ProcessorState.READY, needs_audit=due))


@each("state", ProcessorState)
def test_a_processor_that_is_not_ready_is_bad(state: ProcessorState) -> None:
    one = found(told=status(state))[Subject.PROCESSOR]
    assert (one.verdict is Verdict.BAD) == (state is not ProcessorState.READY)


@each(("days", "verdict"), [(200, Verdict.WELL), (29, Verdict.ODD), (0, Verdict.ODD)])
def test_a_certificate_tells_its_days(days: int, verdict: Verdict) -> None:
    one = found(told=status(days=days))[Subject.PROCESSOR]
    assert (one.verdict, one.number) == (verdict, days)


@each(("has_printer", "why"), [(False, "none"), (True, "unused")])
def test_a_printer_that_gets_no_receipt_is_told(has_printer: bool, why: str) -> None:
    one = found(told=status(), has_printer=has_printer, gives_paper=False)[Subject.PRINTER]
    assert (one.verdict, one.why) == (Verdict.ODD, why)


@each(
    ("machine", "disk", "backup", "days"),
    [
        (MachineFacts(), Verdict.UNKNOWN, Verdict.UNKNOWN, 0),
        (MachineFacts(40 * GB, NOW - timedelta(days=2), asked=True), Verdict.WELL, Verdict.WELL, 2),
        (MachineFacts(40 * GB, NOW + timedelta(days=2), asked=True), Verdict.WELL, Verdict.WELL, 0),
        (MachineFacts(GB // 2, NOW - timedelta(days=9), asked=True), Verdict.ODD, Verdict.ODD, 9),
        (MachineFacts(40 * GB, None, asked=True), Verdict.WELL, Verdict.ODD, 0),
    ],
)
def test_disk_and_backup(machine: MachineFacts, disk: Verdict, backup: Verdict, days: int) -> None:
    told = found(machine=machine)
    assert (told[Subject.DISK].verdict, told[Subject.BACKUP].verdict) == (disk, backup)
    assert told[Subject.BACKUP].number == days


@each(
    ("synced", "has_platform", "verdict"),
    [
        (timedelta(hours=3), True, Verdict.WELL),
        (timedelta(hours=30), True, Verdict.ODD),
        (None, True, Verdict.ODD),
        (None, False, Verdict.WELL),
    ],
)
def test_the_catalogues_age(synced: timedelta | None, has_platform: bool, verdict: Verdict) -> None:
    assert found(synced=synced, has_platform=has_platform)[Subject.CATALOGUE].verdict is verdict


class Proving:
    """A server that always proves to be this installation's."""

    async def prove(self) -> ServerFacts:
        return ServerFacts("4.0.0", "production", JournalMark("journal-1", 0))


async def test_a_server_that_keeps_ours_from_its_port_is_not_ours() -> None:
    """The folder was moved away beneath it: it proved to be ours, and the till said that all works
    while its own server could not be started."""
    server: Any = Proving()
    clock = StandingClock()
    monitor = ServerMonitor(server=server, clock=clock)
    assert await monitor.is_ours()
    monitor.report_fault(PortTaken("ourselves", by="ourselves", port=9999, setting="port"))
    clock.go_on(3_000)
    assert not await monitor.is_ours()
    view = monitor.view
    assert (view.link, view.is_troubled, view.signs_nothing) == (ServerLink.STRANGER, True, True)
    monitor.report_fault(None)
    assert await monitor.is_ours()
    assert not monitor.view.is_troubled
