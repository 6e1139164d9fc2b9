"""Translates queries of the list into SQL over `receipt`, and sums up what they find.

Receipts are read by time, the newest first, from an index that has all that most conditions
compare: 1,000,000 take 70 ms. A condition that needs more (a number's end, an amount, a word, an
article) is asked for its receipts first: where they are few, these alone are read.
"""

from __future__ import annotations

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
from pos_app.wire.strict_json import dumps

FEW = 10_000
"""The most receipts that are looked up one by one."""
MOST_WORK = 100
"""The work until the receipts with a word, an article, an amount or a number are no longer counted,
in units of `_UNIT` of SQLite's instructions: 0.3 s."""
_UNIT = 100_000
_LOOKED_FOR = 3
"""The fewest last digits for a search by number: with two, one receipt of a hundred is found."""
_LAST = 2**62
_LAST_TIME = 60_000_000_000_000
"""In milliseconds: a calendar has each time within so many of 1970."""
_BY_TIME = "receipt INDEXED BY receipt_by_time"
_ONE_BY_ONE = "receipt NOT INDEXED"
"""Without both SQLite takes the index of some condition and sorts all that it finds, because it
does not know how many these are."""
_CALLED = (
    "SELECT json_group_array(id) FILTER (WHERE sort = 'article'),"
    " json_group_array(id) FILTER (WHERE sort <> 'article') FROM name WHERE"
    " id IN (SELECT rowid FROM name_words WHERE name_words MATCH ?)"
    " OR (sort = 'buyer' AND text IN (SELECT value FROM json_each(?)))"
)
_ARTICLES = "SELECT id FROM name WHERE article IN (SELECT value FROM json_each(:articles))"
_SOLD = "SELECT receipt FROM line WHERE article IN ({0})"
_HAS_SOLD = "EXISTS (SELECT 1 FROM line WHERE receipt = row AND +article IN ({0}))"
"""The plus keeps SQLite from looking each article up for each receipt."""
_NAMED = "SELECT value FROM json_each(:{0})"


@dataclass(slots=True)
class _Conditions:
    """A query as SQL. sql: over the columns of `receipt`, joined by AND. few: statements that find
    the receipts of one condition each. values: of the parameters of them all."""

    sql: list[str] = field(default_factory=lambda: ["1"])
    few: list[str] = field(default_factory=list)
    values: dict[str, int | str] = field(default_factory=dict)

    def add(self, sql: str, **values: int | str) -> None:
        self.sql.append(sql)
        self.values |= values


def _conditions(connection: apsw.Connection, query: ReceiptQuery) -> _Conditions:
    made = _Conditions()
    if query.since is not None:
        first = day_of(query.since).toordinal()
        made.add("day >= :first AND at >= :since", first=first, since=ms(query.since))
    if query.until is not None:
        last = day_of(query.until).toordinal()
        made.add("day <= :last AND at < :until", last=last, until=ms(query.until))
    if query.kinds:
        made.add(f"kind IN ({_positions(KINDS, query.kinds)})")
    if methods := sum(1 << METHODS.index(method) for method in query.payments):
        made.add("methods & :methods", methods=methods)
    if query.label is not None:
        made.add("labels & :labels", labels=1 << LABELS.index(query.label))
    if query.hour is not None:
        made.add("hour = :hour", hour=query.hour)
    if query.asks_e_invoice:
        made.add("e_invoice = 1")
    _chosen(query, made)
    _amount(query, made)
    _number(connection, query.number.strip(), made)
    if query.articles:
        made.add(_HAS_SOLD.format(_ARTICLES), articles=_json(query.articles))
        made.few.append(_SOLD.format(_ARTICLES))
    if query.words.strip():
        _words(connection, query.words, made)
    return made


def _chosen(query: ReceiptQuery, made: _Conditions) -> None:
    buyer = None if query.buyer is None else kept_buyer(query.buyer)
    for sort, text in (("cashier", query.cashier), ("program", query.program), ("buyer", buyer)):
        if text is not None:
            name = f"(SELECT id FROM name WHERE sort = '{sort}' AND text = :{sort})"
            made.add(f"{sort} = {name}", **{sort: text})


def _amount(query: ReceiptQuery, made: _Conditions) -> None:
    if query.least is not None or query.most is not None:
        least = 0 if query.least is None else para(query.least)
        most = _LAST if query.most is None else para(query.most)
        made.add("total BETWEEN :least AND :most", least=least, most=most)
        made.few.append("SELECT row FROM receipt WHERE total BETWEEN :least AND :most")


def _number(connection: apsw.Connection, typed_text: str, made: _Conditions) -> None:
    if not typed_text:
        return
    head, hyphen, digits = typed_text.rpartition("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
        made.add(f"counter IS NULL AND head IN ({_heads(connection, typed_text, is_whole=True)})")
        made.few.append("SELECT row FROM receipt WHERE counter % 1000 IS NULL")
        return
    counter, step = int(digits), 10 ** len(digits)
    made.values |= {"counter": counter, "step": step, "place": counter % 1000}
    if hyphen:
        ends, heads = "counter = :counter", _heads(connection, head, is_whole=False)
        made.add(f"{ends} AND head IN ({heads})")
    else:
        ends = "counter % :step = :counter"
        smallest = counter + step if digits.startswith("0") else counter
        made.add(f"{ends} AND counter >= :smallest", smallest=smallest)
    if hyphen or len(digits) >= _LOOKED_FOR:
        made.few.append(f"SELECT row FROM receipt WHERE counter % 1000 = :place AND {ends}")


def _heads(connection: apsw.Connection, typed_text: str, *, is_whole: bool) -> str:
    """Return numbers' first parts that end with (is_whole: equal) the typed text."""
    asked = typed_text.upper()
    rows = connection.execute("SELECT id, text FROM name WHERE sort = 'head'")
    found = [
        str(head)
        for head, text in rows
        if text.upper() == asked or (not is_whole and text.upper().endswith(asked))
    ]
    return ", ".join(found)


def _words(connection: apsw.Connection, typed_text: str, made: _Conditions) -> None:
    """Ask for each typed word by itself: it begins a word of an article or of a person's name, or
    it is a person's whole number."""
    asked = [word for word in dict.fromkeys(typed_text.split()) if words(word)]
    if not asked:
        made.add("0")
    for number, word in enumerate(asked):
        match = " AND ".join(f'"{part}"*' for part in words(word))
        row: Any = connection.execute(_CALLED, (match, _json(persons_called(word)))).fetchone()
        made.values |= {f"goods{number}": row[0], f"persons{number}": row[1]}
        goods, named = (_NAMED.format(f"{sort}{number}") for sort in ("goods", "persons"))
        person = f"(cashier IN ({named}) OR buyer IN ({named}))"
        if row[0] == "[]":
            made.add(person)
        elif row[1] == "[]":
            made.add(_HAS_SOLD.format(goods))
            made.few.append(_SOLD.format(goods))
        else:
            made.add(f"({person} OR {_HAS_SOLD.format(goods)})")
            by_person = f"SELECT row FROM {_BY_TIME} WHERE {person}"
            made.few.append(f"{_SOLD.format(goods)} UNION ALL {by_person}")


def _positions(codebook: tuple[Any, ...], chosen: Iterable[Any]) -> str:
    return ", ".join(str(codebook.index(one)) for one in chosen)


def _json(texts: Iterable[str]) -> str:
    return dumps(list(texts)).decode()


# --- answers -------------------------------------------------------------------------------------


def page_of(
    connection: apsw.Connection, query: ReceiptQuery, after: ListPosition | None, most: int
) -> list[int]:
    """Return at most `most` rows that the query finds behind `after`, the newest first."""
    made = _conditions(connection, query)
    source = _source(connection, made)
    if after is not None:
        day = day_of(moment_of(min(max(after.at, -_LAST_TIME), _LAST_TIME))).toordinal()
        behind = "(day, at, row) < (:day, :at, :row)"
        made.add(behind, day=day, at=after.at, row=after.row)
    newest = f"ORDER BY day DESC, at DESC, row DESC LIMIT {most}"
    asked = f"SELECT row FROM {source} WHERE {' AND '.join(made.sql)} {newest}"
    return [row[0] for row in connection.execute(asked, made.values)]


def turnover_of(connection: apsw.Connection, query: ReceiptQuery) -> Turnover | None:
    """Return the turnover, or None where it would take too long. The part of a label, of methods
    or of articles is always told, then without the number of receipts."""
    part, made = _part_of(connection, query), _conditions(connection, query)
    source, sql = _source(connection, made), " AND ".join(made.sql)
    if made.few:
        work = iter(range(MOST_WORK))
        connection.set_progress_handler(lambda: next(work, None) is None, _UNIT)
    try:
        counted = f"SELECT kind, count(*), sum(total) FROM {source} WHERE {sql} GROUP BY kind"
        found: list[Any] = connection.execute(counted, made.values).fetchall()
    except apsw.InterruptError:
        if part is None:
            return None
        found = []
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


def _source(connection: apsw.Connection, made: _Conditions) -> str:
    """Return the table to read from, and add the rows to the conditions where they are few."""
    for few in made.few:
        asked = f"SELECT * FROM ({few}) LIMIT {FEW + 1}"
        rows: list[Any] = connection.execute(asked, made.values).fetchall()
        if len(rows) <= FEW:
            found = dumps([row for (row,) in rows]).decode()
            made.add("row IN (SELECT value FROM json_each(:found))", found=found)
            return _ONE_BY_ONE
    return _BY_TIME


def _part_of(connection: apsw.Connection, query: ReceiptQuery) -> list[Any] | None:
    """Return the sums by kind of the part of receipts that is of the query's label, methods or
    articles, as reports have it; or None for a query of another form."""
    days = _whole_days(query.since, query.until)
    asked = replace(query, since=None, until=None, kinds=frozenset())
    if days is None or asked == EVERYTHING:
        return None
    if asked == replace(EVERYTHING, articles=asked.articles):
        source, sql = "line", [f"article IN ({_ARTICLES})"]
    elif asked == replace(EVERYTHING, label=asked.label, payments=asked.payments):
        source, sql = "money", list[str]()
        if asked.label is not None:
            sql.append(f"label = {LABELS.index(asked.label)}")
        if asked.payments:
            sql.append(f"method IN ({_positions(METHODS, asked.payments)})")
    else:
        return None
    if query.kinds:
        sql.append(f"kind IN ({_positions(KINDS, query.kinds)})")
    of_days = " AND ".join([*sql, "day >= :first AND day < :end"])
    values = {"articles": _json(query.articles), "first": days[0], "end": days[1]}
    sums = f"SELECT kind, sum(amount) FROM {source} WHERE {of_days} GROUP BY kind"
    return connection.execute(sums, values).fetchall()


def _whole_days(since: datetime | None, until: datetime | None) -> tuple[int, int] | None:
    """Return the first day and the one behind the last, or None for parts of days."""
    for moment in (since, until):
        if moment is not None and beginning_of(day_of(moment)) != moment:
            return None
    first = 0 if since is None else day_of(since).toordinal()
    return first, _LAST if until is None else day_of(until).toordinal()
