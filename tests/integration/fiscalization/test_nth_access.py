"""The n-th read, write or sync of the journal fails once, for every n of a sale's whole way.

None lost, none double, and every key ends: its owner asks again, as a till does.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pos_app.errors import MachineError
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from tests.fakes.faulty_disk import READ, SYNC, WRITE, FaultyDisk, faulty
from tests.integration.fiscalization.shop import Shop, opened
from tests.proofs import Proof

ENOUGH = 800
"""More accesses than a sale has."""
FEW = 5
"""Of the reads every so many-th fails in `make test`: after each fault a caller waits a while."""


def key_of(number: int) -> str:
    return f"key-of-sale-number-{number}"


async def sold(shop: Shop, key: str) -> str:
    """The number of its receipt, asked for again with the same key until it is there."""
    async with asyncio.timeout(15.0):
        while True:
            try:
                return (await shop.sell(key=key)).receipt.invoice_number
            except (NotSigned, OutcomeNotKnown, MachineError):
                await asyncio.sleep(0.02)


async def every_access(shop: Shop, disk: FaultyDisk, kind: str, step: int) -> int:
    """Sales, each with the next access failing, until one ends without a fault; how many."""
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
@pytest.mark.deadline(240)
@pytest.mark.parametrize("kind", [READ, WRITE, SYNC])
async def test_each_access_once(folder: Path, kind: str, times: int, proof: Proof) -> None:
    path = folder / "journal" / "journal.db"
    with faulty(path) as disk:
        async with opened(folder) as shop:
            # A checkpoint that fails fails no commit; a fault raised in Python would.
            shop.journal._connection.pragma("wal_autocheckpoint", 0)
            if kind == READ:  # what is kept in memory is read once
                shop.journal._connection.pragma("cache_size", 0)
            step = FEW if kind == READ and times <= 50 else 1
            proof.tried = await every_access(shop, disk, kind, step)
    assert proof.tried > 1
