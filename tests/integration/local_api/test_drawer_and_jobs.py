"""Jobs of printers over HTTP: one press of the drawer gives one pulse, also where its answer was
lost on the way, and the till alone asks what became of a job."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
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
from pos_app.fiscalization.state_changes import StateChanges
from pos_app.local_api.context import HandoverServices
from tests.integration.fiscalization.shop import Shop
from tests.integration.journal.test_jobs import PAPER
from tests.integration.local_api.test_receipts import KEYED, SALE, keyed
from tests.integration.local_api.wires import Running, running
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
    """The state and the trouble of the job in an answer."""
    job = answer.json()["result"]
    return job["state"], job["trouble"]


async def test_one_that_stayed_shut_is_not_opened_by_a_repeat(folder: Path) -> None:
    device = Device(trouble=DeviceTrouble.PAPER_OUT)
    async with running(folder, handover=device.handover) as server:
        for trouble in (DeviceTrouble.PAPER_OUT, None):
            device.trouble = trouble
            assert job_of(await press(server, ASKED)) == ("failed", "paper_out")
        assert job_of(await press(server, ASKED | {"key": KEY[::-1]})) == ("done", None)
        assert job_of(await press(server, ASKED)) == ("dropped", "paper_out")
        assert device.pulses == 1


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


async def test_a_press_has_a_key(folder: Path) -> None:
    device = Device()
    async with running(folder, handover=device.handover) as server:
        for key in (None, "", "x" * 15, "x" * 65, 5):
            answer = await press(server, ASKED | {"key": key})
            assert (answer.status_code, error_of(answer)["code"]) == (400, 40090001)
            assert error_of(answer)["validation"]["body"]["keys"] == ["key"]
        assert device.pulses == 0


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


async def test_the_jobs_are_told_in_pages(folder: Path) -> None:
    async with running(folder, handover=Device(trouble=DeviceTrouble.PAPER_OUT).handover) as server:
        for number in range(3):
            await press(server, ASKED | {"key": f"{number}" * 16})
        async with LocalApi(server.url, server.install) as api:
            jobs = jobs_at(api)
            (last,) = listed = await jobs.not_done()  # it leaves out the pulses before it
            assert await jobs.not_done(before=last.id + 1) == listed
            assert await jobs.not_done(before=last.id) == ()
        for wrong in ("", "1", -1, 10**18):
            body = {"before": wrong}
            refused = await server.ask(
                "POST", "/till/jobs/not_done", headers=server.till, json=body
            )
            assert refused.status_code == 400
            assert error_of(refused)["validation"]["body"]["keys"] == ["before"]
        status = await server.status()
        assert (status["jobs"], status["jobsLeftOff"]) == ([], 0)


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
