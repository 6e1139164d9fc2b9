"""Translates a query into conditions on rows of `receipt`, and finds the way with the fewest rows.

The conditions decide alone: a way leaves out only rows that they exclude, so all answer the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

import apsw

from pos_app.adapters.sqlite.journal.rows import ms
from pos_app.adapters.sqlite.receipt_index.feeding import USUAL
from pos_app.adapters.sqlite.receipt_index.schema import KINDS, LABELS, METHODS
from pos_app.adapters.sqlite.stored_values import para
from pos_app.domain.receipt.receipt_list import ListPosition, ReceiptQuery
from pos_app.domain.text.search_text import words
from pos_app.fiscalization import receipt_facets
from pos_app.lazy_dataclass import dataclass

Key = tuple[int, int]
"""A time and a row: the position of a receipt in the list."""

MOST_MERGED = 300
"""Facets whose receipts are merged by time; more are sorted all at once."""
MOST_SORTED = 8_000
"""The most receipts that are sorted at once (15 ms); with more hits than one of 250 receipts, a
search by time finds a page sooner."""
_MOST_WORDS = 8
_MOST_ENTRIES = 5_000
"""The most entries of a word whose receipts are counted: more have nearly all receipts."""
_LAST = 2**62
_ENTRY = "SELECT id, receipts FROM entry WHERE sort = ? AND text = ?"
_ARTICLES = "SELECT id, text FROM entry WHERE sort = ?"
_RECEIPTS_OF = "SELECT sum(receipts) FROM entry WHERE id IN (SELECT value FROM json_each(?))"
_SOME_AMOUNTS = (
    "SELECT count(*) FROM (SELECT 1 FROM receipt INDEXED BY receipt_total"
    " WHERE total BETWEEN ? AND ? LIMIT ?)"
)
_LOOKED_FOR = 3
"""The fewest last digits for a search by number: with two, one receipt of a hundred is a hit."""
_BY_COUNTER = "SELECT at, row FROM receipt INDEXED BY receipt_counter WHERE"
_MATCH = "SELECT rowid FROM entry_words WHERE entry_words MATCH ?"


@dataclass(frozen=True, slots=True)
class Way:
    """The receipts that are read. rows: their approximate number.

    entries: the receipts that have these facets are read. select, values: the receipts that this
    statement finds are read; it ends with a WHERE to which the bounds of the page are added.
    Without both, all receipts are read by time.
    """

    rows: int
    entries: tuple[int, ...] = ()
    select: str = ""
    values: tuple[int, ...] = ()


@dataclass(slots=True)
class Conditions:
    """A query as SQL. sql: joined by AND, over the columns of `receipt`. ways: the possible ways,
    besides the one by time. functions: functions of one value, which the SQL calls."""

    sql: list[str] = field(default_factory=list)
    values: list[int | str] = field(default_factory=list)
    ways: list[Way] = field(default_factory=list)
    functions: dict[str, Callable[[bytes], bool]] = field(default_factory=dict)
    since: int = -_LAST
    until: int = _LAST
    finds_nothing: bool = False

    def add(self, sql: str, *values: int | str) -> None:
        self.sql.append(sql)
        self.values += values

    @property
    def has_period(self) -> bool:
        return self.since > -_LAST or self.until < _LAST

    @property
    def first(self) -> Key:
        """The position behind the newest receipt of the query."""
        return (self.until, -1)


def conditions_of(connection: apsw.Connection, query: ReceiptQuery) -> Conditions:
    """Translate the query into the numbers of this file."""
    made = Conditions()
    if query.since is not None:
        made.since = ms(query.since)
    if query.until is not None:
        made.until = ms(query.until)
    _kinds(connection, query, made)
    _payments(connection, query, made)
    _chosen(connection, query, made)
    _number(connection, query.number, made)
    _amount(connection, query, made)
    _words(connection, query.words, made)
    _contents(connection, query, made)
    return made


def has_one_of(among: frozenset[int]) -> Callable[[bytes], bool]:
    """Return a function that tells whether a row's stored entries have one of these."""

    def has_one(named: bytes) -> bool:
        return not among.isdisjoint(memoryview(named).cast("I"))

    return has_one


# --- what is chosen ------------------------------------------------------------------------------


def _kinds(connection: apsw.Connection, query: ReceiptQuery, made: Conditions) -> None:
    if query.kinds:
        indices = sorted(KINDS.index(kind) for kind in query.kinds)
        made.add(f"kind IN ({', '.join(map(str, indices))})")
        _one_of(connection, map(receipt_facets.kind_facet, query.kinds), made)


def _payments(connection: apsw.Connection, query: ReceiptQuery, made: Conditions) -> None:
    if query.payments:
        made.add("methods & ?", sum(1 << METHODS.index(method) for method in query.payments))
        _one_of(connection, map(receipt_facets.payment_facet, query.payments), made)


def _chosen(connection: apsw.Connection, query: ReceiptQuery, made: Conditions) -> None:
    chosen = {
        "cashier": query.cashier is not None
        and receipt_facets.Facet(receipt_facets.FacetSort.CASHIER, query.cashier),
        "program": query.program is not None
        and receipt_facets.Facet(receipt_facets.FacetSort.PROGRAM, query.program),
        "buyer": query.buyer is not None and receipt_facets.buyer_facet(query.buyer),
    }
    for column, facet in chosen.items():
        if facet:
            entries = _one_of(connection, [facet], made)
            made.add(f"{column} = ?", entries[0] if entries else -1)
    if query.asks_e_invoice:
        made.add("e_invoice = 1")
        _one_of(connection, [receipt_facets.E_INVOICE], made)


def _one_of(
    connection: apsw.Connection, facets: Iterable[receipt_facets.Facet], made: Conditions
) -> tuple[int, ...]:
    """Return the entries of facets; a receipt needs one of them. They are a way unless one is
    usual."""
    asked, found = tuple(facets), list[tuple[int, int]]()
    for facet in asked:
        row = _first(connection, _ENTRY, facet.sort.value, facet.text)
        found += [] if row is None else [row]
    entries, rows = tuple(one[0] for one in found), sum(one[1] for one in found)
    made.finds_nothing |= rows == 0
    if not set(asked) & set(USUAL):
        made.ways.append(Way(rows, entries))
    return entries


# --- what is typed -------------------------------------------------------------------------------


def _number(connection: apsw.Connection, typed: str, made: Conditions) -> None:
    typed = typed.strip()
    if not typed:
        return
    head, hyphen, digits = typed.rpartition("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
        heads = _heads(connection, typed, whole=True)
        made.finds_nothing |= not heads
        made.add(f"counter IS NULL AND head IN ({heads})")
        return
    counter = int(digits)
    if hyphen:
        made.add(f"counter = ? AND head IN ({_heads(connection, head, whole=False)})", counter)
        exact = f"{_BY_COUNTER} counter % 1000 = ? AND counter = ? AND"
        made.ways.append(Way(1, select=exact, values=(counter % 1000, counter)))
        return
    step = 10 ** len(digits)
    least = counter + step if digits.startswith("0") else counter
    made.add("counter % ? = ? AND counter >= ?", step, counter, least)
    if len(digits) >= _LOOKED_FOR:
        ends = f"{_BY_COUNTER} counter % 1000 = ? AND counter % ? = ? AND"
        rows = receipts_in(connection) // step + 1
        made.ways.append(Way(rows, select=ends, values=(counter % 1000, step, counter)))


def _heads(connection: apsw.Connection, typed: str, *, whole: bool) -> str:
    """Return the entries of numbers' first parts that end with (whole: equal) the typed text."""
    rows = connection.execute(
        "SELECT id, text FROM entry WHERE sort = ?", (receipt_facets.FacetSort.NUMBER_HEAD.value,)
    )
    asked = typed.upper()
    return ", ".join(
        str(entry)
        for entry, text in rows
        if text.upper() == asked or (not whole and text.upper().endswith(asked))
    )


def _amount(connection: apsw.Connection, query: ReceiptQuery, made: Conditions) -> None:
    if query.least is None and query.most is None:
        return
    least = 0 if query.least is None else para(query.least)
    most = _LAST if query.most is None else para(query.most)
    made.add("total BETWEEN ? AND ?", least, most)
    (rows,) = _first(connection, _SOME_AMOUNTS, least, most, MOST_SORTED + 1)
    if rows <= MOST_SORTED:
        select = (
            "SELECT at, row FROM receipt INDEXED BY receipt_total WHERE total BETWEEN ? AND ? AND"
        )
        made.ways.append(Way(rows, select=select, values=(least, most)))


def _words(connection: apsw.Connection, typed: str, made: Conditions) -> None:
    """Find the entries in which each typed word begins a word; a receipt needs one of them."""
    parts = words(typed)[:_MOST_WORDS]
    if not parts:
        made.finds_nothing |= bool(typed.strip())
        return
    match = " AND ".join(f'"{part}"*' for part in parts)
    entries = [row[0] for row in connection.execute(_MATCH, (match,))]
    for person in receipt_facets.persons_called(typed):
        found = _first(connection, _ENTRY, person.sort.value, person.text)
        entries += [] if found is None else [found[0]]
    _named(connection, "has_words", entries, made)


def _contents(connection: apsw.Connection, query: ReceiptQuery, made: Conditions) -> None:
    """Add conditions on a receipt's content, and on the hour of its signing, as in reports."""
    if query.hour is not None:
        made.add("hour = ?", query.hour)
    if query.label is not None:
        made.add("labels & ?", 1 << LABELS.index(query.label))
    if query.articles:
        articles = connection.execute(_ARTICLES, (receipt_facets.FacetSort.ARTICLE.value,))
        entries = [
            entry for entry, text in articles if receipt_facets.article_of(text) in query.articles
        ]
        _named(connection, "has_article", entries, made)


def _named(
    connection: apsw.Connection, function: str, entries: list[int], made: Conditions
) -> None:
    made.functions[function] = has_one_of(frozenset(entries))
    made.add(f"{function}(named)")
    made.finds_nothing |= not entries
    if 0 < len(entries) <= _MOST_ENTRIES:
        (rows,) = _first(connection, _RECEIPTS_OF, as_list(entries))
        made.ways.append(Way(rows, tuple(entries)))


def receipts_in(connection: apsw.Connection) -> int:
    return int(_first(connection, "SELECT coalesce(max(receipts), 0) FROM fed")[0])


def _first(connection: apsw.Connection, sql: str, *values: int | str) -> Any:
    return connection.execute(sql, values).fetchone()


def as_list(numbers: Iterable[int]) -> str:
    return f"[{','.join(map(str, numbers))}]"


def key_of(position: ListPosition | None) -> Key | None:
    return None if position is None else (position.at, position.row)
