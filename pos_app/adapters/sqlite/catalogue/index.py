"""Writes a product as the till shows it: its row in the picker, its articles, its words.

It is called within a transaction for one product at a time, so that no reader sees half a product.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import datetime

import apsw

from pos_app.adapters.sqlite.catalogue.belongings import make_room
from pos_app.adapters.sqlite.catalogue.planned_prices import (
    end_usual_plan,
    fit_plans,
    is_planned,
    note_change,
    note_due,
)
from pos_app.adapters.sqlite.catalogue.products import effective_product
from pos_app.adapters.sqlite.catalogue.rows import (
    barcodes_text,
    first,
    listed,
    many,
    marks_of_row,
    number,
)
from pos_app.adapters.sqlite.catalogue.search import begin_of_name, word_of_category
from pos_app.adapters.sqlite.stored_values import moment_text, optional_para, thousandths
from pos_app.domain.article.article import Article, Marks, sellable_articles
from pos_app.domain.article.barcodes import code_key
from pos_app.domain.article.product import Product, Unit
from pos_app.domain.text.search_text import fold
from pos_app.domain.text.sort_text import sort_key
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import PriceCause, PriceReason

_PENDING = """
SELECT CASE
    WHEN max(state = 'conflict') THEN 'conflict'
    WHEN max(state = 'refused') THEN 'refused'
    WHEN count(*) THEN 'waiting'
    ELSE '' END
FROM edit WHERE product_uuid = ? AND state IN ('waiting', 'sending', 'conflict', 'refused')
"""
_MARKS = """
SELECT pin, open_price, by_weight, barcodes, article_uuid FROM mark WHERE product_uuid = ?
"""
_SHOW = """
INSERT INTO product (shown, uuid, origin, pending, name, name_key, sort_key, subtitle, label,
    articles, article_uuid, sku, ean, price, highest, unit, by_weight, asks_price, pinned,
    categories, picture_id)
VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_SHOW_AGAIN = """
UPDATE product SET shown = 1, pending = ?, name = ?, name_key = ?, sort_key = ?,
    subtitle = ?, label = ?,
    articles = ?, article_uuid = ?, sku = ?, ean = ?, price = ?, highest = ?, unit = ?,
    by_weight = ?, asks_price = ?, pinned = ?, categories = ?, picture_id = ?
WHERE id = ?
"""
_ARTICLE = """
INSERT INTO article (uuid, product, product_uuid, name, label, sku, ean, ean_key,
    maker_code, variant_name, price, unit, unit_name, by_weight, pinned, open_price, categories,
    picture_id, barcodes)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_HELD_ELSEWHERE = """
SELECT 1 FROM article a JOIN product held ON held.id = a.product JOIN product new ON new.id = ?2
WHERE a.uuid = ?1 AND held.origin <> new.origin
"""
PUT_IN_CATEGORY = (
    "INSERT INTO product_category (category, sort_key, product, name_key) VALUES (?, ?, ?, ?)"
)
PUT_OF_UNIT = "INSERT INTO product_unit (unit, product) VALUES (?, ?)"


@dataclass(frozen=True, slots=True)
class _FoundBy:
    """A product's name for search and for sorting; its and its articles' categories, each once."""

    name_key: str
    sort_key: str
    category_ids: tuple[str, ...]


def _found_by(product: Product, articles: Sequence[Article]) -> _FoundBy:
    ids = [*product.categories, *(uuid for one in articles for uuid in one.category_ids)]
    name_key = fold(product.name) or product.name.lower()
    return _FoundBy(name_key, sort_key(product.name), tuple(dict.fromkeys(ids)))


@dataclass(slots=True)
class CatalogueIndex:
    """The derived rows of one database, through its one writing connection."""

    connection: apsw.Connection
    units: Mapping[str, Unit]
    why: PriceReason
    """Why prices change that are written through it."""
    _categories: dict[str, int] = field(default_factory=dict)

    def show(
        self, product_uuid: str, *, by: str, at: datetime, plans_are_meant: bool = False
    ) -> None:
        """Write a product as the till shows it: the platform's fields with the open edits.
        plans_are_meant: as of `fit_plans`."""
        row = first(self.connection, "SELECT id FROM product WHERE uuid = ?", (product_uuid,))
        product = effective_product(self.connection, product_uuid)
        if row is not None:
            self.put_again(
                row[0], product_uuid, product, by=by, at=at, plans_are_meant=plans_are_meant
            )
        elif product is not None:
            self.put(product, origin="")

    def put(self, product: Product, *, origin: str) -> int:
        """Write a product that the till does not show yet, and return its row."""
        marks = self._marks(product.id)
        articles = sellable_articles(product, units=self.units, marks=marks)
        found = _found_by(product, articles)
        shown = _shown_columns(product, articles, marks, found)
        pending = self._pending(product.id) if not origin else ""
        self.connection.execute(_SHOW, (product.id, origin, pending, *shown))
        row = self.connection.last_insert_rowid()
        self._index(row, product, articles, found)
        return row

    def put_again(
        self,
        row: int,
        product_uuid: str,
        product: Product | None,
        *,
        by: str,
        at: datetime,
        plans_are_meant: bool = False,
        is_older: bool = False,
    ) -> None:
        """Write a product in its row, or hide the row without a product. is_older: its prices may
        be older than the planned ones, which stay."""
        note_due(self.connection, at, of=row)
        old = self._take_off(row)
        pending = self._pending(product_uuid)
        if product is None or product.is_deleted:
            hide = "UPDATE product SET shown = 0, articles = 0, pending = ? WHERE id = ?"
            self.connection.execute(hide, (pending, row))
            return
        marks = self._marks(product_uuid)
        articles = sellable_articles(product, units=self.units, marks=marks)
        found = _found_by(product, articles)
        shown = _shown_columns(product, articles, marks, found)
        self.connection.execute(_SHOW_AGAIN, (pending, *shown, row))
        self._index(row, product, articles, found)
        self._note_prices(old, articles, by=by, at=at, is_older=is_older)
        fit_plans(self.connection, row, by=by, at=at, why=self.why, are_meant=plans_are_meant)

    def _index(
        self, row: int, product: Product, articles: Sequence[Article], found_by: _FoundBy
    ) -> None:
        self._insert_articles(row, articles)
        numbers = [self.category(uuid) for uuid in found_by.category_ids]
        execute = self.connection.execute
        for category in numbers:
            key = (category, found_by.sort_key, row, found_by.name_key)
            execute(PUT_IN_CATEGORY, key)
        for unit in units_named(product):
            execute(PUT_OF_UNIT, (unit, row))
        words = _words(product, articles, numbers, found_by.name_key)
        execute("INSERT INTO search (rowid, words) VALUES (?, ?)", (row, words))

    def category(self, uuid: str) -> int:
        """Return the number of a category, which is made when it first appears."""
        if uuid not in self._categories:
            self.connection.execute("INSERT OR IGNORE INTO category (uuid) VALUES (?)", (uuid,))
            sql = "SELECT id FROM category WHERE uuid = ?"
            self._categories[uuid] = number(self.connection, sql, (uuid,))
        return self._categories[uuid]

    def rolled_back(self) -> None:
        """Forget the categories' numbers: the transaction that made them was undone."""
        self._categories.clear()

    def _take_off(self, row: int) -> dict[str, int | None]:
        """Delete the articles and words of a product; return its earlier prices, by article."""
        sql = "SELECT uuid, price FROM article WHERE product = ?"
        sold = many(self.connection, sql, (row,))
        if sold:
            self.connection.execute("DELETE FROM article WHERE product = ?", (row,))
        self.connection.execute("DELETE FROM product_category WHERE product = ?", (row,))
        self.connection.execute("DELETE FROM product_unit WHERE product = ?", (row,))
        self.connection.execute("DELETE FROM search WHERE rowid = ?", (row,))
        return dict(sold)

    def _pending(self, product_uuid: str) -> str:
        found = first(self.connection, _PENDING, (product_uuid,))
        return found[0] if found else ""

    def _marks(self, product_uuid: str) -> dict[str, Marks]:
        rows = many(self.connection, _MARKS, (product_uuid,))
        return {row[4]: marks_of_row(row) for row in rows}

    def _insert_articles(self, row: int, articles: Sequence[Article]) -> None:
        for one in articles:
            self._insert_article(_article_row(row, one))
            if one.barcodes:
                made = self.connection.last_insert_rowid()
                self.connection.executemany(
                    "INSERT OR REPLACE INTO barcode VALUES (?, ?, ?)",
                    [
                        (code_key(code.code), made, thousandths(code.quantity))
                        for code in one.barcodes
                    ],
                )

    def _insert_article(self, row: tuple[str | int | None, ...]) -> None:
        """Insert an article. A variant may have moved here from a product that is written later;
        an article from elsewhere that has its id gets another one."""
        try:
            self.connection.execute(_ARTICLE, row)
        except apsw.ConstraintError:  # OR REPLACE would make each insert six times as slow
            if first(self.connection, _HELD_ELSEWHERE, (row[0], row[1])):
                make_room(self.connection, (str(row[0]),))
            self.connection.execute("DELETE FROM article WHERE uuid = ?", (row[0],))
            self.connection.execute(_ARTICLE, row)

    def _note_prices(
        self,
        old: Mapping[str, int | None],
        articles: Sequence[Article],
        *,
        by: str,
        at: datetime,
        is_older: bool,
    ) -> None:
        for one in articles:
            new = optional_para(one.price)
            if one.id not in old or old[one.id] == new:
                continue
            if is_planned(self.connection, one.id):
                if self.why.cause is PriceCause.PLATFORM and not is_older:
                    end_usual_plan(self.connection, one.id, by=by, at=at, why=self.why)
            else:
                article = (one.id, one.sku, one.name, one.label.value, one.unit)
                before, moment = old[one.id], moment_text(at)
                note_change(self.connection, article, before, new, at=moment, by=by, why=self.why)


def units_named(product: Product) -> set[str]:
    """The ids of the units that a product or a variant of it is sold by or based on."""
    every = (product, *product.variants)
    ids = {unit for one in every for unit in (one.sale_unit_id, one.base_unit_id)}
    return {one for one in ids if one}


def _shown_columns(
    product: Product, articles: Sequence[Article], marks: Mapping[str, Marks], found_by: _FoundBy
) -> tuple[str | int | None, ...]:
    only = articles[0] if len(articles) == 1 else None
    prices = [one.price for one in articles if one.price is not None]
    speaks = _cheapest(articles)
    picture = product.cover_image or next((one.picture for one in articles if one.picture), None)
    return (
        product.name.strip(),
        found_by.name_key,
        found_by.sort_key,
        product.subtitle or "",
        (speaks.label if speaks else product.tax_label).value,
        len(articles),
        only.id if only else None,
        speaks.sku if speaks else None,
        only.ean if only else None,
        optional_para(speaks.price) if speaks else None,
        optional_para(max(prices, default=None)),
        speaks.unit if speaks else "",
        int(speaks is not None and speaks.by_weight),
        int(any(one.asks_price for one in articles)),
        int(any(mark.pinned for mark in marks.values())),
        listed(found_by.category_ids),
        picture.id if picture else None,
    )


def _cheapest(articles: Sequence[Article]) -> Article | None:
    """Return the article whose price, unit, code and label a row shows, so that they fit together.
    It is the first with the lowest price; where none has a price, the first article."""
    priced = [(one.price, index) for index, one in enumerate(articles) if one.price is not None]
    if priced:
        return articles[min(priced)[1]]
    return articles[0] if articles else None


def _article_row(row: int, article: Article) -> tuple[str | int | None, ...]:
    return (
        article.id,
        row,
        article.product_id,
        article.name,
        article.label.value,
        article.sku,
        article.ean,
        code_key(article.ean) if article.ean else None,
        article.manufacturer_sku,
        article.variant_name,
        optional_para(article.price),
        article.unit,
        article.unit_name,
        int(article.by_weight),
        int(article.pinned),
        int(article.open_price),
        listed(article.category_ids),
        article.picture.id if article.picture else None,
        barcodes_text(article.barcodes),
    )


def _words(
    product: Product, articles: Sequence[Article], categories: Sequence[int], name_key: str
) -> str:
    """Return a product's words: names, variants and codes, folded, and marks for the order."""
    parts = [begin_of_name(name_key), name_key, *map(word_of_category, categories)]
    for one in articles:
        if one.name != product.name:
            parts.append(fold(one.name))
        if one.sku is not None:
            parts.append(str(one.sku))
        codes = (one.ean, one.manufacturer_sku, *(code.code for code in one.barcodes))
        parts += [fold(code) for code in codes if code]
    return " ".join(dict.fromkeys(" ".join(parts).split(" ")))
