"""The manager's table over `catalogue.db`: the port `selling.catalogue.table.CatalogueTable`.

It is sorted in SQL along an index, never in the window; a search without a chosen order works as
the till's own search. 100,000 articles: a count takes 2 ms, the last window 5 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from pathlib import Path

from pos_app.adapters.sqlite.catalogue import rows
from pos_app.adapters.sqlite.catalogue.planned_prices import provide_time
from pos_app.adapters.sqlite.catalogue.schema import FILE_NAME
from pos_app.adapters.sqlite.catalogue.search import Hits, hits_of, match_of
from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.catalogue import CatalogueRow, EditMark
from pos_app.selling.catalogue.table import LabelledProducts, TableChoice, TableOrder

PATIENCE = 50
"""Milliseconds that a read waits. Only a program that holds the file for long blocks a read."""
_COLUMNS = {
    TableOrder.BEST: "p.sort_key",
    TableOrder.NAME: "p.sort_key",
    TableOrder.CODE: "p.sku",
    TableOrder.PRICE: "p.price",
}
_Bindings = tuple[str | int, ...]


class SqliteCatalogueTable:
    """The reads of one window. It belongs to the thread that made it; the file exists already. Each
    method raises DatabaseBusy, or DatabaseDamaged where the file can't be read."""

    def __init__(self, path: Path, *, now: Callable[[], datetime]) -> None:
        """Open the file. now: the time for planned prices."""
        self._connection = open_reader(path, patience=PATIENCE)
        provide_time(self._connection, now)
        self._files = path.parent / rows.FILES
        self._asked: tuple[tuple[TableChoice, int], Hits | None, int] | None = None

    def close(self) -> None:
        self._connection.close()

    @translated_errors(FILE_NAME)
    def count(self, choice: TableChoice) -> int:
        return self._known(choice)[1]

    @translated_errors(FILE_NAME)
    def page(self, choice: TableChoice, *, offset: int, limit: int) -> tuple[CatalogueRow, ...]:
        return rows.catalogue_rows_of(
            self._connection, self._window(choice, offset, limit), self._files
        )

    @translated_errors(FILE_NAME)
    def products(self, choice: TableChoice) -> tuple[str, ...]:
        where, bindings = self._where(choice)
        sql = f"SELECT p.uuid FROM product p WHERE {where} ORDER BY {_order(choice)}"
        return tuple(row[0] for row in rows.many(self._connection, sql, bindings))

    @translated_errors(FILE_NAME)
    def labelled(self, labels: Collection[TaxLabel]) -> LabelledProducts:
        places = ", ".join("?" * len(labels))
        sql = (
            "SELECT DISTINCT product_uuid FROM article"
            f" WHERE label IN ({places}) AND product IN (SELECT id FROM product WHERE shown = 1)"
            " ORDER BY product_uuid"
        )
        found = rows.many(self._connection, sql, tuple(label.value for label in labels))
        return LabelledProducts(tuple(row[0] for row in found))

    @translated_errors(FILE_NAME)
    def index(self, choice: TableChoice, product_id: str) -> int | None:
        row = rows.first(self._connection, "SELECT id FROM product WHERE uuid = ?", (product_id,))
        if row is None:
            return None
        ids = self._window(choice, 0, self._known(choice)[1])
        return ids.index(row[0]) if row[0] in ids else None

    def _known(self, choice: TableChoice) -> tuple[Hits | None, int]:
        """Return the search and its count; the last search is kept while nobody writes."""
        asked = (choice, self._connection.pragma("data_version"))
        if self._asked is None or self._asked[0] != asked:
            hits = self._search(choice)
            self._asked = (asked, hits, self._counted(choice) if hits is None else hits.count)
        return self._asked[1], self._asked[2]

    def _search(self, choice: TableChoice) -> Hits | None:
        """Return hits as the till's own search has them, or None where SQL sorts them."""
        is_best = choice.order is TableOrder.BEST and not choice.descending
        if not choice.query.strip() or not is_best or choice.edits:
            return None
        category = None
        if choice.category_id is not None:
            category = self._category(choice.category_id)
            if category is None:
                return Hits(0, ())
        return hits_of(self._connection, choice.query, category=category)

    def _category(self, uuid: str) -> int | None:
        row = rows.first(self._connection, "SELECT id FROM category WHERE uuid = ?", (uuid,))
        return None if row is None else int(row[0])

    def _counted(self, choice: TableChoice) -> int:
        where, bindings = self._where(choice)
        return rows.number(
            self._connection, f"SELECT count(*) FROM product p WHERE {where}", bindings
        )

    def _window(self, choice: TableChoice, offset: int, limit: int) -> list[int]:
        hits, _ = self._known(choice)
        if hits is not None:
            return hits.window(offset, limit)
        where, bindings = self._where(choice)
        sql = f"SELECT p.id FROM product p WHERE {where} ORDER BY {_order(choice)} LIMIT ? OFFSET ?"
        return [row[0] for row in rows.many(self._connection, sql, (*bindings, limit, offset))]

    def _where(self, choice: TableChoice) -> tuple[str, _Bindings]:
        parts, bindings = ["p.shown = 1"], list[str | int]()
        if choice.edits is not EditMark.NONE:
            parts.append("p.pending = ?")
            bindings.append(choice.edits.value)
        if choice.edits is EditMark.WAITING:
            parts.append(f"NOT {rows.STAYS_HERE}")
        category = None if choice.category_id is None else self._category(choice.category_id)
        if choice.category_id is not None:
            parts.append("p.id IN (SELECT c.product FROM product_category c WHERE c.category = ?)")
            bindings.append(-1 if category is None else category)
        if choice.query.strip():
            match = match_of(choice.query, category=None)
            parts.append(
                "p.id IN (SELECT rowid FROM search WHERE search MATCH ?)" if match else "0"
            )
            bindings += [match] if match else []
        return " AND ".join(parts), tuple(bindings)


def _order(choice: TableChoice) -> str:
    way = "DESC" if choice.descending else "ASC"
    return f"{_COLUMNS[choice.order]} {way}, p.id {way}"
