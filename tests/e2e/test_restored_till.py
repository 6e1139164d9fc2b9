"""A till that was restored from a copy or a backup: nobody gets another's receipt, and the frozen
sales of the copy have one receipt each."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.adapters.backup.sets import found_sets
from pos_app.bootstrap.commands.check import WARNED, WHOLE
from pos_app.bootstrap.till.core import open_till_core
from pos_app.selling.sale import sell
from pos_app.selling.sale.sell import ItemAdded
from tests.e2e import audit, robot
from tests.e2e.real_shop import BY, at_served, brought_to_its_end
from tests.e2e.restored import copied
from tests.e2e.shop import Program, Shop
from tests.proofs import Proof
from tests.sweep import sampled, turns

FOLDERS = {"till": ["till"], "journal": ["journal"], "both": ["till", "journal"], "folder": ["."]}
"""The folders that are restored."""
pytestmark = pytest.mark.faults


def count_each(shop: Shop, proof: Proof) -> Counter[str | None]:
    """Each sale has its one receipt."""
    signed = Counter(entry.request_id for entry in audit.ledger(shop))
    for sale in audit.frozen_sales(shop.data):
        proof.count(signed=signed[sale.request_id])
    assert (proof.lost, proof.doubled) == (0, 0)
    return signed


async def a_morning(shop: Shop) -> str:
    """Two sales, a waiting one, and an open cart; returns the key of the waiting one."""
    async with at_served(shop) as till:
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
    async with at_served(shop) as till:
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
    async with at_served(shop) as till:
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


SALES = 80
BEFORE = 5
"""Sales that have receipts when the first backup begins."""


def command(shop: Shop, *words: str) -> Program:
    program = shop.run("-m", "pos_app", *words, name=words[0])
    program.wait()
    return program


@pytest.mark.parametrize("remember", sampled(["last", "all"]))
async def test_it_is_sold_on_from_a_backup_made_while_selling(
    shop: Shop, tmp_path: Path, remember: str, proof: Proof
) -> None:
    shop.processor()
    shop.change(delay_ms=50)  # several backups are made while these are sold
    robot = shop.robot(total=SALES, own_server=True)
    robot.until(lambda: len(robot.lines("done")) >= BEFORE)
    made = 0
    while not robot.is_over:
        made += 1
        program = command(shop, "backup", "--data", str(shop.data))
        assert program.wait() == 0, program.errors()
        if made > 1:
            shop.change(delay_ms=0)  # the sales may end
    assert robot.wait() == 0, robot.errors()
    assert audit.faults(shop) == []
    assert made > 1, "nothing was sold beside it"
    oldest, second = found_sets(shop.data, "")[-1], found_sets(shop.data, "")[-2]
    for one in (oldest, second):
        checked = command(shop, "check", "--data", one.folder)
        assert checked.wait() == WHOLE, checked.errors()
    assert BEFORE <= oldest.holds.sales < SALES
    # The shop's computer is lost: another one has its processor, and the backup.
    lost = len(audit.ledger(shop))
    shop.folder = shop.folder.rename(tmp_path / "lost")
    place = Path(found_sets(shop.data, "")[-1].folder)
    new = Shop(tmp_path / "new", shop.port, shop.processor_port, shop.control_port)
    (new.folder / "pfr").parent.mkdir()
    (new.folder / "pfr").symlink_to(shop.folder / "pfr")
    new.nursery = shop.nursery
    try:
        await sold_on(new, place, remember, lost, proof)
    finally:
        new.close()


async def sold_on(new: Shop, place: Path, remember: str, lost: int, proof: Proof) -> None:
    restored = command(new, "restore", str(place), "--data", str(new.data))
    assert restored.wait() == 0, restored.errors()
    checked = command(new, "check", "--data", str(new.data))
    assert checked.wait() == WARNED, checked.errors()
    assert any("put back from a backup" in " ".join(line) for line in checked.lines())
    new.change(remember=remember, delay_ms=0)
    async with at_served(new) as till:
        await brought_to_its_end(till, new)
        await till.core.doubts.close_restored(by=BY)
        sold = [till.sell().key for _ in range(3)]
        await brought_to_its_end(till, new)
    assert (max(count_each(new, proof).values()), len(audit.ledger(new))) == (1, lost + len(sold))
