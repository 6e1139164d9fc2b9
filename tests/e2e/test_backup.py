"""A backup is made while a till sells, restored into another computer's folder, and sold on."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.adapters.backup.sets import found_sets
from pos_app.bootstrap.commands.check import WARNED, WHOLE
from tests.e2e import audit
from tests.e2e.real_shop import BY, at_work, brought_to_its_end
from tests.e2e.restored import served
from tests.e2e.shop import Program, Shop
from tests.e2e.test_restored_till import count_each
from tests.proofs import Proof
from tests.sweep import sampled

pytestmark = pytest.mark.faults
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
    assert oldest.holds is not None
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
    with served(new):
        async with at_work(new) as till:
            await brought_to_its_end(till, new)
            await till.core.doubts.close_restored(by=BY)
            sold = [till.sell().key for _ in range(3)]
            await brought_to_its_end(till, new)
    assert max(count_each(new, proof).values()) == 1
    assert len(audit.ledger(new)) == lost + len(sold)
