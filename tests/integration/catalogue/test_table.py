"""The manager's table over a real catalogue.db, and planned prices in every read of the till."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.adapters.sqlite.catalogue.table import SqliteCatalogueTable
from pos_app.domain.article.product import Variant
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.catalogue import EditMark
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.table import TableChoice, TableOrder
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.fakes.inner_connection import connection_of
from tests.integration.catalogue.test_sheets import product

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
NAMES = ("Вода", "Сир млади", "Бурек са сиром", "Сирће", "Јогурт")


@dataclass
class Desk:
    """A catalogue of five products, and what time it is."""

    path: Path
    now: datetime = NOW

    def __post_init__(self) -> None:
        self.editor = SqliteCatalogueEditor(self.path)
        for number, name in enumerate(NAMES, 1):
            made = product(f"p{number}", name, sku=number, price=Money(100 - number))
            self.editor.record(NewEdit.adding(made, by="Мира", at=NOW))
        self.table = SqliteCatalogueTable(self.path, now=lambda: self.now)
        self.catalogue = SqliteCatalogue(self.path, now=lambda: self.now)

    def close(self) -> None:
        for each in (self.editor, self.table, self.catalogue):
            each.close()

    def names(self, choice: TableChoice) -> list[str]:
        rows = self.table.page(choice, offset=0, limit=50)
        assert self.table.count(choice) == len(rows)
        assert set(self.table.products(choice)) == {row.product_id for row in rows}
        return [row.name for row in rows]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "catalogue.db")
    yield made
    made.close()


def test_rows_come_sorted_as_asked(desk: Desk) -> None:
    by_name = ["Бурек са сиром", "Вода", "Јогурт", "Сир млади", "Сирће"]
    assert desk.names(TableChoice()) == by_name, "as the alphabet has it"
    assert desk.names(TableChoice(order=TableOrder.NAME)) == by_name
    down = TableChoice(order=TableOrder.CODE, descending=True)
    assert desk.names(down) == list(reversed(NAMES))
    assert desk.names(TableChoice(order=TableOrder.PRICE)) == list(reversed(NAMES))
    assert desk.table.index(down, "p1") == 4
    assert desk.table.index(down, "nobody") is None


def test_a_search_is_by_fit_until_a_column_is_chosen(desk: Desk) -> None:
    assert desk.names(TableChoice("sir")) == ["Сир млади", "Сирће", "Бурек са сиром"]
    by_code = TableChoice("sir", order=TableOrder.CODE)
    assert desk.names(by_code) == ["Сир млади", "Бурек са сиром", "Сирће"]
    assert desk.names(TableChoice("xyz", order=TableOrder.CODE)) == []
    assert desk.names(TableChoice("%", order=TableOrder.CODE)) == []


def test_what_waits_can_be_shown_alone(desk: Desk) -> None:
    assert len(desk.names(TableChoice(edits=EditMark.WAITING))) == 5
    assert desk.names(TableChoice("sir", edits=EditMark.CONFLICT)) == []
    assert desk.names(TableChoice(category_id="none")) == []


def test_a_planned_price_holds_from_its_hour_until_its_end(desk: Desk) -> None:
    begins, ends = NOW + timedelta(hours=1), NOW + timedelta(hours=2)
    plan = PlannedPrice("p2", Money("50"), begins, ends)
    desk.editor.plan_price(plan, by="Мира", at=NOW)
    for moment, price in (
        (NOW, "98.00"),
        (begins - timedelta(microseconds=1), "98.00"),
        (begins, "50.00"),
        (ends - timedelta(microseconds=1), "50.00"),
        (ends, "98.00"),
    ):
        assert plan.holds_at(moment) is (price == "50.00")
        before = desk.catalogue.generation()
        desk.now = moment
        article = desk.catalogue.article("p2")
        rows = (
            *desk.catalogue.page("sir mladi"),
            *desk.table.page(TableChoice("2"), offset=0, limit=1),
        )
        assert {str(article.price), *(str(row.price) for row in rows)} == {price}, moment
        changed = desk.catalogue.generation() != before
        assert changed == (moment in (begins, ends)), "the picker is told that prices changed"
    desk.editor.drop_plan("p2", by="Мира", at=NOW)
    desk.now = begins
    assert desk.catalogue.article("p2").price == Money("98")


def test_a_planned_price_of_a_variant_is_in_the_range_of_its_row(desk: Desk) -> None:
    variant = Variant(id="v1", name="парче", tax_label=TaxLabel.E, price=Money("80"))
    variants = (variant, replace(variant, id="v2", price=Money("90")))
    many = product("many", "Качкаваљ", has_variants=True, variants=variants)
    desk.editor.record(NewEdit.adding(many, by="Мира", at=NOW))
    desk.editor.plan_price(PlannedPrice("v2", Money("10"), NOW), by="Мира", at=NOW)
    row = desk.catalogue.page("kackavalj")[0]
    assert (row.price, row.highest) == (Money("10"), Money("80"))


def test_the_server_charges_a_planned_price_too(desk: Desk) -> None:
    """Another program that sends only a code is charged the till's price."""
    long_ago, tomorrow = datetime(2020, 1, 1, tzinfo=UTC), datetime.now(UTC) + timedelta(days=1)
    desk.editor.plan_price(PlannedPrice("p1", Money("7.50"), long_ago), by="Мира", at=NOW)
    desk.editor.plan_price(PlannedPrice("p2", Money("7.50"), tomorrow), by="Мира", at=NOW)
    over = PlannedPrice("p3", Money("1"), long_ago, NOW - timedelta(days=9))
    desk.editor.plan_price(over, by="М", at=NOW)
    connection = connection_of(desk.editor)
    rows = connection.execute("SELECT sku, price FROM article_v1 WHERE sku <= 3 ORDER BY sku")
    assert rows.fetchall() == [(1, "7.50"), (2, "98.00"), (3, "97.00")]
