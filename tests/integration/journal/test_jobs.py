"""Delivery jobs in journal.db: which may be printed again, mailed elsewhere, or mailed instead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.documents.blocks import Document, FramedNotice, Heading, Lines, QrCode
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.errors import NotAllowed
from pos_app.fiscalization.jobs import QueuedJob
from pos_app.fiscalization.ports import Request
from tests.integration.journal.test_journal import LANE, NOW, command, receipt, request

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


def force(journal: SqliteJournal, job: QueuedJob, *moves: JobState) -> None:
    for state in moves:
        journal.jobs.end(job.id, state, now=NOW)


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
