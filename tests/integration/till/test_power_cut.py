"""The power is cut at any write: what was confirmed is there, with every item of its cart.

A file system in Python keeps each write and sync. A cut keeps all writes before the file's last
sync, and of the later ones whichever chance leaves.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import pytest

from pos_app.adapters.sqlite.till import open_till
from pos_app.selling import sell
from pos_app.selling.life import SaleState
from pos_app.selling.sell import Added
from tests.fakes.counter import Counter
from tests.fakes.till import BREAD, CASHIER, MILK

TILL = "till-1"
CUTS = 150
GONE = -1


@dataclass
class Disk:
    """What was written, in order.

    A step is (file, offset, bytes), (file, new size), (file, GONE) or, for a sync, (file,).
    """

    steps: list[tuple[Any, ...]] = field(default_factory=list)
    is_on: bool = True

    def note(self, *step: Any) -> None:
        """Keep a step, until the power is off."""
        if self.is_on:
            self.steps.append(step)

    def after_cut(self, at: int, chance: random.Random) -> dict[str, bytearray]:
        """The files as a cut after `at` steps leaves them."""
        synced = {step[0]: index for index, step in enumerate(self.steps[:at]) if len(step) == 1}
        files: dict[str, bytearray] = {}
        for index, step in enumerate(self.steps[:at]):
            content = files.setdefault(step[0], bytearray())
            if step[1:] == (GONE,):
                del files[step[0]]
                continue
            if index > synced.get(step[0], -1) and chance.random() < 0.5:
                continue
            if len(step) == 2:
                del content[step[1] :]
            if len(step) == 3:
                _, offset, written = step
                content.extend(bytes(max(0, offset - len(content))))
                content[offset : offset + len(written)] = written
        return files


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, base: str, name: Any, flags: list[int]) -> None:
        told = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._name = Path(told).name if told else ""
        self._disk = disk
        super().__init__(base, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.note(self._name, offset, bytes(data))
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        self._disk.note(self._name, size)
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        self._disk.note(self._name)


class _Vfs(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._base = apsw.vfs_names()[0]
        super().__init__("recording", self._base, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> _File:
        return _File(self._disk, self._base, name, flags)

    def xDelete(self, name: str, syncdir: bool) -> None:
        super().xDelete(name, syncdir)
        self._disk.note(Path(name).name, GONE)


@pytest.fixture
def disk() -> Iterator[Disk]:
    """Everything that SQLite writes is recorded."""
    recorded = Disk()
    vfs = _Vfs(recorded)
    yield recorded
    vfs.unregister()


@dataclass(frozen=True)
class Promise:
    """From this step on the sale is there, in this state or a later one, with so many lines."""

    step: int
    key: str
    state: SaleState
    lines: int


def a_day(folder: Path, disk: Disk) -> list[Promise]:
    """Sales with one to five items, some sent before the next; with what was promised when."""
    database = open_till(folder, till_id=TILL)
    counter = Counter(database)
    promises: list[Promise] = []
    counter.outbox.listen(
        on_sale=lambda sale: promises.append(Promise(len(disk.steps), sale.key, sale.state, 0))
    )
    for number in range(1, 9):
        basket = sell.start(till=counter.till, cashier=CASHIER)
        for article in [MILK, BREAD][: number % 3]:
            added = sell.add_item(till=counter.till, basket=basket, article=article)
            assert isinstance(added, Added)
            basket = added.basket
        key = counter.sell().key
        lines = len(database.carts.cart_of(database.sales.sale(key).cart_id).cart.lines)
        promises.append(Promise(len(disk.steps), key, SaleState.FROZEN, lines))
        if number % 2:
            asyncio.run(counter.steps(4))
        if number == 5:
            database._log_pages, database._written_at = 10_000, 0.0
            database.tidy()
    database.close()
    return promises


ORDER = [SaleState.FROZEN, SaleState.SENDING, SaleState.DONE]


def test_a_confirmed_sale_survives_every_cut(disk: Disk, tmp_path: Path) -> None:
    promises = a_day(tmp_path / "before", disk)
    disk.is_on = False
    chance = random.Random(7)
    first = promises[0].step
    for number in range(CUTS):
        at = chance.randint(first, len(disk.steps))
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, content in disk.after_cut(at, chance).items():
            (folder / name).write_bytes(content)

        database = open_till(folder, till_id=TILL)
        assert database._connection.pragma("integrity_check") == "ok"
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
    basket = sell.start(till=counter.till, cashier=CASHIER)
    before = len(disk.steps)
    for _ in range(20):
        added = sell.add_item(till=counter.till, basket=basket, article=BREAD)
        assert isinstance(added, Added)
        basket = added.basket
    scans = disk.steps[before:]
    assert scans
    assert [step for step in scans if len(step) == 1] == []

    before = len(disk.steps)
    counter.sell()
    assert disk.steps[-1] == ("till.db-wal",)
    assert ("till.db-wal",) in disk.steps[before:]
    assert {step[0] for step in disk.steps[before:]} == {"till.db-wal"}
    database.close()
