"""The world itself: its programs sell through every fate of a line, and its judge sees."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pos_app.selling.sale import checkout, sell
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from tests.shop import world as shop
from tests.shop.ledger import Fault, Judge
from tests.shop.lines import FATES_OF_PROCESSOR, Fate

_PATIENCE = 30.0


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop.make_template(tmp_path_factory.mktemp("new"))


def sell_one(world: shop.World, code: str) -> str:
    core = world.till_core
    ticket = shop.with_articles(core, sell.start(till=core.till, cashier=shop.CASHIER), [code])
    tendered = checkout.exact_card(checkout.amount_due(ticket, advance=None))
    return shop.confirmed(core, ticket, tendered, in_whole_dinars=False).key


async def _ended(world: shop.World, key: str) -> Sale:
    async with asyncio.timeout(_PATIENCE):
        while (sale := world.till_core.database.sales.sale(key)).state is not SaleState.DONE:
            await asyncio.sleep(0.01)
            assert isinstance(world.clock, shop.PersonsClock)
            world.clock.go_on(100)
    return sale


async def test_every_fate_of_a_line_leads_to_one_receipt(template: Path, tmp_path: Path) -> None:
    judge = Judge()
    async with shop.opened(template, tmp_path / "shop") as world:
        await _ended(world, sell_one(world, shop.MILK))
        for planned, fates in (
            (world.to_server, tuple(Fate)),
            (world.to_processor, FATES_OF_PROCESSOR),
        ):
            for fate in fates:
                planned.append(fate)
                await _ended(world, sell_one(world, shop.BREAD))
                planned.clear()
        sales = world.till_core.database.sales.last(100)
        judge.wishes = {one.key: "a sale" for one in sales}
        judge.judge(sales, world.ledger)
    assert len(sales) == 1 + len(Fate) + len(FATES_OF_PROCESSOR)
    assert {one.partition(" ")[2] for one in world.hits} == set(Fate)


async def test_the_judge_finds_what_nobody_meant_and_what_is_lost(
    template: Path, tmp_path: Path
) -> None:
    async with shop.opened(template, tmp_path / "shop") as world:
        sale = await _ended(world, sell_one(world, shop.BREAD))
        judge = Judge()
        with pytest.raises(Fault, match="nobody meant"):
            judge.judge([sale], world.ledger)
        judge.note("a press", [sale], is_wish=True)
        judge.judge([sale], world.ledger)
        with pytest.raises(Fault, match="are lost"):
            judge.judge([], world.ledger)
        with pytest.raises(Fault, match="nobody asked for"):
            judge.note("a scan", [sale], is_wish=False)
        with pytest.raises(Fault, match="does not exist"):
            judge.judge([sale], template / "processor")
