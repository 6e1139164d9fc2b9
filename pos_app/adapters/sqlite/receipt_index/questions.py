"""Translates queries of the list into SQL over `receipt`, and sums up what they find.

Receipts are read by time, the newest first, by an index that has all that is compared: 1,000,000
take 70 ms. Where a condition that needs more (a number's end, an amount, an article) finds few,
these alone are read. The conditions decide alone what is found.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

import apsw

from pos_app.adapters.sqlite.journal.rows import moment_of, ms
from pos_app.adapters.sqlite.receipt_index.schema import KINDS, LABELS, METHODS
from pos_app.adapters.sqlite.stored_values import para
from pos_app.domain.receipt.receipt_list import EVERYTHING, ListPosition, ReceiptQuery, Turnover
from pos_app.domain.receipt.request import TransactionType
from pos_app.domain.text.instant import beginning_of, day_of
from pos_app.domain.text.search_text import words
from pos_app.fiscalization.found_by import kept_buyer, persons_called
from pos_app.lazy_dataclass import dataclass

FEW = 10_000
"""The most receipts that are looked up one by one and sorted."""
SUM_SECONDS = 1.0
"""The longest time for a turnover."""
_BETWEEN_LOOKS = 50_000
"""Instructions of SQLite between two looks at the clock."""
_LOOKED_FOR = 3
"""The fewest last digits for a search by number: with two, one receipt of a hundred is found."""
_LAST = 2**62
_BY_TIME = "receipt INDEXED BY receipt_by_time"
_ONE_BY_ONE = "receipt NOT INDEXED"
"""Without both SQLite takes the index of one condition and sorts all that it finds: it knows
nothing of how many these are."""
_NAME = "SELECT id FROM name WHERE sort = '{0}' AND text = ?"
_CALLED = (
    "SELECT id, sort = 'article' FROM name_words JOIN name ON id = name_words.rowid"
    " WHERE name_words MATCH ?"
)
_HEADS = "SELECT id, text FROM name WHERE sort = 'head'"
_ARTICLES = "SELECT id FROM name WHERE article = ?"
_SOLD = "SELECT receipt FROM line WHERE article IN ({0})"
_HAS_SOLD = "EXISTS (SELECT 1 FROM line WHERE receipt = row AND +article IN ({0}))"
"""The plus keeps SQLite from looking each article up for each receipt."""


@dataclass(slots=True)
class Conditions:
    """A query as SQL. sql: joined by AND, over the columns of `receipt`. few: statements that find
    the rows of one condition each, with their values."""

    sql: list[str] = field(default_factory=lambda: ["1"])
    values: list[int | str] = field(default_factory=list)
    few: list[tuple[str, tuple[int | str, ...]]] = field(default_factory=list)

    def add(self, sql: str, *values: int | str) -> None:
        self.sql.append(sql)
        self.values += values


def conditions_of(connection: apsw.Connection, query: ReceiptQuery) -> Conditions:
    made = Conditions()
    if query.since is not None:
        made.add("day >= ? AND at >= ?", day_of(query.since).toordinal(), ms(query.since))
    if query.until is not None:
        made.add("day <= ? AND at < ?", day_of(query.until).toordinal(), ms(query.until))
    if query.kinds:
        made.add(f"kind IN ({_listed(map(KINDS.index, query.kinds))})")
    if query.payments:
        made.add("methods & ?", sum(1 << METHODS.index(method) for method in query.payments))
    if query.label is not None:
        made.add("labels & ?", 1 << LABELS.index(query.label))
    if query.hour is not None:
        made.add("hour = ?", query.hour)
    if query.asks_e_invoice:
        made.add("e_invoice = 1")
    buyer = None if query.buyer is None else kept_buyer(query.buyer)
    chosen = (("cashier", query.cashier), ("program", query.program), ("buyer", buyer))
    for column, text in chosen:
        if text is not None:
            made.add(f"{column} = ({_NAME.format(column)})", text)
    if query.articles:
        _sold(made, _sold_as(connection, query))
    _amount(query, made)
    _number(connection, query.number.strip(), made)
    _words(connection, query.words, made)
    return made


def _amount(query: ReceiptQuery, made: Conditions) -> None:
    if query.least is not None or query.most is not None:
        least = 0 if query.least is None else para(query.least)
        most = _LAST if query.most is None else para(query.most)
        made.add("total BETWEEN ? AND ?", least, most)
        made.few.append(("SELECT row FROM receipt WHERE total BETWEEN ? AND ?", (least, most)))


def _number(connection: apsw.Connection, typed: str, made: Conditions) -> None:
    if not typed:
        return
    head, hyphen, digits = typed.rpartition("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
        ends = "counter % 1000 IS NULL"
        made.add(f"counter IS NULL AND head IN ({_heads(connection, typed, is_whole=True)})")
    elif hyphen:
        ends = f"counter % 1000 = {int(digits) % 1000} AND counter = {int(digits)}"
        made.add(f"{ends} AND head IN ({_heads(connection, head, is_whole=False)})")
    else:
        counter, step = int(digits), 10 ** len(digits)
        least = counter + step if digits.startswith("0") else counter
        made.add("counter % ? = ? AND counter >= ?", step, counter, least)
        if len(digits) < _LOOKED_FOR:
            return
        ends = f"counter % 1000 = {counter % 1000} AND counter % {step} = {counter}"
    made.few.append((f"SELECT row FROM receipt WHERE {ends}", ()))


def _heads(connection: apsw.Connection, typed: str, *, is_whole: bool) -> str:
    """Return numbers' first parts that end with (is_whole: equal) the typed text."""
    asked = typed.upper()
    return _listed(
        head
        for head, text in connection.execute(_HEADS)
        if text.upper() == asked or (not is_whole and text.upper().endswith(asked))
    )


def _words(connection: apsw.Connection, typed: str, made: Conditions) -> None:
    """Find the names of which each typed word begins a word; a receipt needs one of them."""
    if not typed.strip():
        return
    articles, persons = list[int](), list[int]()
    if parts := words(typed):
        match = " AND ".join(f'"{part}"*' for part in parts)
        for one, is_article in connection.execute(_CALLED, (match,)):
            (articles if is_article else persons).append(one)
        for kept in persons_called(typed):
            persons += _first_of(connection, _NAME.format("buyer"), kept)
    if articles and not persons:
        _sold(made, articles)
        return
    among = _listed(persons)
    is_person = f"(cashier IN ({among}) OR buyer IN ({among}))"
    if not articles:
        made.add(is_person)
        return
    among = _listed(articles)
    made.add(f"({is_person} OR {_HAS_SOLD.format(among)})")
    by_person = f"SELECT row FROM {_BY_TIME} WHERE {is_person}"
    made.few.append((f"{_SOLD.format(among)} UNION ALL {by_person}", ()))


def _sold(made: Conditions, articles: Iterable[int]) -> None:
    among = _listed(articles)
    made.add(_HAS_SOLD.format(among))
    made.few.append((_SOLD.format(among), ()))


def _sold_as(connection: apsw.Connection, query: ReceiptQuery) -> list[int]:
    """Return the printed articles of a query's articles."""
    return [one for key in query.articles for one in _first_of(connection, _ARTICLES, key)]


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _first_of(connection: apsw.Connection, sql: str, value: str) -> list[int]:
    return [row[0] for row in connection.execute(sql, (value,))]


# --- answers -------------------------------------------------------------------------------------


def page_of(
    connection: apsw.Connection, made: Conditions, after: ListPosition | None, most: int
) -> list[int]:
    """Return at most `most` rows that meet the conditions, behind `after`, the newest first."""
    source, sql, values = _found(connection, made)
    if after is not None:
        sql += " AND (day, at, row) < (?, ?, ?)"
        values += (day_of(moment_of(after.at)).toordinal(), after.at, after.row)
    newest = "ORDER BY day DESC, at DESC, row DESC LIMIT ?"
    asked = f"SELECT row FROM {source} WHERE {sql} {newest}"
    return [row[0] for row in connection.execute(asked, (*values, most))]


def turnover_of(
    connection: apsw.Connection, made: Conditions, query: ReceiptQuery
) -> Turnover | None:
    """Return the turnover, or None where it would take too long."""
    source, sql, values = _found(connection, made)
    asked = f"SELECT kind, count(*), sum(total) FROM {source} WHERE {sql} GROUP BY kind"
    end = time.monotonic() + SUM_SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > end, _BETWEEN_LOOKS)
    try:
        found = connection.execute(asked, values).fetchall()
        part = _part_of(connection, query)
    except apsw.InterruptError:
        return None
    finally:
        connection.set_progress_handler(None)
    sold = dict.fromkeys(TransactionType, 0)
    for kind, *_, amount in found if part is None else part:
        if KINDS[kind].invoice_type.is_fiscal:
            sold[KINDS[kind].transaction_type] += amount
    return Turnover(
        sales=Decimal(sold[TransactionType.SALE]).scaleb(-2),
        refunds=Decimal(sold[TransactionType.REFUND]).scaleb(-2),
        documents={KINDS[kind]: receipts for kind, receipts, _ in found},
        is_part=part is not None,
    )


def _found(connection: apsw.Connection, made: Conditions) -> tuple[str, str, tuple[int | str, ...]]:
    """Return where to read, the conditions, and their values."""
    sql, values = " AND ".join(made.sql), tuple(made.values)
    for few, its_values in made.few:
        many = f"SELECT count(*) FROM (SELECT 1 FROM ({few}) LIMIT {FEW + 1})"
        if connection.execute(many, its_values).get <= FEW:
            return _ONE_BY_ONE, f"row IN ({few}) AND {sql}", (*its_values, *values)
    return _BY_TIME, sql, values


def _part_of(connection: apsw.Connection, query: ReceiptQuery) -> list[Any] | None:
    """Return the sums by kind of the part of receipts that is of the query's label, methods or
    articles, as reports have it; or None for a query of another form."""
    days = _whole_days(query.since, query.until)
    asked = replace(query, since=None, until=None, kinds=frozenset())
    if days is None:
        return None
    if asked.articles and asked == replace(EVERYTHING, articles=asked.articles):
        source, conditions = "line", [f"article IN ({_listed(_sold_as(connection, query))})"]
    elif asked != EVERYTHING and asked == replace(
        EVERYTHING, label=asked.label, payments=asked.payments
    ):
        source, conditions = "money", list[str]()
        if asked.label is not None:
            conditions.append(f"label = {LABELS.index(asked.label)}")
        if asked.payments:
            methods = _listed(map(METHODS.index, asked.payments))
            conditions.append(f"method IN ({methods})")
    else:
        return None
    if query.kinds:
        conditions.append(f"kind IN ({_listed(map(KINDS.index, query.kinds))})")
    sql = " AND ".join([*conditions, "day >= ? AND day < ?"])
    return connection.execute(
        f"SELECT kind, sum(amount) FROM {source} WHERE {sql} GROUP BY kind", days
    ).fetchall()


def _whole_days(since: datetime | None, until: datetime | None) -> tuple[int, int] | None:
    """Return the first day and the one behind the last, or None for parts of days."""
    for moment in (since, until):
        if moment is not None and beginning_of(day_of(moment)) != moment:
            return None
    first = 0 if since is None else day_of(since).toordinal()
    return first, _LAST if until is None else day_of(until).toordinal()
