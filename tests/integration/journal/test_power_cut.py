"""The server's power is cut at any write: no answer is lost, and nothing was sent unrecorded.

The whole way of a receipt, real but for the disk: use case, lane, journal, HTTP, processor. The
processor is another machine, which keeps its power and its ledger.
"""

from __future__ import annotations

import asyncio
import contextlib
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
from pos_app.errors import MachineError
from pos_app.fiscalization.ports import Request
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.pfr_emulator.processor import Processor
from tests.fakes import faulty_disk
from tests.fakes.inner_connection import connection_of
from tests.fakes.power import Disk, recorded
from tests.integration.fiscalization.shop import WHOLE_REFUND, Shop, opened
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
    async with asyncio.timeout(20.0):
        while True:
            try:
                return (await shop.sell(key=key)).receipt.invoice_number
            except (OutcomeNotKnown, NotSigned, MachineError):
                await asyncio.sleep(0.02)


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


# --- the n-th read, write or sync of the journal fails once, for every n of a sale's way ---
ENOUGH = 800
FEW_OF_A_SALE = {faulty_disk.READ: 31, faulty_disk.WRITE: 5, faulty_disk.SYNC: 2}
FEW_OF_A_PAIR = {faulty_disk.READ: 97, faulty_disk.WRITE: 13, faulty_disk.SYNC: 3}
"""The steps between the accesses that fail in `make test`, of a sale and of a pair: after each
fault a caller waits a while."""


def key_of(number: int) -> str:
    return f"key-of-sale-number-{number}"


async def every_access(shop: Shop, disk: faulty_disk.FaultyDisk, kind: str, step: int) -> int:
    """Sell until a sale ends without a fault, with the next access failing each time; return how
    many."""
    for count, nth in enumerate(range(1, ENOUGH, step), start=1):
        key, before = key_of(nth), len(disk.failed)
        disk.fail(kind, nth)
        number = await sell(shop, key)
        disk.mend()
        mine = [entry for entry in shop.ledger() if entry.number == number]
        assert len(mine) == 1
        assert len(shop.ledger()) == count
        assert not shop.journal.open_requests()
        if len(disk.failed) == before:
            return count
    raise AssertionError("a sale has more accesses than that")


@pytest.mark.faults
@pytest.mark.deadline(900)
@pytest.mark.parametrize("kind", [faulty_disk.READ, faulty_disk.WRITE, faulty_disk.SYNC])
async def test_each_access_once(folder: Path, kind: str, times: int, proof: Proof) -> None:
    path = folder / "journal" / "journal.db"
    with faulty_disk.faulty(path) as disk:
        async with opened(folder) as shop:
            # A checkpoint that fails fails no commit; a fault raised in Python would.
            connection_of(shop.journal).pragma("wal_autocheckpoint", 0)
            if kind == faulty_disk.READ:  # what is kept in memory is read once
                connection_of(shop.journal).pragma("cache_size", 0)
            step = FEW_OF_A_SALE[kind] if times <= 50 else 1
            proof.tried = await every_access(shop, disk, kind, step)
    assert proof.tried > 1


async def has_come_to_rest(shop: Shop) -> None:
    async with asyncio.timeout(15.0):
        while waiting := [one.id for one in shop.journal.open_requests() if is_on_its_way(one)]:
            await shop.lane.changes.wait(waiting[0], 0.2)


def is_on_its_way(request: Request) -> bool:
    return request.state in (RequestState.QUEUED, RequestState.SENDING, RequestState.UNKNOWN)


async def refunded(shop: Shop, sale: str, key: str) -> list[str]:
    """Return the numbers of a refund and its copy; ask again with the same key until both are
    there."""
    async with asyncio.timeout(20.0):
        while True:
            try:
                told = await shop.act("refund", sale, WHOLE_REFUND, key=key)
                return [one.receipt.invoice_number for one in told.receipts]
            except (NotSigned, OutcomeNotKnown, MachineError):
                await asyncio.sleep(0.02)


@pytest.mark.faults
@pytest.mark.deadline(3600)
@pytest.mark.parametrize("kind", [faulty_disk.READ, faulty_disk.WRITE, faulty_disk.SYNC])
async def test_each_access_of_a_pair(folder: Path, kind: str, times: int, proof: Proof) -> None:
    """The caller asks once and goes away: the server ends by itself what it began."""
    with faulty_disk.faulty(folder / "journal" / "journal.db") as disk:
        async with opened(folder) as shop:
            connection_of(shop.journal).pragma("wal_autocheckpoint", 0)
            if kind == faulty_disk.READ:
                connection_of(shop.journal).pragma("cache_size", 0)
            for nth in range(1, ENOUGH, FEW_OF_A_PAIR[kind] if times <= 50 else 1):
                number = (await shop.sell(key=f"sale-to-be-refunded-{nth}")).receipt.invoice_number
                key, before, signed = key_of(nth), len(disk.failed), len(shop.ledger())
                disk.fail(kind, nth)
                with contextlib.suppress(NotSigned, OutcomeNotKnown, MachineError):
                    await shop.act("refund", number, WHOLE_REFUND, key=key)
                disk.mend()
                await has_come_to_rest(shop)
                numbers = await refunded(shop, number, key)
                assert [one.number for one in shop.ledger()[signed:]] == numbers
                assert not shop.journal.open_requests()
                proof.count(signed=len(numbers) - 1)
                if len(disk.failed) == before:
                    break
    assert proof.tried > 1
