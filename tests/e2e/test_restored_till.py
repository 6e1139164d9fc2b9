"""A till that was restored from a copy or a backup: nobody gets another's receipt, and the frozen
sales of the copy have one receipt each."""

from __future__ import annotations

import asyncio
import shutil
import signal
from collections import Counter
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.adapters.backup.sets import found_sets
from pos_app.adapters.data_folder import JOURNAL
from pos_app.adapters.sqlite.database import open_reader
from pos_app.bootstrap.commands.check import WARNED, WHOLE
from pos_app.bootstrap.till.core import open_till_core
from pos_app.selling.sale import sell
from pos_app.selling.sale.sell import ItemAdded
from pos_app.selling.sale.state import SaleState
from tests.e2e import audit, robot
from tests.e2e.real_shop import BY, at_served, brought_to_its_end, until
from tests.e2e.restored import copied
from tests.e2e.shop import Program, Shop
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


@pytest.mark.parametrize(
    ("how", "remember"), sampled(product(["older", "missing"], ["last", "all"]))
)
async def test_nobody_is_asked_about_what_the_processor_is_proven_not_to_have(
    shop: Shop, tmp_path: Path, how: str, remember: str, proof: Proof
) -> None:
    """A processor that keeps the last receipt alone has lost the one before the waiting sales."""
    shop.processor()
    async with at_served(shop) as till:
        await till.done(till.sell(), till.sell())
    copy = copied(shop.data / "journal", tmp_path / "copy")
    async with at_served(shop) as till:
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
    async with at_served(shop) as till:
        asked = await brought_to_its_end(till, shop)
    forgotten = {one.key for one in waiting} if remember == "last" else set[str]()
    assert (asked, len(audit.ledger(shop))) == (forgotten, before + len(waiting))
    count_each(shop, proof)


async def test_a_drop_outlives_the_loss_of_the_journal(shop: Shop, proof: Proof) -> None:
    """The processor is proven to have no receipt, and the sale ends cancelled, never sent."""
    shop.processor()
    waits = await a_morning(shop)
    with open_till_core(settings.load(shop.data)) as core:
        core.outbox.cancel(waits, reason="одустао")
        await core.let_go()
    before = len(audit.ledger(shop))
    shutil.rmtree(shop.data / "journal")
    async with at_served(shop) as till:
        asked = await brought_to_its_end(till, shop)
        dropped = till.core.database.sales.sale(waits)
        assert (dropped.state, asked) == (SaleState.CANCELLED, set())
    assert len(audit.ledger(shop)) == before
    count_each(shop, proof, dropped=waits)


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


async def test_a_sale_that_waited_for_its_turn_in_a_backup_is_not_sent_again(
    shop: Shop, proof: Proof
) -> None:
    """The first sale of a shop is accepted, and not sent yet, when the backup is made. A processor
    that keeps the last receipt alone does not tell later that it has one of that sale."""
    processor = shop.processor()
    shop.change(remember="last")
    async with at_served(shop) as till:
        processor.child.send_signal(signal.SIGSTOP)  # the server waits for its status
        waited = till.sell()
        await until(lambda: last_state(shop) == "queued")
        backup = await asyncio.to_thread(command, shop, "backup", "--data", str(shop.data))
        assert backup.wait() == 0, backup.errors()
        processor.child.send_signal(signal.SIGCONT)
        await till.done(waited, till.sell())
    before = len(audit.ledger(shop))
    ((_, place),) = backup.lines("Backup:")
    restored = command(shop, "restore", place, "--data", str(shop.data), "--accept-missing")
    assert restored.wait() == 0, restored.errors()
    async with at_served(shop) as till:
        asked = await brought_to_its_end(till, shop)
    assert (asked, len(audit.ledger(shop))) == ({waited.key}, before)
    count_each(shop, proof)


def last_state(shop: Shop) -> str | None:
    """The state that the server's journal was brought to last."""
    with closing(open_reader(shop.data / JOURNAL)) as journal:
        found: str | None = journal.execute(
            "SELECT state FROM attempts WHERE row = (SELECT max(row) FROM attempts)"
        ).get
    return found
