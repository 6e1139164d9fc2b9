"""What a query asks of a row of `receipt`, and by which way the fewest rows have to be looked at.

The conditions decide alone: a way only leaves out rows that they would not let through. So each
answer is the same whichever way was taken.
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
from pos_app.domain.receipt_list import ListPlace, ReceiptQuery
from pos_app.domain.search_text import words
from pos_app.fiscalization.receipt_facets import (
    E_INVOICE,
    Facet,
    FacetSort,
    article_of,
    buyer_facet,
    kind_facet,
    payment_facet,
    persons_called,
)
from pos_app.lazy_dataclass import dataclass

Key = tuple[int, int]
"""A time and a row: where a receipt stands in the list."""

MOST_MERGED = 300
"""Facets whose receipts are merged by time; more are sorted all at once."""
MOST_SORTED = 8_000
"""Receipts that are sorted all at once (15 ms); where there are more, one of 250 is a hit, and a
page is found sooner by time."""
_MOST_WORDS = 8
_MOST_ENTRIES = 5_000
"""Entries that words find whose receipts are still counted: more are nearly all receipts."""
_LAST = 2**62
_ENTRY = "SELECT id, receipts FROM entry WHERE sort = ? AND text = ?"
_ARTICLES = "SELECT id, text FROM entry WHERE sort = ?"
_RECEIPTS_OF = "SELECT sum(receipts) FROM entry WHERE id IN (SELECT value FROM json_each(?))"
_SOME_AMOUNTS = (
    "SELECT count(*) FROM (SELECT 1 FROM receipt INDEXED BY receipt_total"
    " WHERE total BETWEEN ? AND ? LIMIT ?)"
)
_LOOKED_FOR = 3
"""Digits at the end of a number; where fewer are known, one of a hundred is a hit."""
_BY_COUNTER = "SELECT at, row FROM receipt INDEXED BY receipt_counter WHERE"
_MATCH = "SELECT rowid FROM entry_words WHERE entry_words MATCH ?"


@dataclass(frozen=True, slots=True)
class Way:
    """Which receipts are looked at. rows: about how many there are.

    entries: those of these facets; select: what this statement finds, with its values (it ends
    with a WHERE to which the bounds of the page are added). With neither: all, by time.
    """

    rows: int
    entries: tuple[int, ...] = ()
    select: str = ""
    values: tuple[int, ...] = ()


@dataclass(slots=True)
class Conditions:
    """sql: joined by AND, over the columns of `receipt`. ways: those that there are, by time left
    out. functions: of one value each, which the sql calls."""

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
        """Behind the newest that is asked for."""
        return (self.until, -1)


def conditions_of(connection: apsw.Connection, query: ReceiptQuery) -> Conditions:
    """What the query asks, in the numbers of this file."""
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
    """Whether the entries of a row, as they are stored, have one of these."""

    def has_one(named: bytes) -> bool:
        return not among.isdisjoint(memoryview(named).cast("I"))

    return has_one


# --- what is chosen ------------------------------------------------------------------------------


def _kinds(connection: apsw.Connection, query: ReceiptQuery, made: Conditions) -> None:
    if query.kinds:
        places = sorted(KINDS.index(kind) for kind in query.kinds)
        made.add(f"kind IN ({', '.join(map(str, places))})")
        _one_of(connection, map(kind_facet, query.kinds), made)


def _payments(connection: apsw.Connection, query: ReceiptQuery, made: Conditions) -> None:
    if query.payments:
        made.add("methods & ?", sum(1 << METHODS.index(method) for method in query.payments))
        _one_of(connection, map(payment_facet, query.payments), made)


def _chosen(connection: apsw.Connection, query: ReceiptQuery, made: Conditions) -> None:
    chosen = {
        "cashier": query.cashier is not None and Facet(FacetSort.CASHIER, query.cashier),
        "program": query.program is not None and Facet(FacetSort.PROGRAM, query.program),
        "buyer": query.buyer is not None and buyer_facet(query.buyer),
    }
    for column, facet in chosen.items():
        if facet:
            entries = _one_of(connection, [facet], made)
            made.add(f"{column} = ?", entries[0] if entries else -1)
    if query.asks_e_invoice:
        made.add("e_invoice = 1")
        _one_of(connection, [E_INVOICE], made)


def _one_of(
    connection: apsw.Connection, facets: Iterable[Facet], made: Conditions
) -> tuple[int, ...]:
    """The entries of facets of which a receipt has to have one. A way, but for the usual ones."""
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
    """The entries of numbers' first parts that end so, or are so."""
    rows = connection.execute(
        "SELECT id, text FROM entry WHERE sort = ?", (FacetSort.NUMBER_HEAD.value,)
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
    """Entries of which a receipt has to have one: their words begin with all that was typed."""
    parts = words(typed)[:_MOST_WORDS]
    if not parts:
        made.finds_nothing |= bool(typed.strip())
        return
    match = " AND ".join(f'"{part}"*' for part in parts)
    entries = [row[0] for row in connection.execute(_MATCH, (match,))]
    for person in persons_called(typed):
        found = _first(connection, _ENTRY, person.sort.value, person.text)
        entries += [] if found is None else [found[0]]
    _named(connection, "has_words", entries, made)


def _contents(connection: apsw.Connection, query: ReceiptQuery, made: Conditions) -> None:
    """What a receipt has, and when it was signed, as reports count it."""
    if query.hour is not None:
        made.add("hour = ?", query.hour)
    if query.label is not None:
        made.add("labels & ?", 1 << LABELS.index(query.label))
    if query.articles:
        articles = connection.execute(_ARTICLES, (FacetSort.ARTICLE.value,))
        entries = [entry for entry, text in articles if article_of(text) in query.articles]
        _named(connection, "has_article", entries, made)


def _named(
    connection: apsw.Connection, function: str, entries: list[int], made: Conditions
) -> None:
    """Entries of which a receipt has to have one."""
    made.functions[function] = has_one_of(frozenset(entries))
    made.add(f"{function}(named)")
    made.finds_nothing |= not entries
    if 0 < len(entries) <= _MOST_ENTRIES:
        (rows,) = _first(connection, _RECEIPTS_OF, as_list(entries))
        made.ways.append(Way(rows, tuple(entries)))


def receipts_in(connection: apsw.Connection) -> int:
    """How many the list has."""
    return int(_first(connection, "SELECT coalesce(max(receipts), 0) FROM fed")[0])


def _first(connection: apsw.Connection, sql: str, *values: int | str) -> Any:
    return connection.execute(sql, values).fetchone()


def as_list(numbers: Iterable[int]) -> str:
    """As json_each reads them."""
    return f"[{','.join(map(str, numbers))}]"


def key_of(place: ListPlace | None) -> Key | None:
    return None if place is None else (place.at, place.row)
