"""A processor that sends a byte now and then keeps no receipt on its way for ever."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.pfr.client import PfrClient
from pos_app.errors import OutcomeUnknown
from pos_app.fiscalization.ports import PfrUnclear
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.cutting import CuttableH11, gone_within
from pos_app.pfr_emulator.faults import Fault
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.pfr_emulator.processor import Processor
from tests.integration.fiscalization.shop import serving
from tests.unit.fiscalization.test_doubt import document

DRIP = 0.2
"""Seconds between two bytes: less than any time-out between two of them."""


@pytest.mark.deadline(20)
async def test_an_answer_that_drips_is_given_up_as_a_whole(folder: Path) -> None:
    processor = Processor.open(folder=folder / "processor")
    processor.faults.add(Fault(kind="slow", seconds=DRIP))
    try:
        async with serving(create_app(processor), http=CuttableH11) as url:
            client = PfrClient(url, read_seconds=0.5)
            reply = await client.sign(document(), pfr_request_id="a" * 32)
            await client.close()
    finally:
        processor.close()
    assert isinstance(reply, PfrUnclear)
    assert len(read_entries(folder / "processor")) == 1


@pytest.mark.deadline(20)
async def test_a_status_that_drips_is_no_answer() -> None:
    async def drip(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        while not await gone_within(receive, DRIP):
            await send({"type": "http.response.body", "body": b" ", "more_body": True})

    async with serving(drip) as url:
        client = PfrClient(url, ask_seconds=0.5)
        with pytest.raises(OutcomeUnknown):
            await client.status()
        await client.close()
