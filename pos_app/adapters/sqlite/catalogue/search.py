"""Searches products: it counts the hits, and reads them in windows of ordered row numbers.

A search with few hits is sorted as a whole. A search with many hits is not: its windows follow an
index, first the names that begin with the words, by name, then the others, and its hits are counted
only on request (60,000 hits: 2 ms). With 100,000 articles each key stroke takes 0.1 to 2 ms.
"""

from __future__ import annotations

from collections.abc import Callable

import apsw

from pos_app.adapters.sqlite.catalogue.rows import first, many, number
from pos_app.domain.article.barcodes import code_key
from pos_app.domain.text.search_text import words
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import SortOrder

SORTED_HITS = 500
"""Up to this number hits are sorted whole (1.5 ms)."""
MOST_WORDS = 8
_MOST_EXACT = 20
_LAST = "\U0010ffff"
"""A character that sorts behind each character of a name."""

COUNT_SHOWN = "SELECT count(*) FROM product WHERE shown = 1"
_COUNT_OF_CATEGORY = "SELECT count(*) FROM product_category WHERE category = ?"
_COUNT = "SELECT count(*) FROM search WHERE search MATCH ?"
_COUNT_SOME = "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)"
_NAMED = (
    "SELECT p.id, p.name_key FROM search JOIN product p ON p.id = search.rowid WHERE search MATCH ?"
)
_MATCHING = (
    "SELECT rowid FROM search WHERE search MATCH ?"
    " AND rowid NOT IN (SELECT value FROM json_each(?)) LIMIT ? OFFSET ?"
)
_EXACT = (
    "SELECT product FROM article WHERE ean_key = ?1 OR maker_code = ?2 OR sku = ?3"
    " UNION SELECT a.product FROM barcode b JOIN article a ON a.id = b.article WHERE b.key = ?1"
)
_IN_CATEGORY = "SELECT 1 FROM product_category WHERE product = ? AND category = ?"
_BEGIN_ALL = (
    "SELECT id FROM product WHERE shown = 1 AND name_key >= ? AND name_key < ?"
    " AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY name_key LIMIT ? OFFSET ?"
)
_BEGIN_IN_CATEGORY = (
    "SELECT product FROM product_category WHERE category = ? AND name_key >= ? AND name_key < ?"
    " AND product NOT IN (SELECT value FROM json_each(?)) ORDER BY name_key LIMIT ? OFFSET ?"
)
_ALL = {
    SortOrder.NAME: "SELECT id FROM product WHERE shown = 1 ORDER BY sort_key LIMIT ? OFFSET ?",
    SortOrder.CODE: "SELECT id FROM product WHERE shown = 1 ORDER BY sku LIMIT ? OFFSET ?",
    SortOrder.PRICE: "SELECT id FROM product WHERE shown = 1 ORDER BY price LIMIT ? OFFSET ?",
}
_OF_CATEGORY = {
    SortOrder.NAME: "SELECT product FROM product_category WHERE category = ?"
    " ORDER BY sort_key LIMIT ? OFFSET ?",
    SortOrder.CODE: "SELECT c.product FROM product_category c JOIN product p ON p.id = c.product"
    " WHERE c.category = ? ORDER BY p.sku LIMIT ? OFFSET ?",
    SortOrder.PRICE: "SELECT c.product FROM product_category c JOIN product p ON p.id = c.product"
    " WHERE c.category = ? ORDER BY p.price LIMIT ? OFFSET ?",
}

Window = Callable[[int, int], list[int]]
"""(offset, limit) -> row numbers."""


class _SearchPart:
    """Rows of a search that follow one order. rows: their number, or the function that counts
    them."""

    def __init__(self, rows: int | Callable[[], int], window: Window) -> None:
        self._rows = rows
        self._window = window

    @property
    def rows(self) -> int:
        if not isinstance(self._rows, int):
            self._rows = self._rows()
        return self._rows

    def window(self, offset: int, limit: int) -> list[int]:
        """Return at most `limit` row numbers from `offset` on; none behind the end of the part."""
        if isinstance(self._rows, int) and offset >= self._rows:
            return []
        return self._window(offset, limit)


class Hits:
    """A search; its windows are read one by one. count: the number of hits, or the function that
    counts them. least: a number of hits that surely exist."""

    def __init__(
        self,
        count: int | Callable[[], int],
        search_parts: tuple[_SearchPart, ...],
        *,
        least: int = 0,
    ) -> None:
        self._count = count
        self._least = least
        self._search_parts = search_parts

    @property
    def count(self) -> int:
        if not isinstance(self._count, int):
            self._count = self._count()
        return self._count

    def at_most(self, rows: int) -> int:
        """Return the number of hits, or `rows` where there are more. They are not counted where a
        hit with the number `rows` exists."""
        if rows <= self._least:
            return rows
        if not isinstance(self._count, int) and self.window(rows - 1, 1):
            self._least = rows
            return rows
        return min(rows, self.count)

    def window(self, offset: int, limit: int) -> list[int]:
        """Return the row numbers of products from `offset` on, at most `limit`.

        A part is counted only where a window goes beyond it. Most parts never are, because the
        first windows of many hits lie in the first part.
        """
        found: list[int] = []
        for part in self._search_parts:
            found += part.window(offset, limit - len(found))
            if len(found) == limit:
                break
            offset = max(offset - part.rows, 0)
        return found


def begin_of_name(folded: str) -> str:
    """Return a name's first word as the index marks it: "sir mladi" -> "_sir"."""
    return f"_{folded.split(' ', 1)[0]}"


def word_of_category(category: int) -> str:
    """Return the mark of a category among the words of the index."""
    return f"__{category}"


def everything(connection: apsw.Connection, *, category: int | None, order: SortOrder) -> Hits:
    """Return all visible rows, or a category's; they are counted on request (1,000,000: 13 ms)."""
    bindings: tuple[int, ...] = ()
    if category is None:
        count_sql, window = COUNT_SHOWN, _rows(connection, _ALL[order])
    else:
        count_sql, bindings = _COUNT_OF_CATEGORY, (category,)
        window = _rows(connection, _OF_CATEGORY[order], category)
    hits = Hits(
        lambda: number(connection, count_sql, bindings), (_SearchPart(lambda: hits.count, window),)
    )
    return hits


@dataclass(frozen=True, slots=True)
class _Search:
    """A search in the index of words. search_words: its words. match: the text that FTS matches.
    exact: the rows that have the query as a code."""

    connection: apsw.Connection
    search_words: tuple[str, ...]
    category: int | None
    match: str
    exact: tuple[int, ...]

    @property
    def begins(self) -> str:
        return " OR ".join(f'"_{part}"*' for part in self.search_words)

    def begun(self) -> _SearchPart:
        """Return the names that begin with the words, by name where an index has that order."""
        connection, match = self.connection, f"({self.match}) AND ({self.begins})"
        word, exact_rows = self.search_words[0], _json(self.exact)
        if len(self.search_words) > 1:
            window = _rows(connection, _MATCHING, match, exact_rows)
        elif self.category is None:
            window = _rows(connection, _BEGIN_ALL, word, word + _LAST, exact_rows)
        else:
            sql, category = _BEGIN_IN_CATEGORY, self.category
            window = _rows(connection, sql, category, word, word + _LAST, exact_rows)
        return _SearchPart(
            lambda: number(connection, _COUNT, (match,)) - self._exact_begun(), window
        )

    def _exact_begun(self) -> int:
        return sum(1 for row in self.exact if _begins(self.connection, row, self.search_words))

    def others(self, rows: Callable[[], int]) -> _SearchPart:
        match = f"({self.match}) NOT ({self.begins})"
        return _SearchPart(rows, _rows(self.connection, _MATCHING, match, _json(self.exact)))


def match_of(query: str, *, category: int | None) -> str:
    """Return the text that FTS matches for a query; "" for a query without a word."""
    wanted = [f'"{part}"*' for part in words(query)[:MOST_WORDS]]
    if wanted and category is not None:
        wanted.append(f'"{word_of_category(category)}"')
    return " AND ".join(wanted)


def hits_of(connection: apsw.Connection, query: str, *, category: int | None) -> Hits:
    """Return the rows whose words begin with each word of `query`."""
    parts = tuple(words(query)[:MOST_WORDS])
    if not parts:
        return Hits(0, ())
    match = match_of(query, category=category)
    some = number(connection, _COUNT_SOME, (match, SORTED_HITS + 1))
    exact = _exact(connection, query, category) if some else []
    if some <= SORTED_HITS:
        found = _sorted(connection, match, parts, exact)
        return Hits(len(found), (_SearchPart(len(found), _of_list(found)),))
    search = _Search(connection, parts, category, match, tuple(exact))
    begun = search.begun()
    codes = _SearchPart(len(exact), _of_list(exact))
    others = search.others(lambda: hits.count - codes.rows - begun.rows)
    hits = Hits(lambda: number(connection, _COUNT, (match,)), (codes, begun, others), least=some)
    return hits


def _json(rows: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, rows))}]"


def _begins(connection: apsw.Connection, row: int, beginnings: tuple[str, ...]) -> bool:
    found = first(connection, "SELECT name_key FROM product WHERE id = ?", (row,))
    return found is not None and found[0].startswith(beginnings)


def _sorted(
    connection: apsw.Connection, match: str, beginnings: tuple[str, ...], exact: list[int]
) -> list[int]:
    named = many(connection, _NAMED, (match,))
    ahead = frozenset(exact)
    named.sort(
        key=lambda row: (row[0] not in ahead, not row[1].startswith(beginnings), row[1], row[0])
    )
    return [row[0] for row in named]


def _exact(connection: apsw.Connection, query: str, category: int | None) -> list[int]:
    """Return products that have exactly this code and are among the hits."""
    code = query.strip()
    sku = int(code) if code.isascii() and code.isdigit() and len(code) <= 15 else None
    found = many(connection, _EXACT, (code_key(code), code, sku))[:_MOST_EXACT]
    rows = [row[0] for row in found]
    if category is not None:
        rows = [row for row in rows if first(connection, _IN_CATEGORY, (row, category))]
    return rows


def _rows(connection: apsw.Connection, sql: str, *bindings: str | int) -> Window:
    def window(offset: int, limit: int) -> list[int]:
        return [row[0] for row in many(connection, sql, (*bindings, limit, offset))]

    return window


def _of_list(row_numbers: list[int]) -> Window:
    return lambda offset, limit: row_numbers[offset : offset + limit]
