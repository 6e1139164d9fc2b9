"""A till that was restored from a copy, with its journal or without, at work with real programs.

Nobody gets another's receipt, and the sales that were frozen in the copy have one receipt each.
"""

from __future__ import annotations

import shutil
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.bootstrap.till.core import open_till_core
from pos_app.selling.sale import sell
from pos_app.selling.sale.sell import ItemAdded
from pos_app.selling.sale.state import SaleState
from tests.e2e import audit, robot
from tests.e2e.real_shop import at_work, brought_to_its_end, until
from tests.e2e.restored import copied, served
from tests.e2e.shop import Shop
from tests.proofs import Proof
from tests.sweep import sampled, turns

FOLDERS = {"till": ["till"], "journal": ["journal"], "both": ["till", "journal"], "folder": ["."]}
"""The folders that are restored."""
pytestmark = pytest.mark.faults


def count_each(shop: Shop, proof: Proof, *, dropped: str = "") -> Counter[str | None]:
    """Each sale has its one receipt, but for one that was dropped."""
    signed = Counter(entry.request_id for entry in audit.ledger(shop))
    for sale in audit.frozen_sales(shop.data):
        proof.count(signed=signed[sale.request_id] + (sale.key == dropped))
    assert (proof.lost, proof.doubled) == (0, 0)
    return signed


async def a_morning(shop: Shop) -> str:
    """Two sales, a waiting one, and an open cart; returns the key of the waiting one."""
    with served(shop):
        async with at_work(shop) as till:
            await till.done(till.sell(), till.sell())
    with open_till_core(settings.load(shop.data)) as core:
        goods = robot.articles(core)
        waits = robot.sell(core, goods, items=1)
        basket = sell.start(till=core.till, cashier=robot.CASHIER)
        assert isinstance(
            sell.add_item(till=core.till, ticket=basket, article=next(goods)), ItemAdded
        )
        await core.let_go()
    return waits.key


async def an_afternoon(shop: Shop) -> None:
    """The open cart and two more are sold, and the waiting sale is signed."""
    with served(shop):
        async with at_work(shop) as till:
            await till.done(till.sell(), till.sell(), till.sell())
            queued = [sale.key for sale in till.core.database.sales.queue()]
            assert not queued


@pytest.mark.parametrize(("what", "remember"), turns(FOLDERS, ["all", "last"]))
async def test_a_till_goes_on_after_a_restore(
    shop: Shop, tmp_path: Path, what: str, remember: str, proof: Proof
) -> None:
    shop.processor()
    waits = await a_morning(shop)
    copy = copied(shop.data, tmp_path / "copy")
    await an_afternoon(shop)
    before = len(audit.ledger(shop))
    for name in FOLDERS[what]:
        copied(copy / name, shop.data / name)
    shop.change(remember=remember)
    with served(shop):
        async with at_work(shop) as till:
            asked = await brought_to_its_end(till, shop)
            forgets = remember == "last" and what in ("both", "folder")
            assert asked == ({waits} if forgets else set())
            carts = till.core.database.carts
            assert len(carts.suspended_by_restore()) == (what in ("till", "both"))
            sold = [till.sell().key, till.sell().key]
            assert await brought_to_its_end(till, shop) <= set(sold)
    assert len(audit.ledger(shop)) == before + len(sold)
    assert max(count_each(shop, proof).values()) == 1
    assert audit.faults(shop, keys=[waits, *sold]) == []


@pytest.mark.parametrize(
    ("how", "remember"), sampled(product(["older", "missing"], ["last", "all"]))
)
async def test_nobody_is_asked_about_what_the_processor_is_proven_not_to_have(
    shop: Shop, tmp_path: Path, how: str, remember: str, proof: Proof
) -> None:
    """Two sales wait, and one was signed whose answer was cut; then the journal was lost. A
    processor that keeps the last receipt alone has lost the one before them."""
    shop.processor()
    with served(shop):
        async with at_work(shop) as till:
            await till.done(till.sell(), till.sell())
    copy = copied(shop.data / "journal", tmp_path / "copy")
    with served(shop):
        async with at_work(shop) as till:
            await till.done(till.sell())
            shop.change(unreachable=["lookup"])
            shop.fault("sign_then_drop")
            signed = till.sell()
            await until(lambda: till.now(signed).state is SaleState.DOUBT)
            waiting = [till.sell(), till.sell()]
    before = len(audit.ledger(shop))
    shutil.rmtree(shop.data / "journal")
    if how == "older":
        copied(copy, shop.data / "journal")
    shop.change(unreachable=[], remember=remember)
    with served(shop):
        async with at_work(shop) as till:
            asked = await brought_to_its_end(till, shop)
    forgotten = {one.key for one in waiting} if remember == "last" else set[str]()
    assert asked == forgotten
    assert len(audit.ledger(shop)) == before + len(waiting)
    count_each(shop, proof)


async def test_a_drop_outlives_the_loss_of_the_journal(shop: Shop, proof: Proof) -> None:
    """The drop was requested without a server; the processor is proven to have no receipt, and the
    sale ends cancelled at the server, never sent."""
    shop.processor()
    waits = await a_morning(shop)
    with open_till_core(settings.load(shop.data)) as core:
        core.outbox.cancel(waits, reason="одустао")
        await core.let_go()
    before = len(audit.ledger(shop))
    shutil.rmtree(shop.data / "journal")
    with served(shop):
        async with at_work(shop) as till:
            asked = await brought_to_its_end(till, shop)
            dropped = till.core.database.sales.sale(waits)
            assert (dropped.state, asked) == (SaleState.CANCELLED, set())
    assert len(audit.ledger(shop)) == before
    count_each(shop, proof, dropped=waits)
