"""Only the till can ask for the state of one delivery job, also after its end."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.printing import jobs_at
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.domain.receipt.states import JobState
from pos_app.fiscalization.device_ports import DeviceTrouble
from tests.integration.local_api.test_receipts import KEYED, SALE
from tests.integration.local_api.wires import Running, running


async def ask(server: Running, method: str, job_id: int, **body: str) -> httpx.Response:
    asked = {"jobId": job_id, **body}
    return await server.ask("POST", f"/till/jobs/{method}", headers=server.till, json=asked)


ENDS = {JobState.DONE: JobState.DONE, JobState.FAILED: None, JobState.UNPROVEN: None}


@pytest.mark.parametrize("end", ENDS)
async def test_it_is_over_once_it_came_out_or_is_not_wanted(folder: Path, end: JobState) -> None:
    async with running(folder) as server:
        issued = (await server.issue(SALE, headers=KEYED | server.till)).json()
        jobs, now = server.shop.journal.jobs, server.shop.service.clock.now()
        jobs.insert_for(issued["id"], ReceiptDelivery(thermal=True), now=now)
        (job,) = jobs.of_receipt(issued["id"])
        states = []
        for act in (None, "start", "end"):
            if act == "start":
                jobs.start(job.id, now=now)
            elif act == "end":
                trouble = None if end is JobState.DONE else DeviceTrouble.PAPER_OUT
                jobs.end(job.id, end, now=now, trouble=trouble)
            async with LocalApi(server.url, server.install) as api:
                states.append(await jobs_at(api).end_of(job.id))
        if ENDS[end] is None:
            jobs.seen(job.id, by="Ана", now=now)
            async with LocalApi(server.url, server.install) as api:
                states.append(await jobs_at(api).end_of(job.id))
    assert states[:3] == [None, None, ENDS[end]]
    assert states[-1] in {JobState.DONE, JobState.DROPPED}


async def test_of_none_and_to_strangers_nothing_is_told(folder: Path) -> None:
    async with running(folder) as server:
        ends = [await ask(server, "end_of", job_id) for job_id in (77, 10**20)]
        stranger = await server.ask("POST", "/till/jobs/end_of", json={"jobId": 77})
        acts = [await ask(server, act, 10**20, by="Ана") for act in ("again", "seen")]
    assert [one.status_code for one in acts] == [404, 404]
    assert [one.json() for one in ends] == [{"result": "dropped"}] * 2
    assert stranger.status_code == 401


async def test_a_mail_is_sent_to_another_address_by_one_job(folder: Path) -> None:
    """The same request again, as after a lost answer, makes no further job."""
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
