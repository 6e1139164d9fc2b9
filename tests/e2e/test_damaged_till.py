"""A page of a till's file was damaged while sales waited: the readable sales are sent first."""

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
from pos_app.domain.setup.backup import BackupWhy
from pos_app.selling.sale.state import SaleState
from tests.e2e import audit, robot
from tests.e2e import shop as programs
from tests.e2e.real_shop import at_served, until
from tests.fakes.faulty_disk import flip, settle
from tests.integration.test_check import page_of
from tests.integration.test_server_program import run
from tests.proofs import Proof
from tests.sweep import sampled

pytestmark = pytest.mark.faults
WAITING = 3


@pytest.fixture
def shop(shop: programs.Shop) -> Iterator[programs.Shop]:
    yield shop
    assert run("stop", "--data", str(shop.data)).returncode == 0


async def with_waiting(shop: programs.Shop) -> Path:
    """A receipt, a backup (returned), and waiting sales."""
    async with at_served(shop) as till:
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


@pytest.mark.parametrize(("table", "asked"), sampled([("meta", 1), ("sale_payments", 0)]))
async def test_what_can_be_read_is_sent_before_anything_else_is_offered(
    shop: programs.Shop, table: str, asked: int, proof: Proof
) -> None:
    """A backup in its place sends nothing again; a person is asked where nobody knows."""
    shop.processor()
    place = await with_waiting(shop)
    waiting = audit.frozen_sales(shop.data)
    path = shop.data / TILL
    flip(path, page_of(path, table), 2000)
    before = path.read_bytes()
    till = opened(shop)
    assert till.wait() == 1
    told = f"had no receipt: {WAITING}. None waits any more."
    if asked:
        told = f"have no receipt yet, as far as can be read: {asked}."
    assert told in till.errors()
    assert table != "meta" or path.read_bytes() == before
    assert not list(path.parent.glob("unsent.db*"))
    counted = signed(shop)
    for sale in waiting[: len(waiting) - asked]:
        proof.count(signed=counted[sale.request_id])
    assert (proof.tried, proof.lost, proof.doubled) == (WAITING + 1 - asked, 0, 0)
    assert len(counted) == WAITING + 1 - asked
    restore_command(shop.data, str(place), only=["till"], accepted=True, out=StringIO())
    async with at_served(shop) as again:
        sales = again.core.database.sales
        ends = [SaleState.DONE] * (WAITING + 1 - asked) + [SaleState.REFUSED] * asked
        await until(lambda: [sales.sale(one.key).state for one in waiting] == ends)
    assert signed(shop) == counted


@pytest.mark.parametrize("table", sampled(["sale_events", "waiting_sales"]))
async def test_a_till_that_opens_all_the_same_sends_what_can_be_read(
    shop: programs.Shop, table: str, proof: Proof
) -> None:
    """Its own outbox can't record that a sale is being sent."""
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
