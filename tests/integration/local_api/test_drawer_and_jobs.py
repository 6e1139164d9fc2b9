"""Jobs of printers over HTTP: one press of the drawer gives one pulse, also where its answer was
lost on the way, and the till alone asks what became of a job."""

from __future__ import annotations

import asyncio
import base64
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.printing import PaperHttp, jobs_at
from pos_app.adapters.http_exchange import Answer, AnswerLost, HttpExchange
from pos_app.documents.blocks import Document, plain
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.errors import OutcomeUnknown, Refused
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.fiscalization.handover.drawer_pulse import Drawer
from pos_app.fiscalization.handover.retry_schedule import next_turn
from pos_app.fiscalization.jobs import QueuedJob
from pos_app.fiscalization.state_changes import StateChanges
from pos_app.local_api.context import HandoverServices
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization.shop import Shop
from tests.integration.journal.test_jobs import PAPER
from tests.integration.local_api.test_receipts import KEYED, SALE, keyed
from tests.integration.local_api.wires import Running, running, until
from tests.integration.local_api.wronged import error_of

KEY = "press-0123456789"
ASKED = {"key": KEY, "by": "Ана"}


@dataclass
class Device:
    """A drawer at a printer that carries a pulse out at once. pulses: how many it got.

    trouble: the fault of each pulse.
    """

    pulses: int = 0
    trouble: DeviceTrouble | None = None
    ended: StateChanges = field(default_factory=StateChanges)

    def handover(self, shop: Shop) -> HandoverServices:
        def work() -> None:
            jobs, now = shop.journal.jobs, shop.service.clock.now()
            while job := jobs.line(JobMethod.DRAWER).first:
                jobs.start(job.id, now=now)
                self.pulses += self.trouble is None
                state = JobState.FAILED if self.trouble else JobState.DONE
                jobs.end(job.id, state, now=now, trouble=self.trouble)
                asyncio.get_running_loop().call_soon(self.ended.announce, str(job.id))

        drawer = Drawer(shop.journal.jobs, shop.service.clock, work, self.ended)
        return HandoverServices(wake=work, prints=True, drawer=drawer)


class Losing(HttpExchange):
    """A connection to the server that loses the first answers. asked: the bodies that went out."""

    def __init__(self, url: str, *, lost: int) -> None:
        super().__init__(url, trust=None, connect_seconds=3, headers={})
        self.asked: list[bytes] = []
        self._lost = lost

    async def ask(self, *asked: Any, **more: Any) -> Answer:
        self.asked.append(more.get("body") or b"")
        answer = await super().ask(*asked, **more)
        if len(self.asked) <= self._lost:
            raise AnswerLost("reset")
        return answer


async def press(server: Running, body: dict[str, Any]) -> httpx.Response:
    return await server.ask("POST", "/till/papers/open_drawer", json=body, headers=server.till)


def job_of(answer: httpx.Response) -> tuple[str, str | None]:
    job = answer.json()["result"]
    return job["state"], job["trouble"]


async def test_a_key_opens_it_once_tells_the_same_and_stands_for_one_body(folder: Path) -> None:
    device = Device()
    async with running(folder, handover=device.handover) as server:

        async def give(key: str, paper: Document) -> httpx.Response:
            body = {"key": key, "paper": plain(paper)}
            return await server.ask("POST", "/till/papers/print", json=body, headers=server.till)

        first, again = [await give("paper-0123456789", PAPER) for _ in range(2)]
        assert (first.status_code, again.json()) == (200, first.json())
        for _ in range(3):
            told = await press(server, ASKED)
            assert (told.status_code, job_of(told)) == (200, ("done", None))
        for other in (
            await press(server, ASKED | {"by": "Мира"}),
            await press(server, ASKED | {"key": "paper-0123456789"}),
            await give(KEY, PAPER),
            await give("paper-0123456789", replace(PAPER, title="Извештај Z")),
        ):
            assert (other.status_code, error_of(other)["code"]) == (409, 40900001)
        assert device.pulses == 1
        assert len(server.shop.journal.jobs.not_done()) == 1


async def test_one_that_stayed_shut_is_not_opened_by_a_repeat(folder: Path) -> None:
    device = Device(trouble=DeviceTrouble.PAPER_OUT)
    async with running(folder, handover=device.handover) as server:
        for trouble in (DeviceTrouble.PAPER_OUT, None):
            device.trouble = trouble
            assert job_of(await press(server, ASKED)) == ("failed", "paper_out")
        assert job_of(await press(server, ASKED | {"key": KEY[::-1]})) == ("done", None)
        assert job_of(await press(server, ASKED)) == ("dropped", "paper_out")
        assert device.pulses == 1


async def test_a_lost_answer_is_asked_for_again_with_the_same_key(folder: Path) -> None:
    device = Device()
    async with running(folder, handover=device.handover) as server:
        for lost in (0, 1, 2):
            device.trouble, before = None, device.pulses
            line = Losing(server.url, lost=lost)
            async with LocalApi(server.url, server.install, connection=line) as api:
                opening = PaperHttp(api).open_drawer(key=f"{KEY}-{lost}", by="Ана")
                if lost < 2:
                    await opening
                else:
                    with pytest.raises(OutcomeUnknown):
                        await opening
                assert len(set(line.asked)) == 1
                device.trouble = DeviceTrouble.COVER_OPEN
                with pytest.raises(Refused):
                    await PaperHttp(api).open_drawer(key=f"{KEY[::-1]}-{lost}", by="Ана")
            assert device.pulses == before + 1


# --- one job -------------------------------------------------------------------------------------
async def ask(server: Running, method: str, job_id: int, **body: str) -> httpx.Response:
    asked = {"jobId": job_id, **body}
    return await server.ask("POST", f"/till/jobs/{method}", headers=server.till, json=asked)


async def test_it_is_over_once_it_came_out_or_is_not_wanted(folder: Path) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        for end in (JobState.DONE, JobState.FAILED, JobState.UNPROVEN):
            headers = keyed(f"{end:k>16}") | server.till
            issued = (await server.issue(SALE, headers=headers)).json()
            jobs, now = server.shop.journal.jobs, server.shop.service.clock.now()
            jobs.insert_for(issued["id"], ReceiptDelivery(thermal=True), now=now)
            (job,) = jobs.of_receipt(issued["id"])
            assert await jobs_at(api).end_of(job.id) is None
            jobs.start(job.id, now=now)
            assert await jobs_at(api).end_of(job.id) is None
            trouble = None if end is JobState.DONE else DeviceTrouble.PAPER_OUT
            jobs.end(job.id, end, now=now, trouble=trouble)
            done = await jobs_at(api).end_of(job.id)
            if end is not JobState.DONE:
                assert done is None
                jobs.seen(job.id, by="Ана", now=now)
                done = await jobs_at(api).end_of(job.id)
            assert done in {JobState.DONE, JobState.DROPPED}


async def test_of_none_and_to_strangers_nothing_is_told(folder: Path) -> None:
    async with running(folder) as server:
        ends = [await ask(server, "end_of", job_id) for job_id in (77, 10**20)]
        stranger = await server.ask("POST", "/till/jobs/end_of", json={"jobId": 77})
        acts = [await ask(server, act, 10**20, by="Ана") for act in ("again", "seen")]
    assert [one.status_code for one in acts] == [404, 404]
    assert [one.json() for one in ends] == [{"result": "dropped"}] * 2
    assert stranger.status_code == 401


async def test_a_mail_is_sent_to_another_address_by_one_job(folder: Path) -> None:
    async with running(folder) as server:
        issued = (await server.issue(SALE, headers=KEYED | server.till)).json()
        jobs, now = server.shop.journal.jobs, server.shop.service.clock.now()
        jobs.insert_for(issued["id"], ReceiptDelivery(email="kupac@primer.rs"), now=now)
        (job,) = jobs.of_receipt(issued["id"])

        async def again(email: str) -> httpx.Response:
            return await ask(server, "again", job.id, by="Ана", email=email)

        wrong = await again("kupac.ana")
        assert (wrong.status_code, jobs.of_receipt(issued["id"])) == (400, (job,))
        first, second = await again("ana@primer.rs"), await again("ana@primer.rs")
        assert [one.status_code for one in (first, second)] == [200, 200]
        assert first.json()["result"]["id"] == second.json()["result"]["id"] != job.id
        assert first.json()["result"]["target"] == "ana@primer.rs"
        states = [(one.target, one.state) for one in jobs.of_receipt(issued["id"])]
    assert states == [("kupac@primer.rs", JobState.DROPPED), ("ana@primer.rs", JobState.WAITING)]


# --- a receipt that the till shows ---------------------------------------------------------------
ANA = {"by": "Ана"}
INSTEAD = {"by": "Ана", "instead": True}


PDF, OPENED = "/till/papers/pdf", "/till/papers/opened"


def of(issued: dict[str, Any], **body: Any) -> dict[str, Any]:
    return {"receiptId": issued["id"], **body}


def content_of(answer: httpx.Response) -> str:
    return base64.b64decode(answer.json()["result"]["content"]).decode()


def being_printed(server: Running, receipt_id: str) -> QueuedJob:
    jobs, now = server.shop.journal.jobs, server.shop.service.clock.now()
    jobs.insert_for(receipt_id, ReceiptDelivery(thermal=True), now=now)
    (job,) = jobs.of_receipt(receipt_id)
    jobs.start(job.id, now=now)
    return job


def shown_to(server: Running) -> list[tuple[str, str]]:
    journal = connection_of(server.shop.journal)
    return list(journal.execute("SELECT what, words FROM notes WHERE what LIKE 'receipt_%'"))


@asynccontextmanager
async def sold(folder: Path) -> AsyncIterator[tuple[Running, dict[str, Any]]]:
    async with running(folder) as server:
        yield server, (await server.issue(SALE, headers=KEYED | server.till)).json()


async def shown(server: Running, issued: dict[str, Any], **body: Any) -> str:
    asked = of(issued, **(body or ANA))
    return content_of(await server.ask("POST", PDF, headers=server.till, json=asked))


async def test_the_till_gets_any_receipt_as_a_pdf(folder: Path) -> None:
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


async def test_a_receipt_that_waits_for_paper_has_its_original_to_come(folder: Path) -> None:
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
