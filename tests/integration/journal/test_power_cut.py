"""The server's power is cut at any write: no answer is lost, and nothing was sent unrecorded.

The whole way of a receipt, real but for the disk: use case, lane, journal, HTTP, processor. The
processor is another machine, which keeps its power and its ledger.
"""

from __future__ import annotations

import asyncio
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.domain.receipt.states import RequestState
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.pfr_emulator.processor import Processor
from tests.fakes.inner_connection import connection_of
from tests.fakes.power import Disk, recorded
from tests.integration.fiscalization.shop import Shop, opened
from tests.proofs import Proof

CUTS, LIVES, FEW = 60, 6, 3
"""The number of cuts for each fifty of `--times`; after those of the second the shop goes on, which
takes a second. `make test` makes one of so FEW."""
FAULTS = ("", "sign_then_drop", "", "drop", "", "cut", "refuse", "")
KEYS = [f"key-of-sale-number-{number}" for number in range(len(FAULTS))]
ORIGIN = "local"
MAY_BE_SIGNED = {RequestState.SIGNED, RequestState.UNKNOWN}


@dataclass
class Day:
    """The day's events, each with the number of writes before it.

    answered: the caller of a key had its receipt. posted: the processor began to read a request
    with that RequestId, and signed it.
    """

    answered: list[tuple[int, str, str]] = field(default_factory=list)
    posted: list[tuple[int, str]] = field(default_factory=list)


class Listening:
    """The processor's application, which notes when each request that it signs came in."""

    def __init__(self, processor: Processor, folder: Path, disk: Disk, day: Day) -> None:
        self._app: Any = create_app(processor)
        self._folder, self._disk, self._day = folder, disk, day

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope.get("headers", ()))
        came_in, name = len(self._disk.steps), headers.get(b"requestid", b"").decode()
        known = len(read_entries(self._folder))
        try:
            await self._app(scope, receive, send)
        finally:
            if name and len(read_entries(self._folder)) > known:
                self._day.posted.append((came_in, name))


async def sell(shop: Shop, key: str) -> str:
    """Send a sale until it has its receipt, as a till would; return the number."""
    async with asyncio.timeout(20.0):
        while True:
            try:
                return (await shop.sell(key=key)).receipt.invoice_number
            except (OutcomeNotKnown, NotSigned):
                await asyncio.sleep(0.05)


async def a_day(folder: Path, disk: Disk) -> Day:
    day = Day()
    SqliteJournal(folder / "journal" / "journal.db").close()  # also its tables are on that disk
    async with opened(
        folder, heard=lambda made: Listening(made, folder / "processor", disk, day)
    ) as shop:
        for key, kind in zip(KEYS, FAULTS, strict=True):
            if kind:
                shop.fault(kind, **({"code": "1300"} if kind == "refuse" else {}))
            number = await sell(shop, key)
            day.answered.append((len(disk.steps), key, number))
    return day


@pytest.fixture
def disk() -> Iterator[Disk]:
    with recorded() as made:
        yield made


def cut(disk: Disk, at: int, folder: Path, chance: random.Random) -> Path:
    (folder / "journal").mkdir(parents=True)
    disk.write_out(folder / "journal", at, "journal.db", chance)
    return folder / "journal" / "journal.db"


def faults(journal: SqliteJournal, day: Day, at: int) -> list[str]:
    """Return what the journal should know at the cut and does not."""
    found = []
    requests = [
        request
        for key in KEYS
        if (command := journal.command_by_key(ORIGIN, key)) is not None
        for request in journal.requests_of(command.id)
    ]
    of_name = {request.pfr_request_id: request for request in requests}
    for step, key, number in day.answered:
        command = journal.command_by_key(ORIGIN, key) if step <= at else None
        receipt = journal.receipt(command.id) if command else None
        if step <= at and (receipt is None or receipt.invoice_number != number):
            found.append(f"{key} was answered with {number}, and the journal has {receipt}")
    for step, name in day.posted:
        request = of_name.get(name)
        if step <= at and (request is None or request.state not in MAY_BE_SIGNED):
            found.append(f"{name} was sent and signed, and the journal has {request}")
    return found


@pytest.mark.faults
@pytest.mark.deadline(3600)
async def test_no_answer_is_lost_and_nothing_was_sent_unrecorded(
    disk: Disk, tmp_path: Path, times: int, proof: Proof
) -> None:
    day = await a_day(tmp_path / "before", disk)
    disk.is_on = False
    assert len(day.posted) == len(day.answered) == len(KEYS)
    chance = random.Random(7)
    for number in range(CUTS * times // 50 if times > 50 else CUTS // FEW):
        at = chance.randint(day.posted[0][0], len(disk.steps))
        answered = sum(step <= at for step, *_ in day.answered)
        proof.killed(in_flight=sum(step <= at for step, _ in day.posted) > answered)
        path = cut(disk, at, tmp_path / str(number), chance)
        with closing(SqliteJournal(path)) as journal:
            assert connection_of(journal).pragma("integrity_check") == "ok"
            journal.recover(now=datetime.now(UTC))
            assert faults(journal, day, at) == [], f"cut {number} after {at} writes"


@pytest.mark.faults
@pytest.mark.deadline(3600)
async def test_each_sale_has_one_receipt_after_it(tmp_path: Path, times: int, proof: Proof) -> None:
    with recorded() as disk:
        day = await a_day(tmp_path / "before", disk)
    chance = random.Random(11)
    for number in range(LIVES * times // 50 if times > 50 else LIVES // FEW):
        at = chance.randint(day.posted[0][0], len(disk.steps))
        folder = tmp_path / str(number)
        cut(disk, at, folder, chance)
        pfr, files = folder / "processor", shutil.ignore_patterns("*.db*")
        shutil.copytree(tmp_path / "before" / "processor", pfr, ignore=files)
        disk.write_out(pfr, at, "ledger.db")
        async with opened(folder) as shop:
            numbers = {key: await sell(shop, key) for key in KEYS}
        for step, key, told in day.answered:
            assert step > at or numbers[key] == told
        signed = Counter(entry.request_id for entry in read_entries(pfr))
        for name in signed:
            proof.count(signed=signed[name])
        assert len(signed) == len(KEYS)
        assert set(signed.values()) == {1}, f"cut {number} after {at} writes: {signed}"
