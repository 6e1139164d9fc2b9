"""The printers of a shop are found, tried, changed and print a page while its server runs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.adapters.api_client.printing import jobs_at
from pos_app.adapters.api_client.receipts import WireCodec
from pos_app.adapters.api_client.setup import printers_at
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobState
from pos_app.domain.setup.printer_setup import PrinterChange, PrinterSetupService, PrinterUse
from pos_app.errors import NotDelivered, OutcomeUnknown, Refused
from pos_app.selling.server.answers import Issued
from pos_app.selling.server.training_receipt import training_receipt
from tests.fakes.escpos_device import EscposDevice, on_network
from tests.fakes.no_tls import NO_TLS
from tests.integration.test_processor_page import Running, running

RECEIPT, A4 = PrinterUse.RECEIPT, PrinterUse.A4
KEY = "a-page-of-trial-{}"


@pytest.mark.deadline(60)
async def test_printers_are_tried_changed_and_print_a_page_without_a_restart(folder: Path) -> None:
    device = EscposDevice()
    async with on_network(device) as port, running(folder) as server:
        desk = printers_at(server.api)
        at = PrinterChange(kind="network", address=f"127.0.0.1:{port}")
        await _tried(desk, at)
        with pytest.raises(Refused):
            await desk.print_page(RECEIPT, key=KEY.format(0), by="Ана")
        await desk.change(at, by="Ана")
        job = await _page(desk, RECEIPT, KEY.format(1))
        assert (job.state, job.trouble) == (JobState.DONE, None)
        assert device.printed
        pieces = len(device.printed)
        with pytest.raises(Refused):
            await desk.print_page(RECEIPT, key=KEY.format(1), by="Ана")
        assert len(device.printed) == pieces, "one key, one page"
        await desk.change(PrinterChange(a4_queue="ipp://127.0.0.1:9/none"), by="Ана")
        job = await _page(desk, A4, KEY.format(2))
        assert (job.state, job.trouble) == (JobState.FAILED, "away")
        assert await jobs_at(server.api).not_done() == (), "a page that did not come is put away"
        text = (folder / "settings.toml").read_text(encoding="utf-8")
        assert "# The manager's own remark." in text
        await _refused(server)
        body = WireCodec().encode(training_receipt(()))
        answers = [
            await server.desk.issue(body, key="a-training-receipt", by="Ана") for _ in range(2)
        ]
        assert isinstance(answers[0], Issued)
        assert answers[0] == answers[1], "one key, one receipt"


async def _tried(desk: PrinterSetupService, at: PrinterChange) -> None:
    setup = await desk.setup()
    assert (setup.kind, setup.a4_queue, "network" in setup.kinds) == ("none", "", True)
    faults = {
        "": (RECEIPT, at),
        "away": (RECEIPT, PrinterChange(kind="network", address="127.0.0.1:9")),
        "address": (RECEIPT, PrinterChange(kind="network", address="two words")),
        "settings": (RECEIPT, PrinterChange(kind="fax")),
        "queue": (A4, PrinterChange(a4_queue="no queue")),
        "kind": (RECEIPT, PrinterChange(kind="windows", address="Kasa")),
    }
    for fault, (use, change) in faults.items():
        assert (await desk.try_out(use, change)).fault == fault
    assert (await desk.try_out(*faults[""])).tells
    with pytest.raises(Refused) as refused:
        await desk.change(faults["address"][1], by="Ана")
    assert refused.value.kind == "address"
    assert (await desk.setup()).kind == "none"


async def _page(desk: PrinterSetupService, use: PrinterUse, key: str) -> DeliveryJob:
    """Try until the server has opened the shop anew."""
    async with asyncio.timeout(20):
        while True:
            try:
                return await desk.print_page(use, key=key, by="Ана")
            except (NotDelivered, OutcomeUnknown, Refused):
                await asyncio.sleep(0.05)


async def _refused(server: Running) -> None:
    """Without the token nothing is shown or done; a body without sense is a fault."""
    async with httpx.AsyncClient(trust_env=False, verify=NO_TLS) as client:
        for method in ("setup", "found_printers", "try_out", "print_page", "change"):
            for headers in ({}, {"X-Pos-Token": "wrong"}):
                answer = await client.post(
                    f"{server.address}/till/printers/{method}", json={"by": "Ана"}, headers=headers
                )
                assert answer.status_code == 401, method
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("try_out", {"use": "fax", "change": {}}),
        ("try_out", {"use": "a4", "change": {"widthMm": "80"}}),
        ("try_out", {"use": "receipt", "change": {"kind": "network", "address": "\0"}}),
        ("try_out", {"use": "a4", "change": {"a4Queue": "\0"}}),
        ("print_page", {"use": "a4", "by": "Ана"}),
        ("print_page", {"use": "a4", "key": "short", "by": "Ана"}),
    ]
    for method, body in wrong:
        reply = await server.api.send(f"/till/printers/{method}", body, seconds=5)
        assert reply.status == 400, (method, body)
        change = body.get("change", {})
        if "\0" in change.values():
            assert f"change.{list(change)[-1]}" in str(reply.body), (body, reply.body)
    reply = await server.api.send("/till/printers/change", {"change": {"kind": "none"}}, seconds=5)
    assert reply.status == 400, "nobody said who"
