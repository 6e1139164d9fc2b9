"""Jobs of printers over HTTP: one press of the drawer gives one pulse, also where its answer was
lost on the way, and the till alone asks what became of a job."""

from __future__ import annotations

import asyncio
import base64
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.fiscalization.device_ports import DeviceTrouble
from tests.integration.local_api.test_receipts import KEYED, SALE
from tests.integration.local_api.wires import Running, running, until


async def press(server: Running, body: dict[str, Any]) -> httpx.Response:
    return await server.ask("POST", "/till/papers/open_drawer", json=body, headers=server.till)


# --- one job -------------------------------------------------------------------------------------
async def ask(server: Running, method: str, job_id: int, **body: str) -> httpx.Response:
    asked = {"jobId": job_id, **body}
    return await server.ask("POST", f"/till/jobs/{method}", headers=server.till, json=asked)


async def test_of_none_and_to_strangers_nothing_is_told(folder: Path) -> None:
    async with running(folder) as server:
        ends = [await ask(server, "end_of", job_id) for job_id in (77, 10**20)]
        stranger = await server.ask("POST", "/till/jobs/end_of", json={"jobId": 77})
        acts = [await ask(server, act, 10**20, by="Ана") for act in ("again", "seen")]
    assert [one.status_code for one in acts] == [404, 404]
    assert [one.json() for one in ends] == [{"result": "dropped"}] * 2
    assert stranger.status_code == 401


# --- a receipt that the till shows ---------------------------------------------------------------
ANA = {"by": "Ана"}
INSTEAD = {"by": "Ана", "instead": True}


PDF, OPENED = "/till/papers/pdf", "/till/papers/opened"


def of(issued: dict[str, Any], **body: Any) -> dict[str, Any]:
    return {"receiptId": issued["id"], **body}


def content_of(answer: httpx.Response) -> str:
    return base64.b64decode(answer.json()["result"]["content"]).decode()


@asynccontextmanager
async def sold(folder: Path) -> AsyncIterator[tuple[Running, dict[str, Any]]]:
    async with running(folder) as server:
        yield server, (await server.issue(SALE, headers=KEYED | server.till)).json()


async def shown(server: Running, issued: dict[str, Any], **body: Any) -> str:
    asked = of(issued, **(body or ANA))
    return content_of(await server.ask("POST", PDF, headers=server.till, json=asked))


@pytest.mark.parametrize("begins", [False, True], ids=["still waits", "begins meanwhile"])
async def test_a_file_instead_of_a_paper_is_the_original(folder: Path, begins: bool) -> None:
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
