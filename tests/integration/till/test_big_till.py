"""A till with many sales, many of them waiting: no statement goes through all of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.till.till import open_till
from pos_app.cashier.attention.model import AttentionModel
from pos_app.domain.receipt.server_status import ProcessorState
from pos_app.selling.receipts.own_sales import own_sales
from pos_app.selling.sale import sell
from tests.fakes.big_till import counted, fill
from tests.fakes.fiscal_server import Fault
from tests.fakes.inner_connection import connection_of
from tests.gui.attention import cases
from tests.gui.payment.shop import CASHIER, Shop, named
from tests.sweep import turns

ENDED, WAITING = 12_000, 6_000
MOST_STEPS = 20_000
"""The steps of SQLite's machine for one statement: to read a row takes four or more."""


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("big")
    database = open_till(folder / "till", till_id="till-1")
    fill(database, ended=ENDED, waiting=WAITING)
    database.close()
    return folder / "till" / "till.db"


@pytest.fixture
def shop(big: Path, folder: Path) -> Iterator[Shop]:
    (folder / "till").mkdir()
    shutil.copy(big, folder / "till" / "till.db")
    opened = Shop(folder)
    opened.clock.go_on(1)
    yield opened
    opened.close()


async def all_read(shop: Shop) -> None:
    for _ in range(200):
        shop.clock.go_on(await shop.outbox.step())


@pytest.mark.parametrize(
    ("running", "state"), turns([True, False], [ProcessorState.READY, ProcessorState.AWAY])
)
async def test_a_step_goes_through_none(shop: Shop, running: bool, state: ProcessorState) -> None:
    shop.server.processor, shop.server.running = state, running
    await all_read(shop)
    shop.server.faults.extend([Fault.WAIT, Fault.CURE, Fault.FIX, Fault.IN_DOUBT] * 5)
    with counted(connection_of(shop.store)) as run:
        await all_read(shop)
    assert run.above(MOST_STEPS) == []


async def test_start_scans_payment_and_list_go_through_no_table(shop: Shop) -> None:
    with counted(connection_of(shop.store)) as run:
        shop.outbox.recover()
        sell.start(till=shop.till, cashier=CASHIER)
        await all_read(shop)
        basket = sell.start(till=shop.till, cashier=CASHIER)
        added = sell.add_item(till=shop.till, ticket=basket, article=named("Хлеб", "58.99"))
        sell.suspend(till=shop.till, ticket=added.ticket)
        cases.sold(shop)
        assert len(sell.suspended(till=shop.till)) == 1
        first = own_sales(shop.store.sales)
        deep = own_sales(shop.store.sales, after=ENDED // 2)
    assert run.above(MOST_STEPS) == []
    assert len(run.steps) > 10
    assert [len(page.rows) for page in (first, deep)] == [50, 50]
    assert (first.rows[0].number, deep.rows[0].number is None) == (None, False)


async def test_attention_goes_through_no_table(shop: Shop) -> None:
    shop.server.processor = ProcessorState.AWAY
    await all_read(shop)
    model = AttentionModel(shop.services)
    with counted(connection_of(shop.store)) as run:
        model.load()
        model.load(thorough=False)
    assert run.above(MOST_STEPS) == []
    first_is_sent = 1
    assert model.count() + first_is_sent == sum(shop.store.sales.counts().values())
