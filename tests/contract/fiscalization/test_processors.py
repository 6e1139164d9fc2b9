"""The port Processor: the client over HTTP and the simulated one keep the same contract."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.pfr.client import PfrClient
from pos_app.errors import NotDelivered
from pos_app.fiscalization import ports
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.cutting import CuttableH11
from pos_app.pfr_emulator.faults import Fault
from pos_app.pfr_emulator.processor import Processor as Emulator
from tests.fakes.simulated_processor import Fate, SimulatedProcessor
from tests.integration.fiscalization.shop import serving, unreachable
from tests.unit.fiscalization.test_doubt import document

ID = "0123456789abcdef0123456789abcdef"


class Real:
    def __init__(self, port: ports.Processor, emulator: Emulator) -> None:
        self.port, self._emulator = port, emulator

    def lose(self, *, signed: bool) -> None:
        self._emulator.faults.add(Fault(kind="sign_then_drop" if signed else "drop"))

    def refuse(self, code: str) -> None:
        self._emulator.faults.add(Fault(kind="refuse", code=code))

    def change(self, **members: Any) -> None:
        self._emulator.change(**members)


class Simulated:
    def __init__(self) -> None:
        self.port = SimulatedProcessor(counted=True, remembers="all")

    def lose(self, *, signed: bool) -> None:
        executed = 0.0 if signed else None
        self.port.fates.append(Fate(executed=executed, answered=0.01, told="nothing"))

    def refuse(self, code: str) -> None:
        self.port.fates.append(Fate(executed=None, answered=0.0, told="refusal", code=code))

    def change(
        self, *, card: str = "in", remember: str = "all", status_code: str | None = None
    ) -> None:
        self.port.code = "1300" if card == "out" else ""
        self.port.bare = status_code or ""
        self.port.remembers = "last" if remember == "last" else "all"


Bench = Real | Simulated
Opening = Callable[[], AbstractAsyncContextManager[Bench]]


@asynccontextmanager
async def _real(folder: Path) -> AsyncIterator[Bench]:
    emulator = Emulator.open(folder=folder / "processor")
    try:
        async with serving(create_app(emulator), http=CuttableH11) as url:
            client = PfrClient(url)
            yield Real(client, emulator)
            await client.close()
    finally:
        emulator.close()


@asynccontextmanager
async def _simulated(_: Path) -> AsyncIterator[Bench]:
    yield Simulated()


@pytest.fixture(params=[_real, _simulated], ids=["real", "simulated"])
def opened(request: pytest.FixtureRequest, folder: Path) -> Opening:
    return partial(request.param, folder)


async def test_a_signature_is_counted_and_found_by_its_id(opened: Opening) -> None:
    async with opened() as bench:
        before = await bench.port.status()
        reply = await bench.port.sign(document(), pfr_request_id=ID)
        assert isinstance(reply, ports.PfrSigned)
        assert before.total_counter == 0
        assert (await bench.port.status()).total_counter == reply.receipt.total_counter == 1
        assert before.uid == reply.receipt.requested_by
        assert reply.receipt.total_amount == document().total
        found = await bench.port.find(ID)
        assert found.invoice_number == reply.receipt.invoice_number
        assert await bench.port.find("f" * 32) is None


async def test_it_is_not_idempotent(opened: Opening) -> None:
    async with opened() as bench:
        replies = [await bench.port.sign(document(), pfr_request_id=ID) for _ in range(2)]
        signed = [reply.receipt for reply in replies if isinstance(reply, ports.PfrSigned)]
        assert [receipt.total_counter for receipt in signed] == [1, 2]
        found = await bench.port.find(ID)
        assert found.total_counter == 2


@pytest.mark.parametrize("signed", [True, False])
async def test_a_lost_answer_is_unclear(opened: Opening, signed: bool) -> None:
    async with opened() as bench:
        bench.lose(signed=signed)
        assert isinstance(await bench.port.sign(document(), pfr_request_id=ID), ports.PfrUnclear)
        assert (await bench.port.find(ID) is not None) is signed
        assert (await bench.port.status()).total_counter == int(signed)


@pytest.mark.parametrize("code", ["1300", "2310", "2220"])
async def test_a_refusal_tells_its_code(opened: Opening, code: str) -> None:
    async with opened() as bench:
        bench.refuse(code)
        reply = await bench.port.sign(document(), pfr_request_id=ID)
        assert isinstance(reply, ports.PfrRefused)
        assert [fault.code for fault in reply.faults] == [code]


async def test_without_its_card_it_tells_no_counter(opened: Opening) -> None:
    async with opened() as bench:
        bench.change(card="out")
        status = await bench.port.status()
        assert (status.uid, status.total_counter) == (None, None)
        assert status.blocking_code == "1300"
        assert isinstance(await bench.port.sign(document(), pfr_request_id=ID), ports.PfrRefused)


@pytest.mark.parametrize("code", ["2220", "1999"])
async def test_a_code_as_the_status_tells_no_more(opened: Opening, code: str) -> None:
    async with opened() as bench:
        bench.change(status_code=code)
        status = await bench.port.status()
        assert (status.uid, status.total_counter, status.clock) == (None, None, None)
        assert (status.is_bare, status.trouble_code) == (True, code)
        assert isinstance(await bench.port.sign(document(), pfr_request_id=ID), ports.PfrSigned)


async def test_only_the_last_one_is_surely_found(opened: Opening) -> None:
    async with opened() as bench:
        bench.change(remember="last")
        await bench.port.sign(document(), pfr_request_id=ID)
        await bench.port.sign(document(), pfr_request_id="f" * 32)
        assert await bench.port.find(ID) is None
        assert await bench.port.find("f" * 32) is not None


@pytest.mark.parametrize("kind", ["real", "simulated"])
async def test_where_nobody_is_nothing_is_sent(kind: str) -> None:
    absent = SimulatedProcessor(counted=True, remembers="all")
    absent.is_away = True
    client = PfrClient(await unreachable())
    port: ports.Processor = client if kind == "real" else absent
    assert isinstance(await port.sign(document(), pfr_request_id=ID), ports.PfrNotSent)
    with pytest.raises(NotDelivered):
        await port.status()
    with pytest.raises(NotDelivered):
        await port.find(ID)
    await client.close()
