"""A till that was restored from a copy, with its journal or without, at work with real programs.

Nobody gets another's receipt, and the sales that were frozen in the copy have one receipt each.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from io import StringIO
from itertools import islice, product
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.adapters.backup.making import make_set
from pos_app.bootstrap.commands.backup import restore_command
from pos_app.bootstrap.till.core import open_till_core
from pos_app.domain.receipt.states import RequestState
from pos_app.domain.setup.backup import BackupWhy
from pos_app.errors import Refused
from pos_app.selling.sale import sell
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.sell import ItemAdded
from pos_app.selling.sale.state import SaleState
from tests.e2e import audit, robot
from tests.e2e.restored import Asker, copied
from tests.e2e.shop import Shop
from tests.e2e.test_faults import Till
from tests.fakes.faulty_disk import flip, settle
from tests.integration.test_check import page_of
from tests.proofs import Proof
from tests.sweep import sampled, turns

FOLDERS = {"till": ["till"], "journal": ["journal"], "both": ["till", "journal"], "folder": ["."]}
"""The folders that are restored."""
BY = "Управник"
pytestmark = pytest.mark.faults


@contextmanager
def served(shop: Shop) -> Iterator[None]:
    server = shop.server()
    assert not server.is_over, server.errors()
    try:
        yield
    finally:
        server.stop()


@asynccontextmanager
async def at_work(shop: Shop) -> AsyncIterator[Till]:
    with open_till_core(settings.load(shop.data)) as core:
        outbox = asyncio.create_task(core.outbox.run(), name="outbox")
        try:
            yield Till(core)
        finally:
            outbox.cancel()
            await asyncio.gather(outbox, return_exceptions=True)
            await core.let_go()


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
    signed = Counter(entry.request_id for entry in audit.ledger(shop))
    for sale in audit.frozen_sales(shop.data):
        proof.count(signed=signed[sale.request_id])
    assert (proof.lost, proof.doubled, max(signed.values())) == (0, 0, 1)
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
    counted = Counter(entry.request_id for entry in audit.ledger(shop))
    for sale in audit.frozen_sales(shop.data):
        proof.count(signed=counted[sale.request_id])
    assert (proof.lost, proof.doubled) == (0, 0)


@pytest.mark.parametrize("table", sampled(["acts", "carts", "sqlite_autoindex_sales_1"]))
async def test_what_a_damaged_till_still_tells_is_sent_once(
    shop: Shop, table: str, proof: Proof
) -> None:
    """Two sales wait and one was signed whose answer was lost; then a page of the till's file was
    damaged, and a backup from before them replaces it."""
    shop.processor()
    with served(shop):
        async with at_work(shop) as till:
            await till.done(till.sell(), till.sell())
    place = make_set(shop.data, BackupWhy.HAND)
    with served(shop):
        async with at_work(shop) as till:
            shop.change(unreachable=["lookup"])
            shop.fault("sign_then_drop")
            signed = till.sell()
            await until(lambda: till.now(signed).state is SaleState.DOUBT)
            waiting = [till.sell(), till.sell()]
    shop.change(unreachable=[])
    path = shop.data / "till" / "till.db"
    settle(path)
    flip(path, page_of(path, table), 2000)
    told = StringIO()
    restore_command(shop.data, str(place), only=["till"], accepted=True, out=told)
    assert "3 sales that were paid and have no receipt yet go along" in told.getvalue()
    with served(shop):
        async with at_work(shop) as till:
            assert await brought_to_its_end(till, shop) == set()
            assert {till.now(one).state for one in (signed, *waiting)} == {SaleState.DONE}
    counted = Counter(entry.request_id for entry in audit.ledger(shop))
    for sale in audit.frozen_sales(shop.data):
        proof.count(signed=counted[sale.request_id])
    assert (proof.tried, proof.lost, proof.doubled) == (5, 0, 0)


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(30.0):
        while not is_so():  # noqa: ASYNC110 - both files change by themselves
            await asyncio.sleep(0.05)


@pytest.mark.long
@pytest.mark.parametrize("what", ["both", "till"])
async def test_carts_are_set_aside_once(
    shop: Shop, tmp_path: Path, what: str, proof: Proof
) -> None:
    """Another program's receipts move the journal on before the till's next sale."""
    shop.processor()
    await a_morning(shop)
    copy = copied(shop.data, tmp_path / "copy")
    await an_afternoon(shop)
    for name in FOLDERS[what]:
        copied(copy / name, shop.data / name)
    other, restores = Asker(shop), list[str]()
    with served(shop):
        async with at_work(shop) as till:
            till.core.outbox.listen(on_restored=lambda: restores.append(what))
            await brought_to_its_end(till, shop)
            if what == "both":
                await till.core.doubts.close_restored(by=BY)
            basket = sell.start(till=till.core.till, cashier=robot.CASHIER)
            (article,) = islice(robot.articles(till.core), 1)
            begun = sell.add_item(till=till.core.till, ticket=basket, article=article)
            assert isinstance(begun, ItemAdded)
            for number in range(3):
                assert (await asyncio.to_thread(other.sell, number)).number
                await journal_seen(till, rows=other.rows())
            assert till.core.till.carts.open_cart(training=False) == begun.ticket
            assert restores == [what]
            assert len(till.core.database.carts.suspended_by_restore()) == 1
            sold = till.sell()
            await brought_to_its_end(till, shop)
            assert till.now(sold).cart_id == begun.ticket.id
    signed = Counter(entry.request_id for entry in audit.ledger(shop))
    for sale in audit.frozen_sales(shop.data):
        proof.count(signed=signed[sale.request_id])
    for number in range(3):
        proof.count(signed=other.signed(number))
    assert (proof.lost, proof.doubled) == (0, 0)
    assert audit.faults(shop, keys=[sold.key]) == []


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
    signed = Counter(entry.request_id for entry in audit.ledger(shop))
    for sale in audit.frozen_sales(shop.data):
        proof.count(signed=signed[sale.request_id] + (sale.key == waits))


async def journal_seen(till: Till, *, rows: int) -> None:
    """Wait until the till has asked the journal since it had `rows` rows."""
    async with asyncio.timeout(30.0):
        while True:
            mark = till.core.database.sales.remembered().journal
            if mark is not None and mark.rows >= rows:
                return
            till.core.outbox.wake()
            await asyncio.sleep(0.1)


async def brought_to_its_end(till: Till, shop: Shop) -> set[str]:
    """Complete every sale; returns the keys of those that a manager was asked about, who knows the
    papers."""
    asked = set[str]()
    async with asyncio.timeout(30.0):
        while queued := till.core.database.sales.queue():
            for one in queued:
                sale = till.core.database.sales.sale(one.key)
                if is_a_persons(sale):
                    asked.add(sale.key)
                    await decided(till, shop, sale)
            await asyncio.sleep(0.05)
    return asked


def is_a_persons(sale: Sale) -> bool:
    why = None if sale.reason is None else sale.reason.code
    return sale.state is SaleState.DOUBT and why == RequestState.NEEDS_HUMAN


async def decided(till: Till, shop: Shop, sale: Sale) -> None:
    """Decide by the papers. A sale that is decided already is refused."""
    (name,) = [one.request_id for one in audit.frozen_sales(shop.data) if one.key == sale.key]
    papers = [audit.url_of(one) for one in audit.ledger(shop) if one.request_id == name]
    assert sale.receipt_id is not None
    with suppress(Refused):
        if papers:
            await till.core.doubts.declare_found(sale.receipt_id, verification_url=papers[0], by=BY)
        else:
            await till.core.doubts.declare_absent(sale.receipt_id, by=BY)
