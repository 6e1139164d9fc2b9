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
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.domain.receipt.server_jobs import CountedPaper, OpenPapers, PaperCount
from pos_app.domain.receipt.states import JOB_MOVES, JobMethod, JobState, RequestState
from pos_app.errors import DatabaseDamaged, NotAllowed
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.fiscalization.jobs import QueuedJob
from pos_app.fiscalization.ports import Request
from tests.integration.journal.test_journal import LANE, NOW, WHY, command, receipt, request

_J = JobState
TOMORROW = NOW + timedelta(hours=25)
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


def force(journal: SqliteJournal, job: QueuedJob, *moves: JobState) -> None:
    for state in moves:
        journal.jobs.end(job.id, state, now=NOW)


def failed(
    journal: SqliteJournal, job: QueuedJob, trouble: DeviceTrouble = DeviceTrouble.PAPER_OUT
) -> QueuedJob:
    journal.jobs.start(job.id, now=NOW)
    journal.jobs.end(job.id, JobState.FAILED, now=NOW, trouble=trouble, words="none")
    return job


def put_back(journal: SqliteJournal, job: QueuedJob, trouble: DeviceTrouble) -> None:
    now = NOW
    journal.jobs.put_back(job.id, now=now, next_at=now, trouble=trouble, words="none")


def added(journal: SqliteJournal, number: int) -> QueuedJob:
    return journal.jobs.add(PAPER, key=f"paper-{number}", now=NOW)


def test_storage_refuses_every_move_that_the_table_does_not_have(journal: SqliteJournal) -> None:
    every = itertools.product(JobState, JobState)
    for number, (old, new) in enumerate(every, start=1):
        (job,) = signed(journal, ReceiptDelivery(email="kupac@primer.rs"), number)
        force(journal, job, *WAYS[old])
        if new in JOB_MOVES[old]:
            force(journal, job, new)
            assert (found := journal.jobs.job(job.id)) is not None
            assert found.state is new
        else:
            with pytest.raises(NotAllowed):
                force(journal, job, new)


def test_a_receipt_that_a_look_up_or_a_person_finds_is_printed_too(journal: SqliteJournal) -> None:
    asked = sold(journal, EVERYTHING)
    assert journal.jobs.not_done() == ()
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


def test_what_runs_or_is_done_is_not_printed_again(journal: SqliteJournal) -> None:
    ends: dict[JobState, JobState] = {
        _J.UNPROVEN: _J.DONE,
        _J.FAILED: _J.DROPPED,
        _J.WAITING: _J.DROPPED,
    }
    for number, (state, end) in enumerate(ends.items(), start=1):
        (job,) = signed(journal, ReceiptDelivery(thermal=True), number)
        force(journal, job, *WAYS[state])
        seen = journal.jobs.seen(job.id, by="Ана", now=NOW)
        assert seen.state is end
        assert journal.jobs.not_done() == ()
    for number, state in enumerate((_J.RUNNING, _J.DONE, _J.DROPPED), start=4):
        (job,) = signed(journal, ReceiptDelivery(thermal=True), number)
        force(journal, job, *WAYS[state])
        with pytest.raises(NotAllowed):
            journal.jobs.again(job.id, by="Ана", now=NOW)


OTHER = "kupac.ana@primer.rs"


def test_a_mail_that_failed_twice_goes_back_to_the_first_address(journal: SqliteJournal) -> None:
    """One job stands for each address: the dropped one of the first address waits again."""
    for number, state in enumerate((_J.FAILED, _J.UNPROVEN), start=1):
        (first,) = signed(journal, ReceiptDelivery(email="kupac@primer.rs"), number)
        force(journal, first, *WAYS[state])
        other = journal.jobs.again_to(first.id, OTHER, by="Ана", now=NOW)
        assert other is not None
        force(journal, other, *WAYS[state])
        back = journal.jobs.again_to(other.id, first.target, by="Ана", now=NOW)
        assert back is not None
        assert (back.id, back.target, back.state) == (first.id, "kupac@primer.rs", _J.WAITING)
        assert (back.sending, back.attempts) == (2, 0)
        assert journal.jobs.not_done() == (back,)
        assert journal.jobs.line(JobMethod.EMAIL).first == back
        with pytest.raises(NotAllowed):  # a late press sends nothing to the wrong address
            journal.jobs.again(other.id, by="Ана", now=NOW)
        force(journal, back, *WAYS[_J.DONE])


def test_only_a_mail_that_does_not_run_has_another_address(journal: SqliteJournal) -> None:
    by_method = {one.method: one for one in signed(journal, EVERYTHING)}
    paper, mail = by_method[JobMethod.THERMAL], by_method[JobMethod.EMAIL]
    assert journal.jobs.again_to(7_000, OTHER, by="Ана", now=NOW) is None
    force(journal, paper, *WAYS[JobState.UNPROVEN])  # it may be in the buyer's hand
    with pytest.raises(NotAllowed):
        journal.jobs.again_to(paper.id, OTHER, by="Ана", now=NOW)
    force(journal, mail, JobState.RUNNING)
    with pytest.raises(NotAllowed):
        journal.jobs.again_to(mail.id, OTHER, by="Ана", now=NOW)


@pytest.mark.parametrize("state", [JobState.WAITING, JobState.FAILED])
def test_a_paper_that_did_not_come_out_is_mailed(journal: SqliteJournal, state: JobState) -> None:
    (paper,) = signed(journal, ReceiptDelivery(thermal=True))
    force(journal, paper, *WAYS[state])
    mail = journal.jobs.again_to(paper.id, OTHER, by="Ана", now=NOW)
    assert (mail.method, mail.state, mail.target) == (JobMethod.EMAIL, JobState.WAITING, OTHER)
    with pytest.raises(NotAllowed):
        journal.jobs.again_to(paper.id, OTHER, by="Ана", now=NOW)
    jobs = {job.method: job.state for job in journal.jobs.of_receipt(paper.receipt_id or "")}
    assert jobs == {JobMethod.THERMAL: JobState.DROPPED, JobMethod.EMAIL: JobState.WAITING}


def papers_in_trouble(journal: SqliteJournal) -> dict[int, QueuedJob]:
    """By the number of their receipts: 1 and 2 wait for paper, 3 was given up, 4 may be printed, 5
    has its turn; beside them a paper of the till and a mail that failed."""
    thermal = ReceiptDelivery(thermal=True)
    jobs = {number: signed(journal, thermal, number)[0] for number in range(1, 5)}
    hold_up(journal, jobs[1])
    failed(journal, jobs[3])
    trouble = DeviceTrouble.CUT_OFF
    journal.jobs.start(jobs[4].id, now=NOW)
    journal.jobs.end(jobs[4].id, JobState.UNPROVEN, now=NOW, trouble=trouble, words="cut")
    failed(journal, added(journal, 1))
    failed(journal, signed(journal, ReceiptDelivery(email=OTHER), 6)[0])
    return jobs | {5: signed(journal, thermal, 5)[0]}


def hold_up(journal: SqliteJournal, job: QueuedJob) -> None:
    journal.jobs.start(job.id, now=NOW)
    out, thermal = DeviceTrouble.PAPER_OUT, JobMethod.THERMAL
    journal.jobs.put_back(job.id, now=NOW, next_at=NOW, trouble=out, words="", holding=thermal)


def states(journal: SqliteJournal, jobs: dict[int, QueuedJob]) -> dict[int, JobState]:
    found = {number: journal.jobs.job(job.id) for number, job in jobs.items()}
    return {number: job.state for number, job in found.items() if job is not None}


def decided(journal: SqliteJournal, what: str, counted: OpenPapers, *, unproven: bool) -> int:
    papers = (counted.unproven if unproven else counted.not_printed).papers
    decide = getattr(journal.jobs, what)
    decided: PaperCount = decide(papers, unproven=unproven, by="Ана", now=TOMORROW)
    return decided.receipts


@pytest.mark.parametrize("unproven", [False, True])
def test_all_papers_are_decided_together_no_others(journal: SqliteJournal, unproven: bool) -> None:
    jobs = papers_in_trouble(journal)
    counted = journal.jobs.open_papers()
    assert counted == OpenPapers(
        PaperCount(3, tuple(CountedPaper(jobs[one].id, 1) for one in (1, 2, 3))),
        given_up=1,
        unproven=PaperCount(1, (CountedPaper(jobs[4].id, 1),)),
        in_turn=1,
    )
    failed(journal, signed(journal, ReceiptDelivery(thermal=True), 7)[0])
    before = states(journal, jobs)
    for many in (1 if unproven else 3, 0):
        assert decided(journal, "print_all", counted, unproven=unproven) == many
    meant = {4} if unproven else {1, 2, 3}
    assert states(journal, jobs) == {**before, **dict.fromkeys(meant, JobState.WAITING)}
    again = [job for job in map(journal.jobs.job, (jobs[one].id for one in meant)) if job]
    assert all(job.trouble is None and job.asked_at == TOMORROW for job in again)
    assert all(job.changed_at == TOMORROW for job in again), "it differs from what was answered"
    for job in again:
        hold_up(journal, job)
    after = journal.jobs.open_papers()
    dropped = {1, 2, 3, 5} | meant
    assert after.not_printed.receipts == len({7} | dropped), "what is behind them waits, too"
    for many in (len({7} | dropped), 0):
        assert decided(journal, "end_all", after, unproven=False) == many
    assert states(journal, jobs) == {**before, **dict.fromkeys(dropped, JobState.DROPPED)}
    if not unproven:
        assert decided(journal, "end_all", counted, unproven=True) == 1
        assert states(journal, jobs)[4] is JobState.DONE


def test_a_paper_whose_file_is_being_opened_is_counted_and_not_printed_with_all(
    journal: SqliteJournal,
) -> None:
    jobs = papers_in_trouble(journal)
    before = journal.jobs.open_papers()
    journal.jobs.hold_back(jobs[2].id, until=TOMORROW)
    assert journal.jobs.open_papers() == before
    assert decided(journal, "print_all", before, unproven=False) == 2
    assert decided(journal, "end_all", before, unproven=False) == 1


def test_what_is_not_as_it_was_counted_is_left_to_be_asked_about(journal: SqliteJournal) -> None:
    """Uncertain since, asked for once more, failed since, and being tried now."""
    jobs = papers_in_trouble(journal)
    counted = journal.jobs.open_papers()
    for number, state in ((1, _J.UNPROVEN), (5, _J.FAILED)):
        journal.jobs.start(jobs[number].id, now=NOW)
        journal.jobs.end(jobs[number].id, state, now=NOW, trouble=DeviceTrouble.CUT_OFF)
    journal.jobs.again(jobs[4].id, by="Ана", now=NOW)
    journal.jobs.start(jobs[4].id, now=NOW)
    journal.jobs.end(jobs[4].id, _J.UNPROVEN, now=NOW, trouble=DeviceTrouble.CUT_OFF)
    journal.jobs.start(jobs[2].id, now=NOW)
    assert decided(journal, "end_all", counted, unproven=True) == 0
    assert decided(journal, "end_all", counted, unproven=False) == 1
    assert states(journal, jobs) == {
        1: _J.UNPROVEN, 2: _J.RUNNING, 3: _J.DROPPED, 4: _J.UNPROVEN, 5: _J.FAILED,
    }  # fmt: skip
    assert decided(journal, "print_all", counted, unproven=False) == 1, "it has its turn"


def test_the_newest_that_waits_is_told_beside_those_in_trouble(journal: SqliteJournal) -> None:
    jobs = [added(journal, number) for number in range(70)]
    for job in jobs[60:]:
        journal.jobs.start(job.id, now=NOW)
        put_back(journal, job, DeviceTrouble.AWAY)
    for job in jobs[:60]:
        failed(journal, job, DeviceTrouble.TOO_OLD)
    told = journal.jobs.in_trouble(JobMethod.THERMAL, most=50)
    newest = [job.id for job in reversed(jobs)]
    assert [job.id for job in told.jobs] == newest[10:55] + newest[:5]
    assert told.left_off == 20


def test_all_that_is_not_done_can_be_read_a_page_after_the_other(journal: SqliteJournal) -> None:
    made = [added(journal, number).id for number in range(401)]
    told: list[int] = []
    while page := journal.jobs.not_done(before=told[-1] if told else None):
        assert len(page) <= 200
        told += [job.id for job in page]
    assert told == made[::-1]


def test_each_receipt_that_needs_something_stands_on_one_page(journal: SqliteJournal) -> None:
    both = ReceiptDelivery(thermal=True, email="kupac@example.rs")
    order = list[str]()
    for number in range(1, 121):
        paper, mail = sorted(signed(journal, both, number), key=lambda job: job.id)
        order.insert(0, paper.receipt_id or "")
        if number % 3 == 0:  # its mail is done, and its paper made before those of others
            force(journal, mail, *WAYS[_J.DONE])
        if number == 60:
            force(journal, paper, *WAYS[_J.DONE])
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
    first, second = added(journal, 1), added(journal, 2)
    connection = apsw.Connection(str(folder / "journal.db"))
    connection.execute("UPDATE jobs SET trouble = 'a_newer_word' WHERE id = ?", (first.id,))
    connection.close()
    for _ in range(2):
        assert journal.jobs.line(JobMethod.THERMAL).first == second
        assert [job.id for job in journal.jobs.not_done()] == [second.id]
    assert len(caplog.records) == 1
    with pytest.raises(DatabaseDamaged):
        journal.jobs.job(first.id)
