"""The till's reads of `catalogue.db`: the port `selling.catalogue.catalogue.Catalogue`.

Every read is one look-up in an index or one window; a writer in another process never blocks
it, and never shows it half a product, because each product is written whole in one commit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from pos_app.adapters.closed_at_exit import ClosedAtExit
from pos_app.adapters.sqlite import stored_values
from pos_app.adapters.sqlite.catalogue.bulk_acts import act_under_way
from pos_app.adapters.sqlite.catalogue.contents import catalogue_contents
from pos_app.adapters.sqlite.catalogue.joining import joining_now
from pos_app.adapters.sqlite.catalogue.name_edits import name_edits
from pos_app.adapters.sqlite.catalogue.names import products_having
from pos_app.adapters.sqlite.catalogue.planned_prices import (
    bounds_passed,
    coming_moments,
    coming_prices,
    ended_plans,
    labels_missing,
    provide_time,
)
from pos_app.adapters.sqlite.catalogue.products import effective_product
from pos_app.adapters.sqlite.catalogue.rows import (
    FILES,
    LOST,
    SELECT_ARTICLES,
    STAYS_HERE,
    article,
    catalogue_rows_of,
    first,
    items,
    many,
    marks_of,
    number,
)
from pos_app.adapters.sqlite.catalogue.schema import FILE_NAME, MIGRATIONS
from pos_app.adapters.sqlite.catalogue.search import Hits, everything, hits_of
from pos_app.adapters.sqlite.catalogue.stores import store_edits, stores_here
from pos_app.adapters.sqlite.database import open_database, open_reader
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.domain.article import barcodes
from pos_app.domain.article.article import Article, Marks, gtin_of
from pos_app.domain.article.product import Category, Product, Unit
from pos_app.domain.article.scale_labels import PriceCode, ScaleRules, WeightCode
from pos_app.domain.article.store import Store
from pos_app.domain.money.money import Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import article_key, printed_name
from pos_app.selling.catalogue import catalogue
from pos_app.selling.catalogue.names import NameCount
from pos_app.selling.catalogue.planned_prices import ComingPrice
from pos_app.selling.synchronisation.own_names import NameKind

_WITH_CATEGORIES = (
    "SELECT id, sku, ean, name, unit, categories FROM article WHERE id > ? ORDER BY id LIMIT ?"
)
_PRICE_CHANGES = """
SELECT id, article_uuid, sku, name, old, new, at, by, cause, percent, label, unit
FROM price_change WHERE at >= ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?
"""
_LAST_MOMENT = "9999"
"""A text that compares greater than every moment."""
PATIENCE = 50
"""Milliseconds that a read waits. Only a program that holds the file for long blocks a read."""

_BOUNDS_FROM = 48
"""The bit from which a generation counts planned prices that began or ended."""

# CROSS JOIN goes from the few pins and best sellers to their products, never the other way.
_FAVOURITES = """
SELECT product FROM (
    SELECT p.id AS product, m.pin - 1000000000000 AS place
        FROM mark m CROSS JOIN product p ON p.uuid = m.product_uuid
        WHERE m.pin IS NOT NULL AND p.shown = 1
    UNION ALL
    SELECT * FROM (
        SELECT b.product, -b.times FROM best_seller b CROSS JOIN product p ON p.id = b.product
            WHERE p.shown = 1 ORDER BY b.times DESC, b.product LIMIT ?1
    )
) GROUP BY product ORDER BY min(place), product LIMIT ?1
"""
_USUAL_AMOUNT = "SELECT amount / lines FROM sold_amount WHERE article_uuid = ? AND lines >= ?"
# A GTIN's key has 14 digits; the five before the check digit are the value, which is never nothing.
_LABELS = """
SELECT substr(a.ean_key, 2) AS code, a.name FROM article a
WHERE a.ean_key >= ?1 AND a.ean_key < ?2 AND length(a.ean_key) = 14
    AND substr(a.ean_key, 9, 5) <> '00000'
UNION
SELECT substr(b.key, 2), a.name FROM barcode b JOIN article a ON a.id = b.article
WHERE b.key >= ?1 AND b.key < ?2 AND length(b.key) = 14 AND substr(b.key, 9, 5) <> '00000'
"""
_CATEGORIES = """
SELECT uuid, name, position,
    (SELECT count(*) FROM product_category c WHERE c.category = category.id)
FROM category WHERE name IS NOT NULL ORDER BY position, name
"""
_CATEGORIES_IN_USE = """
SELECT uuid, name, position FROM category
WHERE name IS NOT NULL AND EXISTS (SELECT 1 FROM product_category c WHERE c.category = category.id)
ORDER BY position, name
"""
_UNITS = """
SELECT uuid, name, symbol, position,
    (SELECT count(*) FROM product_unit WHERE product_unit.unit = uuid)
FROM unit ORDER BY position, name
"""
_FACTS = f"""
SELECT (SELECT max(at) FROM (SELECT max(ended_at) AS at FROM sync_run
        UNION ALL SELECT checked_at FROM platform)),
    (SELECT count(*) FROM edit e LEFT JOIN product p ON p.uuid = e.product_uuid
        WHERE e.state IN ('waiting', 'sending') AND NOT {STAYS_HERE}),
    (SELECT count(*) FROM edit WHERE state = 'conflict'),
    (SELECT count(*) FROM edit WHERE state = 'refused'),
    (SELECT count(*) FROM gone),
    (SELECT away_since FROM platform),
    (SELECT fault FROM platform),
    ({LOST})
"""


@translated_errors(FILE_NAME)
def is_filled(path: Path) -> bool:
    """Tell whether a list was read completely once. The file may be of another version, and stays
    as it is."""
    if not path.exists():
        return False
    with closing(open_reader(path, patience=PATIENCE)) as connection:
        if first(connection, "SELECT 1 FROM sqlite_schema WHERE name = 'sync_run'") is None:
            return False
        return first(connection, "SELECT 1 FROM sync_run WHERE ended_at IS NOT NULL") is not None


class SqliteCatalogue(ClosedAtExit):
    """The reads of one program. It belongs to the thread that made it. Each method raises
    DatabaseBusy, or DatabaseDamaged where the file can't be read."""

    def __init__(
        self, path: Path, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        """Open the catalogue, made empty when there is none. Raises what `open_database` does. now:
        the time for planned prices."""
        open_database(path, migrations=MIGRATIONS, contents=catalogue_contents).close()
        self._connection = open_reader(path, patience=PATIENCE)
        provide_time(self._connection, now)
        self._files = path.parent / FILES
        self._asked: tuple[tuple[str, str | None, catalogue.SortOrder, int], Hits] | None = None

    def close(self) -> None:
        self._connection.close()

    # --- one article -------------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def by_code(self, code: barcodes.ArticleCode) -> tuple[catalogue.FoundArticle, ...]:
        key = barcodes.code_key(code.code)
        found = [catalogue.FoundArticle(one) for one in self._articles("WHERE a.ean_key = ?", key)]
        found += self._by_barcode(key)
        if not found and code.sku is not None:
            found = [
                catalogue.FoundArticle(one) for one in self._articles("WHERE a.sku = ?", code.sku)
            ]
        if not found:
            found = [
                catalogue.FoundArticle(one)
                for one in self._articles("WHERE a.maker_code = ?", code.code)
            ]
        return tuple(found)

    @translated_errors(FILE_NAME)
    def codes(self) -> Iterator[tuple[int | None, str | None, str, str, str | None]]:
        """Iterate over article code, EAN, product's id, own id and the maker's code of each
        article."""
        sql = "SELECT sku, ean, product_uuid, uuid, maker_code FROM article ORDER BY id"
        return iter(many(self._connection, sql))

    def _by_barcode(self, key: str) -> list[catalogue.FoundArticle]:
        sql = "WHERE a.id IN (SELECT article FROM barcode WHERE key = ?)"
        return [
            catalogue.FoundArticle(article, barcode.quantity)
            for article in self._articles(sql, key)
            for barcode in article.barcodes
            if barcodes.code_key(barcode.code) == key
        ]

    @translated_errors(FILE_NAME)
    def by_scale(self, code: WeightCode | PriceCode) -> tuple[Article, ...]:
        held = self._articles("WHERE a.ean_key = ?", code.ean)
        return tuple(held or self._articles("WHERE a.sku = ?", code.sku))

    @translated_errors(FILE_NAME)
    def codes_of_labels(
        self, rules: ScaleRules, *, limit: int
    ) -> tuple[int, catalogue.CodesOfArticles]:
        found, rows = 0, list[tuple[str, str]]()
        for layout in rules.layouts:
            begin = (f"0{layout.prefix}", f"0{layout.prefix}:")
            many_here = number(self._connection, f"SELECT count(*) FROM ({_LABELS})", begin)
            found += many_here
            if many_here and len(rows) < limit:
                sql = f"{_LABELS} ORDER BY 1 LIMIT {limit - len(rows)}"
                rows += many(self._connection, sql, begin)
        return found, tuple(rows)

    @translated_errors(FILE_NAME)
    def article(self, article_id: str) -> Article | None:
        return next(iter(self._articles("WHERE a.uuid = ?", article_id)), None)

    @translated_errors(FILE_NAME)
    def usual_amount(self, article_id: str) -> Quantity | None:
        row = first(self._connection, _USUAL_AMOUNT, (article_id, catalogue.USUAL_FROM_LINES))
        return None if row is None else stored_values.quantity_of(max(1, row[0]))

    @translated_errors(FILE_NAME)
    def variants(self, product_id: str) -> tuple[Article, ...]:
        sql = "WHERE a.product = (SELECT id FROM product WHERE uuid = ?) ORDER BY a.id"
        return tuple(self._articles(sql, product_id))

    @translated_errors(FILE_NAME)
    def open_price_articles(self) -> tuple[Article, ...]:
        return tuple(self._articles("WHERE a.open_price = 1 ORDER BY a.name LIMIT 100"))

    def _articles(self, where: str, *bindings: str | int) -> list[Article]:
        rows = many(self._connection, SELECT_ARTICLES + where, bindings)
        return [article(row) for row in rows]

    # --- windows -----------------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def count(
        self, query: str = "", *, category_id: str | None = None, most: int | None = None
    ) -> int:
        hits = self._hits(query, category_id, catalogue.SortOrder.NAME)
        return hits.count if most is None else hits.at_most(most)

    @translated_errors(FILE_NAME)
    def page(
        self,
        query: str = "",
        *,
        category_id: str | None = None,
        order: catalogue.SortOrder = catalogue.SortOrder.NAME,
        offset: int = 0,
        limit: int = 50,
    ) -> tuple[catalogue.CatalogueRow, ...]:
        return catalogue_rows_of(
            self._connection,
            self._hits(query, category_id, order).window(offset, limit),
            self._files,
        )

    @translated_errors(FILE_NAME)
    def favourites(
        self, *, limit: int = catalogue.FAVOURITES
    ) -> tuple[catalogue.CatalogueRow, ...]:
        rows = many(self._connection, _FAVOURITES, (limit,))
        return catalogue_rows_of(self._connection, [row[0] for row in rows], self._files)

    def _hits(self, query: str, category_id: str | None, order: catalogue.SortOrder) -> Hits:
        """Return the hits of a search; those of the last one are kept while nobody writes."""
        asked = (query, category_id, order, self.generation())
        if self._asked is None or self._asked[0] != asked:
            self._asked = (asked, self._search(query, category_id, order))
        return self._asked[1]

    def _search(self, query: str, category_id: str | None, order: catalogue.SortOrder) -> Hits:
        category: int | None = None
        if category_id is not None:
            row = first(self._connection, "SELECT id FROM category WHERE uuid = ?", (category_id,))
            if row is None:
                return Hits(0, ())
            category = row[0]
        if query.strip():
            return hits_of(self._connection, query, category=category)
        return everything(self._connection, category=category, order=order)

    # --- the rest ----------------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def categories(self) -> tuple[catalogue.CategoryCount, ...]:
        rows = many(self._connection, _CATEGORIES)
        return tuple(
            catalogue.CategoryCount(Category(row[0], row[1], row[2]), row[3]) for row in rows
        )

    @translated_errors(FILE_NAME)
    def categories_in_use(self) -> tuple[Category, ...]:
        return tuple(Category(*row) for row in many(self._connection, _CATEGORIES_IN_USE))

    @translated_errors(FILE_NAME)
    def category_of_articles(
        self, *, after: int = 0, limit: int = 2000
    ) -> tuple[Mapping[str, str], int | None]:
        names: dict[str, str] = dict(
            many(self._connection, "SELECT uuid, name FROM category WHERE name NOTNULL")
        )
        rows = many(self._connection, _WITH_CATEGORIES, (after, limit))
        found = dict[str, str]()
        for _, sku, ean, name, unit, categories in rows:
            first_of = next((names[one] for one in items(categories) if one in names), None)
            if first_of is not None:
                found[article_key(sku, gtin_of(ean), printed_name(name, unit))] = first_of
        return found, rows[-1][0] if len(rows) == limit else None

    @translated_errors(FILE_NAME)
    def units(self) -> tuple[Unit, ...]:
        sql = "SELECT uuid, name, symbol, position FROM unit ORDER BY position, name"
        return tuple(Unit(*row) for row in many(self._connection, sql))

    @translated_errors(FILE_NAME)
    def counted_names(self, kind: NameKind) -> tuple[NameCount, ...]:
        if kind is NameKind.CATEGORY:
            return tuple(NameCount(one.category, one.rows) for one in self.categories())
        rows = many(self._connection, _UNITS)
        return tuple(NameCount(Unit(*row[:4]), row[4]) for row in rows)

    @translated_errors(FILE_NAME)
    def products_having(self, kind: NameKind, name_id: str) -> tuple[str, ...]:
        return tuple(products_having(self._connection, kind, name_id))

    @translated_errors(FILE_NAME)
    def stores(self) -> tuple[Store, ...]:
        return tuple(stores_here(self._connection))

    def store(self, store_id: str | None = None) -> Store | None:
        return next((one for one in self.stores() if store_id in (None, one.id)), None)

    @translated_errors(FILE_NAME)
    def product(self, product_id: str) -> Product | None:
        return effective_product(self._connection, product_id)

    @translated_errors(FILE_NAME)
    def marks(self, article_id: str) -> Marks:
        return marks_of(self._connection, article_id)

    @translated_errors(FILE_NAME)
    def picture(self, file_id: str) -> Path | None:
        row = first(self._connection, "SELECT name FROM picture WHERE file_id = ?", (file_id,))
        return None if row is None else self._files / row[0]

    @translated_errors(FILE_NAME)
    def facts(self) -> catalogue.CatalogueStatus:
        (row,) = many(self._connection, _FACTS)
        synced_at, waiting, conflicts, refused, gone, away_since, fault, lost = row
        changed_stores = store_edits(self._connection)
        changed_names = name_edits(self._connection)
        return catalogue.CatalogueStatus(
            None if synced_at is None else stored_values.moment_of(synced_at),
            waiting,
            conflicts,
            refused,
            gone,
            None if away_since is None else stored_values.moment_of(away_since),
            fault or "",
            stores_waiting=sum(one.is_ready for one in changed_stores),
            stores_to_decide=sum(one.needs_person for one in changed_stores),
            names_waiting=sum(one.is_ready for one in changed_names),
            names_to_decide=sum(one.needs_person for one in changed_names),
            lost=lost,
            plans_ended=ended_plans(self._connection),
            joining=joining_now(self._connection),
            bulk_act=act_under_way(self._connection),
        )

    @translated_errors(FILE_NAME)
    def price_changes(
        self,
        *,
        since: datetime,
        until: datetime | None = None,
        after: catalogue.PriceChange | None = None,
        limit: int = 1000,
    ) -> tuple[catalogue.PriceChange, ...]:
        end = (_LAST_MOMENT if until is None else stored_values.moment_text(until), 0)
        if after is not None:
            end = (stored_values.moment_text(after.at), after.number)
        rows = many(
            self._connection, _PRICE_CHANGES, (stored_values.moment_text(since), *end, limit)
        )
        return tuple(map(_price_change, rows))

    @translated_errors(FILE_NAME)
    def coming_prices(
        self, *, since: datetime, until: datetime, now: datetime
    ) -> tuple[ComingPrice, ...]:
        return coming_prices(self._connection, since, until, now)

    @translated_errors(FILE_NAME)
    def labels_missing(
        self, *, since: datetime, until: datetime, now: datetime, only_labelled: bool = False
    ) -> int:
        return labels_missing(self._connection, since, until, now, only_labelled=only_labelled)

    @translated_errors(FILE_NAME)
    def coming_price_moments(self, *, since: datetime) -> tuple[datetime, ...]:
        return coming_moments(self._connection, since)

    @translated_errors(FILE_NAME)
    def generation(self) -> int:
        version: int = self._connection.pragma("data_version")
        return version + (bounds_passed(self._connection) << _BOUNDS_FROM)


def _price_change(row: tuple[Any, ...]) -> catalogue.PriceChange:
    number, uuid, sku, name, old, new, at, by, cause, percent, label, unit = row
    return catalogue.PriceChange(
        uuid,
        sku,
        name,
        stored_values.optional_money(old),
        stored_values.optional_money(new),
        stored_values.moment_of(at),
        by,
        number,
        catalogue.PriceCause(cause),
        Decimal(percent) if percent else None,
        TaxLabel(label),
        unit,
    )
