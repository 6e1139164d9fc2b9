"""Delivery jobs in journal.db: committed with SIGNED, and moved only as the table of states
allows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import apsw
import pytest

from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.documents.blocks import Document, FramedNotice, Heading, Lines, QrCode
from pos_app.domain.request import ReceiptDelivery
from pos_app.domain.states import JOB_BEGINNINGS, JOB_MOVES, JobMethod, JobState, RequestState
from pos_app.errors import DatabaseDamaged, NotAllowed
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.fiscalization.jobs import InTrouble, QueuedJob
from pos_app.fiscalization.ports import Request
from tests.integration.journal.test_journal import LANE, NOW, WHY, command, receipt, request

_J = JobState
EVERYTHING = ReceiptDelivery(thermal=True, a4=True, email="kupac@primer.rs", pdf=True)
PAPER = Document(
    title="Извештај X",
    moment=NOW,
    language="sr-Cyrl",
    blocks=(
        Heading(("Пекара",)),
        Lines(("Готовина                        1.200,00",)),
        FramedNotice(("НИЈЕ РАЧУН",)),
        QrCode("https://primer.rs"),
    ),
)
WAYS: dict[JobState, tuple[JobState, ...]] = {
    _J.WAITING: (),
    _J.RUNNING: (_J.RUNNING,),
    _J.DONE: (_J.RUNNING, _J.DONE),
    _J.FAILED: (_J.RUNNING, _J.FAILED),
    _J.UNPROVEN: (_J.RUNNING, _J.UNPROVEN),
    _J.DROPPED: (_J.DROPPED,),
}
"""The moves that bring a job into each state."""


@pytest.fixture
def journal(folder: Path) -> Iterator[SqliteJournal]:
    opened = SqliteJournal(folder / "journal.db")
    yield opened
    opened.close()


def sold(
    journal: SqliteJournal, delivery: ReceiptDelivery, number: int = 1, *, now: datetime = NOW
) -> Request:
    plain = request(number)
    asked = replace(plain, planned=replace(plain.planned, delivery=delivery))
    journal.add_command(command(number), [asked])
    journal.send(asked.id, lane=LANE, clock=now, now=now)
    return asked


def signed(
    journal: SqliteJournal, delivery: ReceiptDelivery, number: int = 1, *, now: datetime = NOW
) -> tuple[QueuedJob, ...]:
    """Sign a receipt; return its jobs, the newest first."""
    asked = sold(journal, delivery, number, now=now)
    journal.sign(asked.id, receipt(f"ABCD1234-ABCD1234-{number}"), lane=LANE, now=now)
    return tuple(job for job in journal.jobs.not_done() if job.receipt_id == asked.id)


def force(journal: SqliteJournal, job: QueuedJob, state: JobState) -> None:
    journal.jobs.end(job.id, state, now=NOW)


@pytest.mark.parametrize(("old", "new"), list(itertools.product(JobState, JobState)), ids=str)
def test_storage_refuses_every_move_that_the_table_does_not_have(
    journal: SqliteJournal, old: JobState, new: JobState
) -> None:
    (job,) = signed(journal, ReceiptDelivery(thermal=True))
    for state in WAYS[old]:
        force(journal, job, state)
    if new in JOB_MOVES[old]:
        force(journal, job, new)
        assert (found := journal.jobs.job(job.id)) is not None
        assert found.state is new
    else:
        with pytest.raises(NotAllowed):
            force(journal, job, new)


@pytest.mark.parametrize("state", JobState)
def test_a_job_begins_in_no_other_state(folder: Path, state: JobState) -> None:
    SqliteJournal(folder / "journal.db").close()
    connection = apsw.Connection(str(folder / "journal.db"))
    insert = (
        "INSERT INTO jobs (till_key, paper, method, target, state, made_at, asked_at,"
        " changed_at, next_at) VALUES ('k', x'00', 'thermal', '', ?, 0, 0, 0, 0)"
    )
    if state in JOB_BEGINNINGS:
        connection.execute(insert, (state.value,))
    else:
        with pytest.raises(apsw.ConstraintError):
            connection.execute(insert, (state.value,))
    connection.close()


@pytest.mark.parametrize(
    ("delivery", "methods"),
    [
        (ReceiptDelivery(), []),
        (ReceiptDelivery(pdf=True, base64_pdf=True), []),
        (ReceiptDelivery(thermal=True), ["thermal"]),
        (EVERYTHING, ["email", "a4", "thermal"]),
    ],
)
def test_what_was_asked_for_is_a_job_from_the_moment_it_is_signed(
    journal: SqliteJournal, delivery: ReceiptDelivery, methods: list[str]
) -> None:
    jobs = signed(journal, delivery)
    assert [job.method for job in jobs] == methods
    assert all(job.state is JobState.WAITING for job in jobs)
    assert all(job.number == "ABCD1234-ABCD1234-1" for job in jobs)
    assert [job.target for job in jobs if job.method is JobMethod.EMAIL] == (
        ["kupac@primer.rs"] if delivery.email else []
    )


def test_a_receipt_that_is_not_signed_has_no_job(journal: SqliteJournal) -> None:
    sold(journal, EVERYTHING)
    assert journal.jobs.not_done() == ()


def test_a_receipt_that_a_look_up_or_a_person_finds_is_printed_too(journal: SqliteJournal) -> None:
    asked = sold(journal, EVERYTHING)
    for state in (RequestState.UNKNOWN, RequestState.NEEDS_HUMAN):
        journal.settle(asked.id, state, reason=WHY, now=NOW)
    journal.sign(asked.id, receipt(), lane=LANE, now=NOW)
    assert len(journal.jobs.not_done()) == 3


def test_without_its_jobs_nothing_is_signed(journal: SqliteJournal, folder: Path) -> None:
    asked = sold(journal, EVERYTHING)
    other = apsw.Connection(str(folder / "journal.db"))
    other.execute("CREATE TRIGGER full BEFORE INSERT ON jobs BEGIN SELECT RAISE(ABORT, 'no'); END")
    other.close()
    with pytest.raises(NotAllowed):
        journal.sign(asked.id, receipt(), lane=LANE, now=NOW)
    assert (kept := journal.request(asked.id)) is not None
    assert kept.state is RequestState.SENDING
    assert journal.receipt(asked.id) is None


def test_a_paper_of_the_till_is_kept_as_it_was_given_and_once(journal: SqliteJournal) -> None:
    job = journal.jobs.add(PAPER, key="k" * 16, now=NOW)
    again = journal.jobs.add(PAPER, key="k" * 16, now=NOW)
    assert (job.method, job.state, job.receipt_id) == (JobMethod.THERMAL, JobState.WAITING, None)
    assert again == job
    assert journal.jobs.paper(job.id) == PAPER
    assert journal.jobs.line(JobMethod.THERMAL).first == job


def test_a_restart_continues_what_waits_and_doubts_what_ran(folder: Path) -> None:
    first = SqliteJournal(folder / "journal.db")
    _, a4, thermal = signed(first, EVERYTHING)
    first.jobs.start(thermal.id, now=NOW)
    first.close()
    second = SqliteJournal(folder / "journal.db")
    second.recover(now=NOW)
    found = {job.id: (job.state, job.trouble) for job in second.jobs.not_done()}
    assert found[thermal.id] == (JobState.UNPROVEN, DeviceTrouble.INTERRUPTED)
    assert found[a4.id] == (JobState.WAITING, None)
    second.close()


def test_a_person_asks_again_and_it_is_another_sending(journal: SqliteJournal) -> None:
    (job,) = signed(journal, ReceiptDelivery(email="kupac@primer.rs"))
    journal.jobs.start(job.id, now=NOW)
    journal.jobs.end(job.id, JobState.FAILED, now=NOW, trouble=DeviceTrouble.LOGIN, words="no")
    later = NOW + timedelta(hours=3)
    asked = journal.jobs.again(job.id, by="Ана", now=later)
    assert asked is not None
    assert (asked.state, asked.sending, asked.attempts) == (JobState.WAITING, 2, 0)
    assert (asked.since, asked.asked_at, asked.next_at) == (NOW, later, later)


@pytest.mark.parametrize(
    ("state", "end"),
    [
        (JobState.UNPROVEN, JobState.DONE),
        (JobState.FAILED, JobState.DROPPED),
        (JobState.WAITING, JobState.DROPPED),
    ],
)
def test_a_person_has_seen_it(journal: SqliteJournal, state: JobState, end: JobState) -> None:
    (job,) = signed(journal, ReceiptDelivery(thermal=True))
    for step in WAYS[state]:
        force(journal, job, step)
    assert (seen := journal.jobs.seen(job.id, by="Ана", now=NOW)) is not None
    assert seen.state is end
    assert journal.jobs.not_done() == ()


@pytest.mark.parametrize("state", [JobState.RUNNING, JobState.DONE, JobState.DROPPED])
def test_what_runs_or_is_done_is_not_printed_again(journal: SqliteJournal, state: JobState) -> None:
    (job,) = signed(journal, ReceiptDelivery(thermal=True))
    for step in WAYS[state]:
        force(journal, job, step)
    with pytest.raises(NotAllowed):
        journal.jobs.again(job.id, by="Ана", now=NOW)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE jobs SET target = 'drugi@primer.rs'",
        "UPDATE jobs SET request_id = NULL, paper = x'00', till_key = 'k'",
        "DELETE FROM jobs",
    ],
)
def test_what_is_to_be_handed_over_never_changes(
    journal: SqliteJournal, folder: Path, sql: str
) -> None:
    signed(journal, EVERYTHING)
    connection = apsw.Connection(str(folder / "journal.db"))
    with pytest.raises(apsw.ConstraintError):
        connection.execute(sql)
    connection.close()


def test_an_unknown_job(journal: SqliteJournal) -> None:
    assert journal.jobs.job(7) is None
    assert journal.jobs.paper(7) is None
    assert journal.jobs.again(7, by="Ана", now=NOW) is None
    assert journal.jobs.seen(7, by="Ана", now=NOW) is None


def test_a_job_in_trouble_is_told_whatever_waits_behind_it(journal: SqliteJournal) -> None:
    (failed,) = signed(journal, ReceiptDelivery(thermal=True))
    journal.jobs.start(failed.id, now=NOW)
    journal.jobs.end(
        failed.id, JobState.FAILED, now=NOW, trouble=DeviceTrouble.PAPER_OUT, words="none"
    )
    for number in range(201):
        journal.jobs.add(PAPER, key=f"paper-{number}", now=NOW)
    journal.jobs.add_drawer(key="k" * 16, by="Ана", now=NOW)
    assert failed.id not in [job.id for job in journal.jobs.not_done()]
    assert journal.jobs.in_trouble(JobMethod.EMAIL, most=50) == InTrouble((), 0)
    (told,) = journal.jobs.in_trouble(JobMethod.THERMAL, JobMethod.A4, most=50).jobs
    assert (told.id, told.trouble) == (failed.id, DeviceTrouble.PAPER_OUT)


def test_a_job_that_waits_for_a_person_is_told_before_all_that_wait_for_the_printer(
    journal: SqliteJournal,
) -> None:
    (failed,) = signed(journal, ReceiptDelivery(thermal=True))
    journal.jobs.start(failed.id, now=NOW)
    journal.jobs.end(
        failed.id, JobState.FAILED, now=NOW, trouble=DeviceTrouble.DOCUMENT, words="none"
    )
    waiting = [journal.jobs.add(PAPER, key=f"paper-{number}", now=NOW) for number in range(4)]
    for job in waiting:
        journal.jobs.start(job.id, now=NOW)
        journal.jobs.put_back(
            job.id, now=NOW, next_at=NOW, trouble=DeviceTrouble.PAPER_OUT, words="none"
        )
    told = journal.jobs.in_trouble(JobMethod.THERMAL, most=3)
    assert [job.id for job in told.jobs] == [failed.id, waiting[3].id, waiting[2].id]
    assert told.left_off == 2
    assert journal.jobs.in_trouble(JobMethod.THERMAL, most=5).left_off == 0


def test_the_newest_that_waits_is_told_however_many_wait_for_a_person(
    journal: SqliteJournal,
) -> None:
    jobs = [journal.jobs.add(PAPER, key=f"paper-{number}", now=NOW) for number in range(70)]
    for job in jobs:
        journal.jobs.start(job.id, now=NOW)
    for job in jobs[:60]:
        journal.jobs.end(
            job.id, JobState.FAILED, now=NOW, trouble=DeviceTrouble.TOO_OLD, words="none"
        )
    for job in jobs[60:]:
        journal.jobs.put_back(
            job.id, now=NOW, next_at=NOW, trouble=DeviceTrouble.AWAY, words="none"
        )
    told = journal.jobs.in_trouble(JobMethod.THERMAL, most=50)
    newest = [job.id for job in reversed(jobs)]
    assert [job.id for job in told.jobs] == newest[10:55] + newest[:5]
    assert told.left_off == 20


def test_all_that_is_not_done_can_be_read_a_page_after_the_other(journal: SqliteJournal) -> None:
    made = [journal.jobs.add(PAPER, key=f"paper-{number}", now=NOW).id for number in range(401)]
    told: list[int] = []
    while page := journal.jobs.not_done(before=told[-1] if told else None):
        assert len(page) <= 200
        told += [job.id for job in page]
    assert told == made[::-1]


def test_each_receipt_that_needs_something_stands_on_one_page(journal: SqliteJournal) -> None:
    """The list has each receipt with all its open jobs, ordered by the newest, also beyond one page
    of jobs."""
    both = ReceiptDelivery(thermal=True, email="kupac@example.rs")
    order = list[str]()
    for number in range(1, 121):
        paper, mail = sorted(signed(journal, both, number), key=lambda job: job.id)
        order.insert(0, paper.receipt_id or "")
        if number % 3 == 0:  # its mail is done, and its paper made before those of others
            journal.jobs.start(mail.id, now=NOW)
            force(journal, mail, JobState.DONE)
        if number == 60:
            journal.jobs.start(paper.id, now=NOW)
            force(journal, paper, JobState.DONE)
            order.pop(0)
        journal.jobs.add(PAPER, key=f"paper-{number:016}", now=NOW)
    told = list[str]()
    page = journal.jobs.of_waiting_receipts(most=7)
    while True:
        told += page.of_receipts
        assert page.many == 119
        for of_receipt, jobs in page.of_receipts.items():
            all_jobs = journal.jobs.of_receipt(of_receipt)
            assert list(jobs) == [one for one in all_jobs if one.state is JobState.WAITING][::-1]
        if page.go_on is None:
            break
        assert len(page.of_receipts) == 7
        page = journal.jobs.of_waiting_receipts(before=page.go_on, most=7)
    assert told == order


def test_a_job_that_can_not_be_read_hides_no_other(
    journal: SqliteJournal, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = (journal.jobs.add(PAPER, key=f"paper-{one}", now=NOW) for one in (1, 2))
    connection = apsw.Connection(str(folder / "journal.db"))
    connection.execute("UPDATE jobs SET trouble = 'a_newer_word' WHERE id = ?", (first.id,))
    connection.close()
    for _ in range(2):
        assert journal.jobs.line(JobMethod.THERMAL).first == second
        assert [job.id for job in journal.jobs.not_done()] == [second.id]
    assert len(caplog.records) == 1
    with pytest.raises(DatabaseDamaged):
        journal.jobs.job(first.id)
