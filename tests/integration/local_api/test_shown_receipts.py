"""A receipt that the till shows: the original while none is out, else a view; both are logged."""

from __future__ import annotations

import asyncio
import base64
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.fiscalization.handover.retry_schedule import next_turn
from pos_app.fiscalization.jobs import QueuedJob
from tests.fakes.inner_connection import connection_of
from tests.integration.local_api.test_receipts import KEYED, SALE
from tests.integration.local_api.wires import Running, running, until

ANA = {"by": "Ана"}
INSTEAD = {"by": "Ана", "instead": True}


PDF, OPENED = "/till/papers/pdf", "/till/papers/opened"


def of(issued: dict[str, Any], **body: Any) -> dict[str, Any]:
    return {"receiptId": issued["id"], **body}


def content_of(answer: httpx.Response) -> str:
    """The content of the file in an answer."""
    return base64.b64decode(answer.json()["result"]["content"]).decode()


def being_printed(server: Running, receipt_id: str) -> QueuedJob:
    """Add the one job of a receipt, and let a printer begin it."""
    jobs, now = server.shop.journal.jobs, server.shop.service.clock.now()
    jobs.insert_for(receipt_id, ReceiptDelivery(thermal=True), now=now)
    (job,) = jobs.of_receipt(receipt_id)
    jobs.start(job.id, now=now)
    return job


def shown_to(server: Running) -> list[tuple[str, str]]:
    """Return the journal's notes on shown receipts, with the person who saw each."""
    journal = connection_of(server.shop.journal)
    return list(journal.execute("SELECT what, words FROM notes WHERE what LIKE 'receipt_%'"))


@asynccontextmanager
async def sold(folder: Path) -> AsyncIterator[tuple[Running, dict[str, Any]]]:
    """Yield a server that signed a sale of the till, and its answer."""
    async with running(folder) as server:
        yield server, (await server.issue(SALE, headers=KEYED | server.till)).json()


async def shown(server: Running, issued: dict[str, Any], **body: Any) -> str:
    """The content of the file that the till gets."""
    asked = of(issued, **(body or ANA))
    return content_of(await server.ask("POST", PDF, headers=server.till, json=asked))


async def test_the_till_gets_any_receipt_as_a_pdf(folder: Path) -> None:
    """Nobody else does, nor says that a file was opened."""
    async with sold(folder) as (server, issued):
        by = of(issued, **ANA)
        assert await shown(server, issued) == f"%PDF-1.7 {issued['invoiceNumber']}"
        none = of({"id": "none"}, **ANA)
        for path in (PDF, OPENED):
            stranger = await server.ask("POST", path, json=by)
            nobody = await server.ask("POST", path, headers=server.till, json=of(issued))
            unknown = await server.ask("POST", path, headers=server.till, json=none)
            refused = (stranger.status_code, nobody.status_code, unknown.status_code)
            assert refused == (401, 400, 404)
            assert "by" in nobody.text
        assert shown_to(server) == [("receipt_as_pdf", "Ана")]  # refused requests leave no note


@pytest.mark.parametrize("it_comes_out", [False, True], ids=["failed", "printed"])
async def test_a_receipt_that_came_out_is_shown_as_a_view(folder: Path, it_comes_out: bool) -> None:
    async with sold(folder) as (server, issued):
        journal, now = server.shop.journal, server.shop.service.clock.now()
        job = being_printed(server, issued["id"])
        state = JobState.DONE if it_comes_out else JobState.FAILED
        trouble = None if it_comes_out else DeviceTrouble.PAPER_OUT
        journal.jobs.end(job.id, state, now=now, trouble=trouble)
        assert (await shown(server, issued)).endswith(" as a view") is it_comes_out
        note = "receipt_viewed" if it_comes_out else "receipt_as_pdf"
        assert shown_to(server) == [(note, "Ана")]


async def test_a_receipt_printed_while_its_file_was_made_is_a_view(folder: Path) -> None:
    async with sold(folder) as (server, issued):
        journal, now = server.shop.journal, server.shop.service.clock.now()
        job = being_printed(server, issued["id"])
        journal.jobs.end(job.id, JobState.UNPROVEN, now=now, trouble=DeviceTrouble.INTERRUPTED)
        server.pdf.wait_for = threading.Event()
        asking = asyncio.create_task(shown(server, issued))
        await until(lambda: server.pdf.rendered == 1)
        journal.jobs.seen(job.id, by="Ана", now=now)
        server.pdf.wait_for.set()
        assert (await asking).endswith(" as a view")


async def test_a_receipt_that_waits_for_paper_has_its_original_to_come_or_is_dropped(
    folder: Path,
) -> None:
    async with running(folder) as server:
        first, second = [
            (await server.issue(SALE, headers=server.till | {"Idempotency-Key": key * 16})).json()
            for key in "ab"
        ]
        jobs, now = server.shop.journal.jobs, server.shop.service.clock.now()
        job = being_printed(server, first["id"])
        jobs.insert_for(second["id"], ReceiptDelivery(thermal=True), now=now)
        later = now + timedelta(minutes=1)
        jobs.put_back(
            job.id,
            now=now,
            next_at=later,
            trouble=DeviceTrouble.PAPER_OUT,
            words="",
            holding=JobMethod.THERMAL,
        )
        told = await shown(server, second)
        status = await server.status()
        (own,) = jobs.of_receipt(second["id"])
        jobs.seen(own.id, by="Ана", now=now)
        dropped = await shown(server, second)
    assert told.endswith(" as a view")
    assert [one["trouble"] for one in status["jobs"]] == ["paper_out", "paper_out"]
    assert not dropped.endswith(" as a view")


@pytest.mark.parametrize("begins", [False, True], ids=["still waits", "begins meanwhile"])
async def test_a_file_instead_of_a_paper_that_waits_is_the_original(
    folder: Path, begins: bool
) -> None:
    async with sold(folder) as (server, issued):
        jobs, now = server.shop.journal.jobs, server.shop.service.clock.now()
        jobs.insert_for(issued["id"], ReceiptDelivery(thermal=True, email="a@b.rs"), now=now)
        own = {job.method: job for job in jobs.of_receipt(issued["id"])}
        paper, mail = own[JobMethod.THERMAL], own[JobMethod.EMAIL]
        jobs.start(mail.id, now=now)
        jobs.end(mail.id, JobState.FAILED, now=now, trouble=DeviceTrouble.RECIPIENT)
        server.pdf.wait_for = threading.Event()
        asking = asyncio.create_task(shown(server, issued, **INSTEAD))
        await until(lambda: server.pdf.rendered == 1)
        if begins:
            jobs.start(paper.id, now=now)
        server.pdf.wait_for.set()
        told = await asking
        before = {job.method: job.state for job in jobs.of_receipt(issued["id"])}
        opened = await server.ask("POST", OPENED, headers=server.till, json=of(issued, **ANA))
        after = {job.method: job.state for job in jobs.of_receipt(issued["id"])}
    assert told.endswith(" as a view") is begins
    assert before[JobMethod.THERMAL] is (JobState.RUNNING if begins else JobState.WAITING)
    assert opened.status_code == 200
    assert after[JobMethod.THERMAL] is (JobState.RUNNING if begins else JobState.DROPPED)
    assert after[JobMethod.EMAIL] is JobState.FAILED


async def test_a_file_that_nothing_opens_costs_no_paper(folder: Path) -> None:
    async with sold(folder) as (server, issued):
        jobs, now = server.shop.journal.jobs, server.shop.service.clock.now()
        job = being_printed(server, issued["id"])
        jobs.put_back(
            job.id,
            now=now,
            next_at=now,
            trouble=DeviceTrouble.PAPER_OUT,
            words="",
            holding=JobMethod.THERMAL,
        )
        await shown(server, issued, **INSTEAD)
        held = next_turn(jobs.line(JobMethod.THERMAL), now=now, is_back=True)
        later = now + timedelta(minutes=1)
        lapsed = next_turn(jobs.line(JobMethod.THERMAL), now=later, is_back=True)
        jobs.again(job.id, by="Ана", now=now)
        again = next_turn(jobs.line(JobMethod.THERMAL), now=now, is_back=False)
    assert timedelta(seconds=45) < held.pause <= timedelta(minutes=1)
    assert (lapsed.job and lapsed.job.id) == (again.job and again.job.id) == job.id
    assert lapsed.pause <= timedelta(0)
    assert again.pause <= timedelta(0)
