"""An import that a platform already knows is taken back here and, with the next run, there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from pos_app.adapters.catalogue_files.catalogue_process import CatalogueProcess
from pos_app.domain.money.tax import PUBLISHED_RATES
from pos_app.selling.catalogue import bulk_change
from pos_app.selling.catalogue.bulk_act import ActDone
from pos_app.selling.catalogue.files import ImportPlan
from pos_app.selling.catalogue.taking_back import Undone
from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.fakes.many_articles import last_of, planned_rows
from tests.integration.catalogue.test_sheets import ended
from tests.integration.synchronise import conftest

HEAD = "Шифра;Назив;Цена;Порез;Јединица;Група;Остали бар-кодови;Омиљено"


@dataclass
class Files:
    """Imports of a till, and their undoing, in the real process."""

    till: conftest.TillBeside
    process: CatalogueProcess

    def bring(self, *rows: str, head: str = HEAD) -> None:
        sheet = self.till.folder / "sheet.csv"
        sheet.write_text("\n".join([head, *rows]))
        plan = ended(self.process.plan_import(sheet, label=None, rates=PUBLISHED_RATES))
        assert isinstance(plan, ImportPlan), plan
        assert plan.bad == 0, plan.bad_cells
        ended(self.process.carry_out(plan, name="cene.csv", by="Мира"))

    def take_back(self) -> Undone:
        told = ended(self.process.take_back(last_of(self.till.desk), by="Мира"))
        assert isinstance(told, Undone), told
        return told


@pytest.fixture
def files(till: conftest.TillBeside) -> Iterator[Files]:
    made = Files(
        till, CatalogueProcess(till.folder, codes=conftest.CODES, command=child(CATALOGUE_FILES))
    )
    yield made
    made.process.close()


def test_what_was_added_goes_there_too(
    platform: conftest.Platform, till: conftest.TillBeside, files: Files
) -> None:
    bread = platform.add(name="Хлеб", price=100, sku=1)
    till.sync()
    files.bring(
        "9;Нови;5;Ђ;комад;Ново;2100123;да", ";Још један;7;Ђ;kg;Ново, Старо;;", "1;;120;;;;;"
    )
    assert till.sync().pushed.sent == 3
    assert files.take_back() == Undone(3)
    assert till.prices() == {"Хлеб": "100.00"}
    till.sync()
    assert [(one["id"], one["price"]) for one in platform.live().values()] == [(bread["id"], 100)]
    assert (till.open(), till.prices()) == ([], {"Хлеб": "100.00"})


def test_variants_go_there_too(
    platform: conftest.Platform, till: conftest.TillBeside, files: Files
) -> None:
    bread = platform.add(name="Хлеб", price=100, sku=1)
    till.sync()
    head = "Шифра;Варијанта артикла;Варијанта;Цена;Порез"
    files.bring("61;Хлеб;сечен;65;", "62;Пита;мала;90;Е", "63;Пита;велика;150;Е", head=head)
    till.sync()
    till.sync()
    assert files.take_back().left_names == ()
    till.sync()
    assert [one["id"] for one in platform.live().values()] == [bread["id"]]
    assert not platform.live()[bread["id"]].get("variants")
    assert (till.open(), till.prices()) == ([], {"Хлеб": "100.00"})


def test_prices_of_what_the_platform_got_meanwhile_are_as_they_were(
    platform: conftest.Platform, till: conftest.TillBeside, files: Files
) -> None:
    till.sync()
    new = till.add("Нови", 100)
    change = bulk_change.price_change("10", bulk_change.Rounding.PARA)
    assert isinstance(change, bulk_change.PriceByPercent)
    rows = planned_rows(till.shelf, [new.product_id], change)
    done = ended(files.process.change(rows, by="Мира"))
    assert isinstance(done, ActDone)
    assert (done.error, done.kept) == (None, ())
    till.sync()
    assert till.prices() == {"Нови": "110.00"}
    assert files.take_back() == Undone(1)
    till.sync()
    assert [one["price"] for one in platform.live().values()] == [100]


def test_what_the_platform_changed_or_deleted_stays_and_is_named(
    platform: conftest.Platform, till: conftest.TillBeside, files: Files
) -> None:
    till.sync()
    files.bring("9;Нови;5;Ђ;;;;", "10;Други;7;Ђ;;;;", "11;Трећи;8;Ђ;;;;")
    till.sync()
    there = {one["name"]: one["id"] for one in platform.live().values()}
    platform.change(there["Нови"], price=6)
    platform.remove(there["Други"])
    till.sync()
    assert files.take_back() == Undone(1, ("Други", "Нови"), 2)
    till.sync()
    assert till.prices() == {"Нови": "6.00"}
    assert [one["name"] for one in platform.live().values()] == ["Нови"]


def test_what_the_platform_had_before_is_not_deleted_there(
    platform: conftest.Platform, till: conftest.TillBeside, files: Files
) -> None:
    """Somebody else added the same goods: the till did not make them, so it does not delete
    them."""
    till.sync()
    files.bring("9;Нови;5;Ђ;;;;")
    (row,) = till.rows().values()
    platform.add(name="Нови", price=5, sku=9, taxRateLabel="Ђ")
    till.sync()
    assert [one.product_id for one in till.rows().values()] != [row.product_id]
    assert files.take_back() == Undone(0, ("Нови",), 1)
    till.sync()
    assert till.prices() == {"Нови": "5.00"}
    assert [one["name"] for one in platform.live().values()] == ["Нови"]
