"""Tiles and rows of the picker in words."""

from __future__ import annotations

from dataclasses import replace

from pos_app.cashier.sale.picker_rows import can_be_sold, list_row_of, tile_of
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.words.article_texts import initials, price_text
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.catalogue import CatalogueRow, EditMark
from tests.sweep import each

ROW = CatalogueRow(
    product_id="p",
    article_id="a",
    articles=1,
    sku=2088,
    ean=None,
    name="Сир млади домаћи",
    subtitle="",
    label=TaxLabel.E,
    price=Money(899),
    highest=Money(899),
    unit="kg",
    by_weight=True,
    asks_price=False,
    pinned=True,
    category_ids=("d13944cb-1308-521d-8521-098b301dca12",),
    picture=None,
    edits=EditMark.NONE,
)
PIECE = replace(ROW, by_weight=False, unit="ком")


@each(
    ("name", "letters"),
    [
        ("Хлеб бели Сава 500 g", "Хб"), ("Бурек са месом 250 g", "Бм"), ("Переца", "Пе"),
        ("Вода минерална 1,5 l", "Вм"), ("Јогурт 2,8 % 1 l", "Јо"), ("Јаја M 10 комада", "Јк"),
        ("7 Days", "Da"), ("7", "7"), ("кифла", "Ки"),
    ],
)  # fmt: skip
def test_initials(name: str, letters: str) -> None:
    assert initials(name) == letters


def test_a_row_with_its_hits() -> None:
    row = list_row_of(ROW, Texts(), query="sir dom")
    assert row.hits == ((0, 3), (10, 13))
    assert (row.code, row.price, row.unit, row.variants) == ("2088", "899,00", "kg", "")


def test_one_variant_of_open_price_hides_no_unit_of_the_cheapest() -> None:
    row = replace(ROW, articles=2, article_id=None, highest=Money(990), asks_price=True)
    tile = tile_of(row, Texts())
    assert (tile.price, tile.per_unit) == ("од 899,00", "за 1\u00a0kg")
    typed = replace(row, articles=1)
    assert (tile_of(typed, Texts()).price, tile_of(typed, Texts()).per_unit) == (
        "слободна цена",
        "",
    )


def test_a_price_that_is_typed_and_one_that_is_not_there() -> None:
    typed = replace(PIECE, price=None, highest=None, asks_price=True)
    assert price_text(typed, Texts()) == "слободна цена"
    assert can_be_sold(typed)
    none = replace(PIECE, price=None, highest=None, articles=0, article_id=None)
    assert not can_be_sold(none)
    assert tile_of(none, Texts()).refusal == "није за продају"
