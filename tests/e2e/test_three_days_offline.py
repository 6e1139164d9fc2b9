"""Three days offline, 200 edits on both sides, then a bad connection returns: real programs.

Nothing is overwritten in silence: each conflict is named, and after a person's answers both sides
agree with the decisions.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.bootstrap.synchronisation.sync import AWAY, DONE, WAITING
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.catalogue import create_for_code
from pos_app.selling.synchronisation import catalogue_edits
from tests.e2e.nursery import door
from tests.e2e.shop import Program
from tests.fakes.our_platform import OurPlatform
from tests.integration.platform_api.serving import key_of_new_account
from tests.ports import free_ports

CODES = range(5_000_000, 5_001_000)
BEGAN = datetime(2026, 11, 18, 6, 0, tzinfo=UTC)
DAYS = timedelta(days=3)
EDITS = 200
WHAT = {
    "same field": 40,
    "same value": 20,
    "other fields": 40,
    "ours alone": 30,
    "theirs alone": 30,
    "changed there": 15,
    "deleted there": 15,
    "deleted by both": 5,
}
"""The number of products for each pair of edits; "changed there" was deleted here, "deleted there"
changed."""
Facts = tuple[str, int, str]
"""Name, price, subtitle."""
SAME_SKU, ADDED = 20, 15
"""Products made on both sides: with one article code, and with codes of their own."""
assert sum(WHAT.values()) - 30 + SAME_SKU + ADDED == EDITS


@dataclass
class Shop:
    """A till's catalogue and the platform's programs. ids: of the products by their first name."""

    folder: Path
    port: int
    platform: OurPlatform
    shelf: SqliteCatalogue
    desk: SqliteCatalogueEditor
    ids: dict[str, str] = field(default_factory=dict)
    acts: int = 0

    def run(self, *words: str, name: str) -> Program:
        environment = {"POS_APP_PLATFORM_SECRET": self.platform.secret}
        log = self.folder / f"{name}.log"
        return Program(["-m", "pos_app", *words], env=environment, errors=log, nursery=door())

    @contextmanager
    def line(self) -> Iterator[Program]:
        """While inside, the platform runs."""
        place = ["--data", str(self.folder / "there"), "--port", str(self.port)]
        program = self.run("platform", *place, name="platform")
        try:
            program.until(lambda: program.lines("http") or program.is_over)
            yield program
        finally:
            program.stop()
            program.close()

    def sync(self, *words: str) -> int:
        program = self.run("sync", *words, "--data", str(self.folder / "till"), name="sync")
        status = program.wait()
        program.close()
        return status

    def act(self) -> datetime:
        """The instant of the next act here, of those of three days."""
        self.acts += 1
        return BEGAN + DAYS * self.acts / EDITS

    def change(self, name: str, **changes: Any) -> None:
        product, at = self.ids[name], self.act()
        self.desk.record(
            catalogue_edits.NewEdit.changing(product, product, changes, by="Мира", at=at)
        )

    def open(self) -> dict[str, catalogue_edits.CatalogueEdit]:
        return {edit.product_id: edit for edit in self.desk.edits(catalogue_edits.OPEN)}

    def shown(self) -> dict[str, Facts]:
        """The till's articles by id."""
        rows = {row.product_id: row for row in self.shelf.page(limit=1000)}
        return {key: (row.name, _plain(row.price), row.subtitle or "") for key, row in rows.items()}

    def there(self) -> dict[str, Facts]:
        live = self.platform.live()
        return {
            key: (one["name"], one["price"], one["subtitle"] or "") for key, one in live.items()
        }


def _plain(price: Money | None) -> int:
    assert price is not None
    return int(price.amount)


@contextmanager
def opened(folder: Path) -> Iterator[Shop]:
    there, till = folder / "there", folder / "till"
    there.mkdir()
    till.mkdir()
    key, secret = key_of_new_account(there)
    (port,) = free_ports(1)
    platform = OurPlatform(folder=there)
    platform.key, platform.secret = key, secret
    platform.url = f"http://127.0.0.1:{port}/v2"
    codes = f"sku_from = {CODES.start}\nsku_to = {CODES.stop - 1}\n"
    told = f'[platform]\nurl = "{platform.url}"\nkey = "{key}"\n{codes}'
    (till / "settings.toml").write_text(told, encoding="utf-8")
    path = catalogue_file(till)
    with SqliteCatalogue(path) as shelf, SqliteCatalogueEditor(path, codes=CODES) as desk:
        yield Shop(folder, port, platform, shelf, desk)
        platform.hang_up()


def names_of(what: str) -> list[str]:
    return [f"{what} {number:02}" for number in range(WHAT[what])]


def days_here(shop: Shop) -> dict[str, str]:
    """The manager's 200 edits; returns ids of the products that were made here, by name."""
    for number, name in enumerate(names_of("same field")):
        shop.change(name, price=Money(1000 + number))
    for what in ("same value", "other fields", "ours alone", "deleted there"):
        for number, name in enumerate(names_of(what)):
            shop.change(name, price=Money(3000 + number))
    for what in ("changed there", "deleted by both"):
        for name in names_of(what):
            shop.desk.record(
                catalogue_edits.NewEdit.deleting(shop.ids[name], by="Мира", at=shop.act())
            )
    made: dict[str, str] = {}
    for number in range(SAME_SKU + ADDED):
        name = f"made here {number:02}"
        made[name] = str(uuid.uuid4())
        create_for_code(
            shop.desk,
            product_id=made[name],
            name=name,
            label=TaxLabel.E,
            price=Money(500 + number),
            by="Мира",
            at=shop.act(),
        )
    assert shop.acts == EDITS
    return made


def days_there(shop: Shop) -> None:
    """Another person's 200 edits at the platform."""
    platform, ids = shop.platform, shop.ids
    for number, name in enumerate(names_of("same field")):
        platform.change(ids[name], price=2000 + number)
    for number, name in enumerate(names_of("same value")):
        platform.change(ids[name], price=3000 + number)
    for what in ("other fields", "theirs alone", "changed there"):
        for name in names_of(what):
            platform.change(ids[name], subtitle=f"their {name}")
    for what in ("deleted there", "deleted by both"):
        for name in names_of(what):
            platform.remove(ids[name])
    for number in range(SAME_SKU):
        platform.add(name=f"made there {number:02}", price=700, sku=CODES.start + number)
    for number in range(ADDED):
        platform.add(name=f"other there {number:02}", price=800)


@pytest.mark.long
@pytest.mark.deadline(240)
def test_the_line_returns_after_three_days(tmp_path: Path) -> None:
    with opened(tmp_path) as shop:
        with shop.line():
            for what in WHAT:
                for name in names_of(what):
                    shop.ids[name] = shop.platform.add(name=name, price=100, subtitle="old")["id"]
            assert shop.sync() == DONE
            assert shop.shown() == shop.there()
        made = days_here(shop)
        assert shop.sync() == AWAY
        with shop.line():
            days_there(shop)
        line_returns_badly(shop)
        with shop.line():
            before = shop.there()
            each_conflict_is_named(shop, made, before)
            answered(shop, made)
            assert shop.sync() == DONE
            assert shop.open() == {}
            there = shop.there()
            assert shop.shown() == there
            assert sorted(there.values()) == sorted(decided_facts())


def line_returns_badly(shop: Shop) -> None:
    """The synchronisation is killed, and the platform during another one; then everything goes
    on."""
    with shop.line() as platform:
        for victim in ("sync", "platform"):
            program = shop.run("sync", "--data", str(shop.folder / "till"), name=victim)
            until_some_were_sent(shop, program)
            (program if victim == "sync" else platform).kill()
            program.wait()
            program.close()
    assert len(shop.open()) > 70, "it was killed too late to be of use"
    with shop.line():
        assert shop.sync("--accept-removals") == WAITING


def until_some_were_sent(shop: Shop, program: Program) -> None:
    before = len(shop.open())
    program.until(lambda: program.is_over or len(shop.open()) < before)


def each_conflict_is_named(shop: Shop, made: dict[str, str], there: dict[str, Facts]) -> None:
    found = {
        product: [(one.field, one.base, one.ours, one.theirs) for one in edit.conflicts]
        for product, edit in shop.open().items()
    }
    expected: dict[str, Any] = {}
    for number, name in enumerate(names_of("same field")):
        told = ("price", Money(100), Money(1000 + number), Money(2000 + number))
        expected[shop.ids[name]] = [told]
        assert there[shop.ids[name]] == (name, 2000 + number, "old"), "overwritten in silence"
    for name in names_of("changed there"):
        expected[shop.ids[name]] = [("deleted", False, True, False)]
        assert there[shop.ids[name]] == (name, 100, f"their {name}")
    for name in names_of("deleted there"):
        expected[shop.ids[name]] = [("deleted", False, False, True)]
        assert shop.ids[name] not in there
    for number in range(SAME_SKU):
        code = CODES.start + number
        name = f"made here {number:02}"
        product = made[name]
        # What else the platform's article of this code has stands beside ours.
        expected[product] = [
            ("sku", None, code, code),
            ("name", None, name, f"made there {number:02}"),
            ("price", None, Money(500 + number), Money(700)),
        ]
        assert product not in there
    assert found == expected


def answered(shop: Shop, made: dict[str, str]) -> None:
    """A person's answers: ours for products of an even number, theirs for the others."""
    names = {product: name for name, product in (shop.ids | made).items()}
    for product, edit in shop.open().items():
        side = (catalogue_edits.EditSide.OURS, catalogue_edits.EditSide.THEIRS)[
            int(names[product][-2:]) % 2
        ]
        shop.desk.decide(edit.id, {one.field: side for one in edit.conflicts}, at=BEGAN + DAYS)


def decided_facts() -> Iterator[Facts]:
    """The facts that both sides have in the end."""
    for what in ("same field", "same value", "other fields", "ours alone", "theirs alone"):
        for number, name in enumerate(names_of(what)):
            price = {"same field": (1000, 2000)[number % 2] + number, "theirs alone": 100}
            is_theirs = what in ("other fields", "theirs alone")
            yield name, price.get(what, 3000 + number), f"their {name}" if is_theirs else "old"
    yield from ((name, 100, f"their {name}") for name in names_of("changed there")[1::2])
    for number, name in tuple(enumerate(names_of("deleted there")))[::2]:
        yield name, 3000 + number, "old"
    for number in (*range(0, SAME_SKU, 2), *range(SAME_SKU, SAME_SKU + ADDED)):
        yield f"made here {number:02}", 500 + number, ""
    yield from ((f"made there {number:02}", 700, "") for number in range(SAME_SKU))
    yield from ((f"other there {number:02}", 800, "") for number in range(ADDED))
