"""The n-th read, write or sync of `till.db` fails once, for every n from a sale's cart to its end.

A sale reported as failed is not there after a crash, and a confirmed one ends as done.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.till.till import open_till
from pos_app.errors import MachineError
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes import faulty_disk
from tests.fakes.counter import Counter
from tests.fakes.inner_connection import connection_of
from tests.fakes.till import till_of
from tests.proofs import Proof

ENOUGH = 200


def sold(counter: Counter, told_as_failed: list[str]) -> Sale:
    """Sell until a sale is confirmed. told_as_failed: collects the codes of earlier errors."""
    while True:
        try:
            return counter.sell()
        except MachineError as error:
            told_as_failed.append(error.code)


async def brought_to_its_end(counter: Counter, sale: Sale) -> None:
    for _ in range(100):
        try:
            await counter.until(lambda: counter.state(sale) is SaleState.DONE)
            return
        except MachineError:
            counter.restart()
    raise AssertionError("the sale does not end")


@pytest.mark.faults
@pytest.mark.parametrize("kind", [faulty_disk.READ, faulty_disk.WRITE, faulty_disk.SYNC])
def test_each_access_of_a_till_once(tmp_path: Path, kind: str, times: int, proof: Proof) -> None:
    """With few faults it is every third access."""
    folder = tmp_path / "live"
    with faulty_disk.faulty(folder / "till.db") as disk:
        database = open_till(folder, till_id="till-1")
        counter = Counter(database)
        if kind == faulty_disk.READ:
            connection_of(database.carts).pragma("cache_size", 0)
        for tried, nth in enumerate(range(1, ENOUGH, 1 if times >= 100 else 3), 1):
            counter.till = till_of(database.carts, counter.clock, first_key=1000 * nth)
            before, failures = len(disk.failed), list[str]()
            disk.fail(kind, nth)
            sale = sold(counter, failures)
            asyncio.run(brought_to_its_end(counter, sale))
            disk.mend()
            assert not set(failures) - {"disk_failed"}
            assert [one for one in counter.states() if one is not SaleState.DONE] == []
            assert len(counter.states()) == tried
            assert len(counter.server.ledger) == len(set(counter.server.ledger)) == tried
            if len(disk.failed) == before:
                break
        database.close()
    assert tried > 1
    proof.tried = tried
    again = open_till(faulty_disk.crashed(folder, tmp_path / "after"), till_id="till-1")
    assert len(again.sales.last(ENOUGH)) == tried
    again.close()
