"""The drawer over HTTP: one press gives one pulse, also where its answer was lost on the way."""

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
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.errors import OutcomeUnknown, Refused
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.fiscalization.handover.drawer_pulse import Drawer
from pos_app.fiscalization.state_changes import StateChanges
from pos_app.local_api.context import HandoverServices
from tests.integration.fiscalization.shop import Shop
from tests.integration.journal.test_jobs import PAPER
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


async def test_the_same_key_opens_it_once_and_tells_the_same(folder: Path) -> None:
    device = Device()
    async with running(folder, handover=device.handover) as server:
        for _ in range(3):
            told = await press(server, ASKED)
            assert (told.status_code, job_of(told)) == (200, ("done", None))
        assert device.pulses == 1
        assert job_of(await press(server, ASKED | {"key": KEY[::-1]})) == ("done", None)
        assert device.pulses == 2


async def test_one_that_stayed_shut_is_not_opened_by_a_repeat(folder: Path) -> None:
    device = Device(trouble=DeviceTrouble.PAPER_OUT)
    async with running(folder, handover=device.handover) as server:
        for trouble in (DeviceTrouble.PAPER_OUT, None):
            device.trouble = trouble
            assert job_of(await press(server, ASKED)) == ("failed", "paper_out")
        assert job_of(await press(server, ASKED | {"key": KEY[::-1]})) == ("done", None)
        assert job_of(await press(server, ASKED)) == ("dropped", "paper_out")
        assert device.pulses == 1


async def test_a_key_stands_for_one_body(folder: Path) -> None:
    device = Device()
    async with running(folder, handover=device.handover) as server:

        async def give(key: str, paper: Document) -> httpx.Response:
            body = {"key": key, "paper": plain(paper)}
            return await server.ask("POST", "/till/papers/print", json=body, headers=server.till)

        first, again = [await give("paper-0123456789", PAPER) for _ in range(2)]
        assert (first.status_code, again.json()) == (200, first.json())
        await press(server, ASKED)
        for other in (
            await press(server, ASKED | {"by": "Мира"}),
            await press(server, ASKED | {"key": "paper-0123456789"}),
            await give(KEY, PAPER),
            await give("paper-0123456789", replace(PAPER, title="Извештај Z")),
        ):
            assert (other.status_code, error_of(other)["code"]) == (409, 40900001)
        assert device.pulses == 1
        assert len(server.shop.journal.jobs.not_done()) == 1


@pytest.mark.parametrize("key", [None, "", "x" * 15, "x" * 65, 5])
async def test_a_press_has_a_key(folder: Path, key: Any) -> None:
    device = Device()
    async with running(folder, handover=device.handover) as server:
        answer = await press(server, ASKED | {"key": key})
        assert (answer.status_code, error_of(answer)["code"]) == (400, 40090001)
        assert error_of(answer)["validation"]["body"]["keys"] == ["key"]
        assert device.pulses == 0


@pytest.mark.parametrize(("lost", "told"), [(0, None), (1, None), (2, OutcomeUnknown)])
async def test_a_lost_answer_is_asked_for_again_with_the_same_key(
    folder: Path, lost: int, told: type[OutcomeUnknown] | None
) -> None:
    device = Device()
    async with running(folder, handover=device.handover) as server:
        line = Losing(server.url, lost=lost)
        async with LocalApi(server.url, server.install, connection=line) as api:
            opening = PaperHttp(api).open_drawer(key=KEY, by="Ана")
            if told is None:
                await opening
            else:
                with pytest.raises(told):
                    await opening
            assert len(set(line.asked)) == 1
            device.trouble = DeviceTrouble.COVER_OPEN
            with pytest.raises(Refused):
                await PaperHttp(api).open_drawer(key=KEY[::-1], by="Ана")
        assert device.pulses == 1


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
        status = (await server.ask("GET", "/till/status", headers=server.till)).json()
        assert (status["jobs"], status["jobsLeftOff"]) == ([], 0)
