"""Writes plain products that the catalogue does not have yet, many in one statement, because a
first list has tens of thousands. Each gets the rows that `CatalogueIndex.put` would write.

It is called within a transaction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pos_app.adapters.sqlite.catalogue.index import PUT_IN_CATEGORY, CatalogueIndex
from pos_app.adapters.sqlite.catalogue.rows import listed, number
from pos_app.adapters.sqlite.catalogue.search import begin_of_name, word_of_category
from pos_app.domain.barcodes import code_key
from pos_app.domain.search_text import fold
from pos_app.domain.sort_text import sort_key

if TYPE_CHECKING:
    from pos_app.wire.plain_product import PlainProduct

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

    product: PlainProduct
    text: str
    digest: bytes


def put_plain(index: CatalogueIndex, new: Sequence[PlainListed], *, origin: str) -> None:
    """Write products that the catalogue does not have, in this order. Raises apsw.ConstraintError
    where it has such a product, or an article of the same id."""
    last = number(index.connection, "SELECT coalesce(max(id), 0) FROM product")
    rows = _Rows(index, origin)
    for row, one in enumerate(new, last + 1):
        rows.take(row, one)
    for sql, of_table in rows.of_tables():
        index.connection.executemany(sql, of_table)


class _Rows:
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
        self._words: list[tuple[ColumnValue, ...]] = []

    def of_tables(self) -> Iterator[tuple[str, Sequence[tuple[ColumnValue, ...]]]]:
        yield _PRODUCT, self._products
        yield _SOURCE, self._sources
        yield _ARTICLE, self._articles
        yield PUT_IN_CATEGORY, self._categories
        yield _SEARCH, self._words

    def take(self, row: int, listed_product: PlainListed) -> None:
        (
            (uuid, listed_name, label, sku, ean, maker, price, unit_id, subtitle, variant, ids, at),
            text, digest,
        ) = listed_product  # fmt: skip
        name, name_key = listed_name.strip(), fold(listed_name) or listed_name.lower()
        sorted_by = sort_key(name)
        symbol, unit_name, by_weight = self._units.get(unit_id or "", _NO_UNIT)
        categories, numbers = listed(ids), [self._index.category(one) for one in ids]
        self._products.append(
            (row, uuid, self._origin, name, name_key, subtitle or "", label, sku, ean, price,
             symbol, by_weight, categories, sorted_by)
        )  # fmt: skip
        self._sources.append((row, text, digest, at))
        self._articles.append(
            (uuid, row, name, label, sku, ean, code_key(ean) if ean else None, maker, variant,
             price, symbol, unit_name, by_weight, categories)
        )  # fmt: skip
        words = [begin_of_name(name_key), *name_key.split(" "), *map(word_of_category, numbers)]
        if sku is not None:
            words.append(str(sku))
        for code in (ean, maker):
            if code:
                words += fold(code).split(" ")
        for one in numbers:
            self._categories.append((one, sorted_by, row, name_key))
        self._words.append((row, " ".join(dict.fromkeys(words))))
