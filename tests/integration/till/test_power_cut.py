"""The power is cut at any write: what was confirmed is there, with every item of its cart. The
n-th access of `till.db` fails once: a sale reported as failed is not there after a crash."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.till import till as till_module
from pos_app.adapters.sqlite.till.till import open_till
from pos_app.errors import MachineError
from pos_app.selling.sale import sell
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.fakes import faulty_disk
from tests.fakes.counter import Counter
from tests.fakes.inner_connection import connection_of
from tests.fakes.power import Disk, recorded
from tests.fakes.till import BREAD, CASHIER, MILK, till_of
from tests.proofs import Proof

TILL = "till-1"
CUTS = 60
"""The number of cuts for each fifty of `--times`."""


@pytest.fixture
def disk() -> Iterator[Disk]:
    with recorded() as made:
        yield made


@dataclass(frozen=True)
class Promise:
    """From this step on the sale is there, in this state or a later one, with that many lines."""

    step: int
    key: str
    state: SaleState
    lines: int


def a_day(folder: Path, disk: Disk) -> list[Promise]:
    """Sell one to five items at a time, with some sales sent before the next; return the
    promises."""
    database = open_till(folder, till_id=TILL)
    counter = Counter(database)
    promises: list[Promise] = []
    counter.outbox.listen(
        on_sale=lambda sale: promises.append(Promise(len(disk.steps), sale.key, sale.state, 0))
    )
    for number in range(1, 9):
        ticket = sell.start(till=counter.till, cashier=CASHIER)
        for article in [MILK, BREAD][: number % 3]:
            added = sell.add_item(till=counter.till, ticket=ticket, article=article)
            ticket = added.ticket
        key = counter.sell().key
        lines = len(database.carts.cart_of(database.sales.sale(key).cart_id).cart.lines)
        promises.append(Promise(len(disk.steps), key, SaleState.FROZEN, lines))
        if number % 2:
            asyncio.run(counter.steps(4))
        if number == 5:
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(till_module, "TIDY_FROM_PAGES", 1)
                patched.setattr(till_module, "QUIET_SECONDS", 0.0)
                database.tidy()
    database.close()
    return promises


ORDER = [SaleState.FROZEN, SaleState.SENDING, SaleState.DONE]


@pytest.mark.faults
def test_what_is_confirmed_survives(disk: Disk, tmp_path: Path, times: int, proof: Proof) -> None:
    promises = a_day(tmp_path / "before", disk)
    disk.is_on = False
    chance = random.Random(7)
    first = promises[0].step
    for number in range(CUTS * max(1, times // 50)):
        at = chance.randint(first, len(disk.steps))
        then = {one.key: one.state for one in promises if one.step <= at}
        proof.killed(in_flight=set(then.values()) != {SaleState.DONE})
        folder = tmp_path / str(number)
        folder.mkdir()
        disk.write_out(folder, at, "till.db", chance)

        database = open_till(folder, till_id=TILL)
        assert connection_of(database).pragma("integrity_check") == "ok"
        for promise in promises:
            if promise.step <= at:
                sale = database.sales.sale(promise.key)
                assert ORDER.index(sale.state) >= ORDER.index(promise.state)
                lines = database.carts.cart_of(sale.cart_id).cart.lines
                assert len(lines) >= promise.lines
        database.close()


def test_scans_wait_for_no_disk_and_a_confirm_does(disk: Disk, tmp_path: Path) -> None:
    database = open_till(tmp_path / "till", till_id=TILL)
    counter = Counter(database)
    ticket = sell.start(till=counter.till, cashier=CASHIER)
    before = len(disk.steps)
    for _ in range(20):
        added = sell.add_item(till=counter.till, ticket=ticket, article=BREAD)
        ticket = added.ticket
    scans = disk.steps[before:]
    assert scans
    assert [step for step in scans if len(step) == 1] == []

    before = len(disk.steps)
    counter.sell()
    assert ("till.db-wal",) in disk.steps[before:]
    assert {step[0] for step in disk.steps[before:]} == {"till.db-wal"}
    database.close()


# --- the n-th access fails ------------------------------------------------------------------------

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
