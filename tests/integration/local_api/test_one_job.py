"""Only the till can ask for the state of one delivery job, also after its end."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.domain.receipt.states import JobState
from pos_app.fiscalization.device_ports import DeviceTrouble
from tests.integration.local_api.test_receipts import KEYED, SALE
from tests.integration.local_api.wires import running


@pytest.mark.parametrize("end", [JobState.DONE, JobState.FAILED, JobState.UNPROVEN])
async def test_it_is_told_while_it_runs_and_after_its_end(folder: Path, end: JobState) -> None:
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
            told = await server.ask("GET", f"/till/jobs/{job.id}", headers=server.till)
            states.append((told.status_code, told.json()["state"]))
    assert states == [(200, "waiting"), (200, "running"), (200, end.value)]


async def test_of_none_and_to_strangers_nothing_is_told(folder: Path) -> None:
    async with running(folder) as server:
        unknown = await server.ask("GET", "/till/jobs/77", headers=server.till)
        stranger = await server.ask("GET", "/till/jobs/77")
        huge = await server.ask("GET", f"/till/jobs/{10**20}", headers=server.till)
        acts = [
            await server.ask(
                "POST", f"/till/jobs/{10**20}/{act}", headers=server.till, json={"by": "Ана"}
            )
            for act in ("again", "seen")
        ]
    assert [one.status_code for one in acts] == [404, 404]
    assert (unknown.status_code, stranger.status_code, huge.status_code) == (404, 401, 404)


async def test_a_mail_is_sent_to_another_address_by_one_job(folder: Path) -> None:
    """The same request again, as after a lost answer, makes no further job."""
    async with running(folder) as server:
        issued = (await server.issue(SALE, headers=KEYED | server.till)).json()
        jobs, now = server.shop.journal.jobs, server.shop.service.clock.now()
        jobs.insert_for(issued["id"], ReceiptDelivery(email="kupac@primer.rs"), now=now)
        (job,) = jobs.of_receipt(issued["id"])

        async def again(email: str) -> httpx.Response:
            body = {"by": "Ана", "email": email}
            path = f"/till/jobs/{job.id}/again"
            return await server.ask("POST", path, headers=server.till, json=body)

        wrong = await again("kupac.ana")
        assert (wrong.status_code, jobs.of_receipt(issued["id"])) == (400, (job,))
        first, second = await again("ana@primer.rs"), await again("ana@primer.rs")
        assert [one.status_code for one in (first, second)] == [200, 200]
        assert first.json()["id"] == second.json()["id"] != job.id
        assert first.json()["target"] == "ana@primer.rs"
        states = [(one.target, one.state) for one in jobs.of_receipt(issued["id"])]
    assert states == [("kupac@primer.rs", JobState.DROPPED), ("ana@primer.rs", JobState.WAITING)]
