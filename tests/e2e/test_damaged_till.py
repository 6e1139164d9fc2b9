"""A till whose file went bad while sales waited in it: what can be read of them is sent first.

The till, its server and the processor are the real programs; a page of the real file is damaged.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.adapters.backup.making import make_set
from pos_app.adapters.data_folder import TILL
from pos_app.bootstrap.commands.backup import restore_command
from pos_app.bootstrap.till.core import open_till_core
from pos_app.domain.backup import BackupWhy
from pos_app.selling.sale.state import SaleState
from tests.e2e import audit, robot
from tests.e2e import shop as programs
from tests.e2e.test_restored_till import at_work, brought_to_its_end, served
from tests.fakes.faulty_disk import flip, settle
from tests.integration.test_check import page_of
from tests.integration.test_server_program import run
from tests.proofs import Proof

pytestmark = pytest.mark.faults
WAITING = 3


@pytest.fixture
def shop(shop: programs.Shop) -> Iterator[programs.Shop]:
    """No till or server is left behind."""
    yield shop
    assert run("stop", "--data", str(shop.data), is_real=True).returncode == 0


async def with_waiting(shop: programs.Shop) -> Path:
    """A sale has its receipt, a backup is made, and others are confirmed while no server runs; the
    backup."""
    with served(shop):
        async with at_work(shop) as till:
            await till.done(till.sell())
    place = make_set(shop.data, BackupWhy.HAND)
    assert place is not None
    with open_till_core(settings.load(shop.data)) as core:
        goods = robot.articles(core)
        for _ in range(WAITING):
            robot.sell(core, goods, items=2)
        await core.let_go()
    settle(shop.data / TILL)
    return place


def opened(shop: programs.Shop) -> programs.Program:
    return shop.run("-m", "pos_app", "till", "--data", str(shop.data), name="till")


def signed(shop: programs.Shop) -> Counter[str]:
    return Counter(str(entry.request_id) for entry in audit.ledger(shop))


@pytest.mark.parametrize("table", ["meta", "sale_payments"])
async def test_what_can_be_read_is_sent_before_anything_else_is_offered(
    shop: programs.Shop, table: str, proof: Proof
) -> None:
    """The file, or the window over it, does not open. A backup that takes its place sends nothing
    once more, and its sales have their receipts."""
    shop.processor()
    place = await with_waiting(shop)
    waiting = audit.frozen_sales(shop.data)
    path = shop.data / TILL
    flip(path, page_of(path, table), 2000)
    before = path.read_bytes()
    till = opened(shop)
    assert till.wait() == 1
    assert f"had no receipt: {WAITING}. None waits any more." in till.errors()
    assert table != "meta" or path.read_bytes() == before
    assert not list(path.parent.glob("unsent.db*"))
    counted = signed(shop)
    for sale in waiting:
        proof.count(signed=counted[sale.request_id])
    assert (proof.tried, proof.lost, proof.doubled) == (WAITING + 1, 0, 0)
    restore_command(shop.data, str(place), only=["till"], accepted=True, out=StringIO())
    with served(shop):
        async with at_work(shop) as again:
            assert await brought_to_its_end(again, shop) == set()
            states = {again.core.database.sales.sale(one.key).state for one in waiting}
            assert states == {SaleState.DONE}
    assert signed(shop) == counted


async def test_what_can_t_be_sent_is_told_and_sent_by_the_next_start(shop: programs.Shop) -> None:
    processor = shop.processor()
    await with_waiting(shop)
    waiting = audit.frozen_sales(shop.data)
    processor.stop()
    path = shop.data / TILL
    flip(path, page_of(path, "meta"), 2000)
    till = opened(shop)
    assert till.wait() == 1
    assert f"paid have no receipt yet: {WAITING}." in till.errors()
    shop.processor()
    till = opened(shop)
    assert till.wait() == 1
    counted = signed(shop)
    assert [counted[sale.request_id] for sale in waiting] == [1] * len(waiting)


@pytest.mark.parametrize("table", ["sale_events", "waiting_sales"])
async def test_a_till_that_opens_all_the_same_sends_what_can_be_read(
    shop: programs.Shop, table: str, proof: Proof
) -> None:
    """Its own outbox can't write that a sale is being sent."""
    shop.processor()
    await with_waiting(shop)
    waiting = audit.frozen_sales(shop.data)
    path = shop.data / TILL
    flip(path, page_of(path, table), 2000)
    till = opened(shop)
    wanted = {sale.request_id for sale in waiting}
    till.until(lambda: till.is_over or wanted <= signed(shop).keys())
    till.child.send_signal(signal.SIGTERM)
    assert till.wait() == 0, till.errors()
    counted = signed(shop)
    for sale in waiting:
        proof.count(signed=counted[sale.request_id])
    assert (proof.tried, proof.lost, proof.doubled) == (WAITING + 1, 0, 0)
