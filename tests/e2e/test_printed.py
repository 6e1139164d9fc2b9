"""The server as a program: requested papers come out of a printer on the network."""

from __future__ import annotations

import asyncio
import contextlib
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
from pos_app.adapters.data_folder.install import open_install
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


@contextlib.asynccontextmanager
async def server(data: Path, port: int, *, papers: int = 1) -> AsyncIterator[Program]:
    given = {
        "POS_APP_PRINTER__KIND": "network",
        "POS_APP_PRINTER__ADDRESS": f"127.0.0.1:{port}",
        "POS_APP_RECEIPT__PAPERS": str(papers),
    }
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


async def test_a_shop_that_keeps_papers_has_each_receipt_twice_and_a_copy_once(
    folder: Path,
) -> None:
    device = EscposDevice(buffer=ROOM)
    async with (
        on_network(device) as port,
        server(folder, port, papers=2) as here,
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
            not_done = await jobs_at(api).not_done()
            (job,) = [one for one in not_done if one.state is JobState.UNPROVEN]
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
