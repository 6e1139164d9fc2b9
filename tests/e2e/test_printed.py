"""The server as a program: requested papers come out of a printer on the network."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pypdfium2
import pytest

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.pdf_files import PdfHttp
from pos_app.adapters.api_client.printing import PaperHttp, jobs_at
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.adapters.data_folder.install import open_install
from pos_app.domain.receipt.server_status import DeliveryJob, ServerStatus
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.errors import Refused
from pos_app.pfr_emulator.ledger import read_entries
from tests.e2e.nursery import Life, born
from tests.e2e.shop import sale
from tests.fakes.escpos_device import EscposDevice, on_network
from tests.fakes.no_tls import NO_TLS
from tests.integration.journal.test_jobs import PAPER

CUT = b"\x1dVB\x00"
ROOM = 1 << 16
BREAD = {"name": "Хлеб", "unit": "ком", "taxRateLabel": "Е"}
ITEMS = [{"article": BREAD, "quantity": 2, "unitPrice": 58.99}]
SALE = sale(items=ITEMS, receiptDelivery={"thermalPrinter": True})


def text_of(file: Path) -> str:
    page = pypdfium2.PdfDocument(file.read_bytes())[0]
    return str(page.get_textpage().get_text_range())


@dataclass
class Program:
    """A running server. data: its folder."""

    process: Life
    address: str
    data: Path

    async def issue(
        self, key: str, body: dict[str, Any] | None = None, *, of: str = ""
    ) -> httpx.Response:
        """of: the receipt and the operation on it, "/ID/refund"."""
        headers = {"Idempotency-Key": key}
        async with httpx.AsyncClient(trust_env=False, verify=NO_TLS, timeout=30) as client:
            path = f"{self.address}/fiscalization/receipts{of}"
            return await client.post(path, json=body or SALE, headers=headers)

    @contextlib.asynccontextmanager
    async def till(self) -> AsyncIterator[LocalApi]:
        install = open_install(self.data, environment="production")
        async with LocalApi(self.address, install) as api:
            yield api

    async def trouble(self, api: LocalApi, state: JobState) -> DeliveryJob:
        server = FiscalHttp(api)
        async with asyncio.timeout(30):
            while True:
                told = await server.status()
                assert isinstance(told, ServerStatus)
                for job in told.jobs:
                    if job.state is state:
                        return job


@contextlib.asynccontextmanager
async def server(data: Path, port: int | None, **settings: str) -> AsyncIterator[Program]:
    given = {f"POS_APP_{name.upper()}": value for name, value in settings.items()}
    if port is not None:
        given["POS_APP_PRINTER__KIND"] = "network"
        given["POS_APP_PRINTER__ADDRESS"] = f"127.0.0.1:{port}"
    words = ("server", "--data", str(data), "--port", "0")
    process = await asyncio.to_thread(partial(born, *words, **given))
    try:
        yield Program(process, (await asyncio.to_thread(process.stdout.readline)).strip(), data)
    finally:
        process.terminate()
        await asyncio.to_thread(process.communicate)


async def printed(device: EscposDevice, receipts: int) -> None:
    async with asyncio.timeout(30):
        while device.printed.count(CUT) < receipts:
            await device.has_printed(sum(map(len, device.printed)) + 1)


async def test_what_a_caller_asks_to_be_printed_is_printed_once(folder: Path) -> None:
    device = EscposDevice(buffer=ROOM)
    async with on_network(device) as port, server(folder, port) as here:
        first = await here.issue("1" * 16)
        again = await here.issue("1" * 16)
        assert first.status_code == 200, first.text
        assert again.json()["invoiceNumber"] == first.json()["invoiceNumber"]
        await printed(device, 1)
        here.process.terminate()
        assert await asyncio.to_thread(here.process.wait) == 0
    assert (device.printed.count(CUT), device.drawer_opened) == (1, 0)


async def test_a_shop_that_keeps_papers_has_each_receipt_twice_and_a_copy_once(
    folder: Path,
) -> None:
    device = EscposDevice(buffer=ROOM)
    async with (
        on_network(device) as port,
        server(folder, port, receipt__papers="2") as here,
        here.till() as api,
    ):
        issued = (await here.issue("1" * 16)).json()
        await printed(device, 2)
        half = len(device.printed) // 2
        assert device.printed[:half] == device.printed[half:], "one receipt, two papers"
        refund = {
            "payments": {"cash": 117.98},
            "buyerId": "10:106006802",
            "receiptDelivery": {"thermalPrinter": True},
        }
        told = await here.issue("2" * 16, refund, of=f"/{issued['id']}/refund")
        assert told.status_code == 200, told.text
        assert len(told.json()) == 2, "its copy is signed by the customer"
        await printed(device, 2 + 2 + 1)
        await PaperHttp(api).print(PAPER, key="k" * 16)
        await printed(device, 2 + 2 + 1 + 1)
        async with asyncio.timeout(30):
            while await jobs_at(api).not_done():
                continue
    assert device.printed.count(CUT) == 2 + 2 + 1 + 1
    assert len(read_entries(folder / "processor")) == 3, "nothing was signed again"


async def test_a_server_killed_while_it_printed_leaves_it_to_a_person(folder: Path) -> None:
    device = EscposDevice(buffer=ROOM, paper=1)
    async with on_network(device) as port:
        async with server(folder, port) as here:
            assert (await here.issue("1" * 16)).status_code == 200
            await device.has_taken(3000)
            assert (await here.issue("2" * 16)).status_code == 200
            here.process.kill()
            await asyncio.to_thread(here.process.wait)
        device.paper = None
        device.switch_off_and_on()
        async with server(folder, port) as here, here.till() as api:
            await printed(device, 1)
            job = await here.trouble(api, JobState.UNPROVEN)
            assert (job.method, job.trouble) == (JobMethod.THERMAL, "interrupted")
            desk = jobs_at(api)
            files = PdfHttp(api, folder / "shown")
            assert job.receipt_id is not None
            original = await files.pdf_of(job.receipt_id, by="Ана")
            assert "ПРЕГЛЕД" not in text_of(original)
            await desk.again(job.id, by="Ана")
            await printed(device, 2)
            with pytest.raises(Refused):
                await desk.again(job.id, by="Ана")
            view = await files.pdf_of(job.receipt_id, by="Ана")
            assert text_of(view).startswith("ПРЕГЛЕД")
            with pytest.raises(Refused, match="not found"):
                await files.pdf_of("99", by="Ана")
    assert len(read_entries(folder / "processor")) == 2


async def test_a_paper_is_given_up_once_its_file_was_opened_and_not_before(folder: Path) -> None:
    device = EscposDevice(buffer=ROOM)
    device.paper = 0
    async with on_network(device) as port, server(folder, port) as here, here.till() as api:
        first, second = [(await here.issue(str(n) * 16)).json() for n in (1, 2)]
        job = await here.trouble(api, JobState.WAITING)
        files, desk = PdfHttp(api, folder / "shown"), jobs_at(api)
        original = await files.pdf_of(first["id"], by="Ана", instead=True)
        assert "ПРЕГЛЕД" not in text_of(original)
        jobs = await jobs_at(api).not_done()
        assert {one.number: one.state for one in jobs} == {
            first["invoiceNumber"]: "waiting",
            second["invoiceNumber"]: "waiting",
        }
        held = next(one.id for one in jobs if one.number == first["invoiceNumber"])
        assert await desk.end_of(held) is None
        device.paper = None
        device.switch_off_and_on()
        await printed(device, 1)  # the one behind it
        await files.opened(first["id"], by="Ана")
        assert await desk.end_of(held) is JobState.DROPPED
        assert job.id in {one.id for one in jobs}
        async with asyncio.timeout(30):
            while await jobs_at(api).not_done():
                continue
    assert device.printed.count(CUT) == 1


NO_PAPER: dict[str, dict[str, Any]] = {
    "no blocks": {"key": "k" * 16, "paper": {}},
    "short key": {"key": "short", "paper": {"blocks": []}},
    "commands": {"key": "k" * 16, "paper": {"blocks": [{"kind": "lines", "text": ["\x1bp\x00"]}]}},
    "unknown": {"key": "k" * 16, "paper": {"blocks": [{"kind": "signed", "text": ["Рачун"]}]}},
    "long code": {"key": "k" * 16, "paper": {"blocks": [{"kind": "qr", "text": "x" * 5000}]}},
}


async def test_what_is_no_paper_is_refused(folder: Path) -> None:
    members = {"title": "X", "moment": PAPER.moment.isoformat(), "language": "sr-Cyrl"}
    async with server(folder, 9) as here, here.till() as api:
        for name, body in NO_PAPER.items():
            asked = body | {"paper": members | body["paper"]}
            reply = await api.send("/till/papers/print", json.dumps(asked).encode(), seconds=5)
            assert (reply.status, await jobs_at(api).not_done()) == (400, ()), name


async def test_without_a_printer_all_is_refused_and_jobs_are_for_the_till_alone(
    folder: Path,
) -> None:
    papers = (f"papers/{one}" for one in ("pdf", "opened", "print", "open_drawer"))
    acts = ("jobs/1/again", "jobs/1/seen", *papers)
    async with (
        server(folder, None) as here,
        here.till() as api,
        httpx.AsyncClient(base_url=here.address, trust_env=False, verify=NO_TLS) as client,
    ):
        asked = [await client.post(f"/till/{act}", json={"by": "Ана"}) for act in acts]
        answer = await here.issue("1" * 16)
        assert (answer.status_code, "receiptDelivery.thermalPrinter" in answer.text) == (400, True)
        with pytest.raises(Refused, match="No receipt printer"):
            await PaperHttp(api).print(PAPER, key="k" * 16)
        with pytest.raises(Refused, match="No cash drawer"):
            await PaperHttp(api).open_drawer(key="0" * 16, by="Ана")
    assert {answer.status_code for answer in asked} == {401}
    assert read_entries(folder / "processor") == []
