"""The n-th read, write or sync of the journal fails once, for every n of a sale's whole way.

No receipt is lost or doubled, and every key ends: its owner asks again, as a till does.
"""

from __future__ import annotations

import asyncio
import contextlib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.domain.receipt.states import RequestState
from pos_app.errors import MachineError
from pos_app.fiscalization.ports import Request
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from tests.fakes import faulty_disk
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization.shop import Shop, opened
from tests.proofs import Proof

ENOUGH = 800
FEW = {faulty_disk.READ: 31, faulty_disk.WRITE: 5, faulty_disk.SYNC: 2}
FEW_OF_A_PAIR = {faulty_disk.READ: 97, faulty_disk.WRITE: 13, faulty_disk.SYNC: 3}
"""The steps between the accesses that fail in `make test`, of a sale and of a pair: after each
fault a caller waits a while."""


def key_of(number: int) -> str:
    return f"key-of-sale-number-{number}"


async def sold(shop: Shop, key: str) -> str:
    """Return the number of its receipt; ask again with the same key until there is one."""
    async with asyncio.timeout(15.0):
        while True:
            try:
                return (await shop.sell(key=key)).receipt.invoice_number
            except (NotSigned, OutcomeNotKnown, MachineError):
                await asyncio.sleep(0.02)


async def every_access(shop: Shop, disk: faulty_disk.FaultyDisk, kind: str, step: int) -> int:
    """Sell until a sale ends without a fault, with the next access failing each time; return how
    many."""
    for count, nth in enumerate(range(1, ENOUGH, step), start=1):
        key, before = key_of(nth), len(disk.failed)
        disk.fail(kind, nth)
        number = await sold(shop, key)
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
            step = FEW[kind] if times <= 50 else 1
            proof.tried = await every_access(shop, disk, kind, step)
    assert proof.tried > 1


REFUND: dict[str, Any] = {
    "payments": {"cash": Decimal("117.98")},
    "buyerId": "10:123456788",
    "receiptDelivery": {"pdf": False},
}


async def has_come_to_rest(shop: Shop) -> None:
    """Wait until nothing is on its way, though nobody asks: a QUEUED request has an owner."""
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
                told = await shop.act("refund", sale, REFUND, key=key)
                return [one.receipt.invoice_number for one in told.receipts]
            except (NotSigned, OutcomeNotKnown, MachineError):
                await asyncio.sleep(0.02)


@pytest.mark.faults
@pytest.mark.deadline(3600)
@pytest.mark.parametrize("kind", [faulty_disk.READ, faulty_disk.WRITE, faulty_disk.SYNC])
async def test_each_access_of_a_pair_once(
    folder: Path, kind: str, times: int, proof: Proof
) -> None:
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
                    await shop.act("refund", number, REFUND, key=key)
                disk.mend()
                await has_come_to_rest(shop)
                numbers = await refunded(shop, number, key)
                assert [one.number for one in shop.ledger()[signed:]] == numbers
                assert not shop.journal.open_requests()
                proof.count(signed=len(numbers) - 1)
                if len(disk.failed) == before:
                    break
    assert proof.tried > 1
