"""Writes plain products that the catalogue does not have yet, many in one statement, because a
first list has tens of thousands. Each gets the rows that `CatalogueIndex.put` would write.

It is called within a transaction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pos_app import wire
from pos_app.adapters.sqlite.catalogue.index import (
    PUT_IN_CATEGORY,
    PUT_OF_UNIT,
    CatalogueIndex,
    units_named,
)
from pos_app.adapters.sqlite.catalogue.rows import listed, number
from pos_app.adapters.sqlite.catalogue.search import begin_of_name, word_of_category
from pos_app.adapters.sqlite.stored_values import optional_para
from pos_app.domain.article.barcodes import code_key
from pos_app.domain.article.product import Product
from pos_app.domain.text.search_text import fold
from pos_app.domain.text.sort_text import sort_key

ColumnValue = str | int | bytes | None

_PRODUCT = """
INSERT INTO product (id, shown, uuid, origin, pending, name, name_key, subtitle, label, articles,
    article_uuid, sku, ean, price, highest, unit, by_weight, asks_price, pinned, categories,
    picture_id, sort_key)
VALUES (?1, 1, ?2, ?3, '', ?4, ?5, ?6, ?7, 1, ?2, ?8, ?9, ?10, ?10, ?11, ?12, ?10 IS NULL, 0, ?13,
    NULL, ?14)
"""
_ARTICLE = """
INSERT INTO article (uuid, product, product_uuid, name, label, sku, ean, ean_key, maker_code,
    variant_name, price, unit, unit_name, by_weight, pinned, open_price, categories, picture_id,
    barcodes)
VALUES (?1, ?2, ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 0, 0, ?14, NULL, '')
"""
_SOURCE = "INSERT INTO source VALUES (?, ?, ?, ?)"
_NO_UNIT = ("", "", 0)
_SEARCH = "INSERT INTO search (rowid, words) VALUES (?, ?)"


class PlainListed(NamedTuple):
    """A plain product of a list. text: its JSON; digest: the digest of that text."""

    product: Product
    text: str
    digest: bytes


def is_plain(product: Product) -> bool:
    """Tell whether a product is one article without a photo. The caller looks for marks."""
    has_variants = bool(product.variants or product.has_variants)
    return not (has_variants or product.cover_image or product.is_deleted)


def put_plain(index: CatalogueIndex, new: Sequence[PlainListed], *, origin: str) -> None:
    """Write products that the catalogue does not have, in this order. Raises apsw.ConstraintError
    where it has such a product, or an article of the same id."""
    last = number(index.connection, "SELECT coalesce(max(id), 0) FROM product")
    rows = _ProductRows(index, origin)
    for row, one in enumerate(new, last + 1):
        rows.take(row, one)
    for sql, of_table in rows.of_tables():
        index.connection.executemany(sql, of_table)


class _ProductRows:
    def __init__(self, index: CatalogueIndex, origin: str) -> None:
        self._index = index
        self._origin = origin
        self._units = {
            key: (unit.symbol, unit.name, int(unit.is_weight)) for key, unit in index.units.items()
        }
        self._products: list[tuple[ColumnValue, ...]] = []
        self._sources: list[tuple[ColumnValue, ...]] = []
        self._articles: list[tuple[ColumnValue, ...]] = []
        self._categories: list[tuple[ColumnValue, ...]] = []
        self._of_units: list[tuple[ColumnValue, ...]] = []
        self._words: list[tuple[ColumnValue, ...]] = []

    def of_tables(self) -> Iterator[tuple[str, Sequence[tuple[ColumnValue, ...]]]]:
        yield _PRODUCT, self._products
        yield _SOURCE, self._sources
        yield _ARTICLE, self._articles
        yield PUT_IN_CATEGORY, self._categories
        yield PUT_OF_UNIT, self._of_units
        yield _SEARCH, self._words

    def take(self, row: int, new: PlainListed) -> None:
        one = new.product
        uuid, label, ids = one.id, one.tax_label.value, one.categories
        name, name_key = one.name.strip(), fold(one.name) or one.name.lower()
        price, sorted_by = optional_para(one.price), sort_key(one.name)
        symbol, unit_name, by_weight = self._units.get(one.sale_unit_id or "", _NO_UNIT)
        categories, numbers = listed(ids), [self._index.category(each) for each in ids]
        self._products.append(
            (row, uuid, self._origin, name, name_key, one.subtitle or "", label, one.sku, one.ean,
             price, symbol, by_weight, categories, sorted_by)
        )  # fmt: skip
        self._sources.append((row, new.text, new.digest, wire.moment.instant_text(one.updated_at)))
        self._articles.append(
            (uuid, row, name, label, one.sku, one.ean, code_key(one.ean) if one.ean else None,
             one.manufacturer_sku, one.variant_name, price, symbol, unit_name, by_weight,
             categories)
        )  # fmt: skip
        words = [begin_of_name(name_key), *name_key.split(" "), *map(word_of_category, numbers)]
        if one.sku is not None:
            words.append(str(one.sku))
        for code in (one.ean, one.manufacturer_sku):
            if code:
                words += fold(code).split(" ")
        for number_of_category in numbers:
            self._categories.append((number_of_category, sorted_by, row, name_key))
        self._of_units += [(unit, row) for unit in units_named(one)]
        self._words.append((row, " ".join(dict.fromkeys(words))))
