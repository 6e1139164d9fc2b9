"""Reports from the list of receipts, by SQL over the sums of its days.

They are read on a connection of their own, in a thread beside that of the list, so that neither the
list nor a receipt waits for a report; while SQLite adds up, other threads run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import apsw

from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.receipt_index.feeding import Fed, fed_of
from pos_app.adapters.sqlite.receipt_index.report_feeding import BEFORE, CELLS, SumSort
from pos_app.adapters.sqlite.receipt_index.schema import KINDS, LABELS, METHODS
from pos_app.adapters.sqlite.stored_values import money
from pos_app.domain.receipt import reports
from pos_app.domain.receipt.receipt_list import ListState
from pos_app.domain.receipt.request import TransactionType
from pos_app.fiscalization.receipt_facets import number_of

_PATIENCE = 2_000
"""Milliseconds that a read waits for a file that is being made."""


def _kind_indices(transaction: TransactionType) -> str:
    found = (
        str(index)
        for index, kind in enumerate(KINDS)
        if kind.invoice_type.is_fiscal and kind.transaction_type is transaction
    )
    return ", ".join(found)


_SALES, _REFUNDS = _kind_indices(TransactionType.SALE), _kind_indices(TransactionType.REFUND)
_SUMS = (
    f"sum(receipts), sum(amount) FILTER (WHERE kind IN ({_SALES})),"
    f" sum(amount) FILTER (WHERE kind IN ({_REFUNDS}))"
)
_NET = f"sum(CASE WHEN kind IN ({_SALES}) THEN {{0}} ELSE -{{0}} END)"
_OF_DAYS = (
    f"SELECT day, sum(receipts), sum(total) FILTER (WHERE kind IN ({_SALES})),"
    f" sum(total) FILTER (WHERE kind IN ({_REFUNDS})) FROM day"
    f" WHERE day >= ? AND day < ? AND kind IN ({_SALES}, {_REFUNDS}) GROUP BY day ORDER BY day"
)
_BY_KEY = (
    f"SELECT key, {_SUMS}, {_NET.format('tax')} FROM sums"
    " WHERE sort = ? AND day >= ? AND day < ? GROUP BY key"
)
_BY_ARTICLE = (
    "SELECT sold.key, receipts, sales, refunds, sold.name, quantity FROM ("
    "SELECT sums.key, sum(receipts) AS receipts,"
    f" sum(amount) FILTER (WHERE kind IN ({_SALES})) AS sales,"
    f" sum(amount) FILTER (WHERE kind IN ({_REFUNDS})) AS refunds,"
    f" {_NET.format('quantity')} AS quantity FROM json_each(?) AS part"
    " CROSS JOIN sums ON sort = part.value ->> 0"
    " AND day >= part.value ->> 1 AND day < part.value ->> 2 GROUP BY sums.key"
    ") AS found JOIN sold ON sold.id = found.key"
    " ORDER BY coalesce(refunds, 0) - coalesce(sales, 0), sold.name, sold.key"
)
_BOOKS = (
    "SELECT day, kind, key, amount, tax FROM sums WHERE sort = ? AND day >= ? AND day < ?"
    " ORDER BY day, key, kind"
)
_UNTAXED = "SELECT coalesce(sum(receipts), 0) FROM sums WHERE sort = ? AND day >= ? AND day < ?"
_OPEN_AT = (
    "SELECT text, counter, open.day, paid FROM"
    " (SELECT chain, min(at) AS at, row, day, sum(amount) AS paid FROM paid_advance WHERE day < ?"
    " GROUP BY chain HAVING sum(amount) > 0) AS open"
    " JOIN receipt ON receipt.at = open.at AND receipt.row = open.row"
    " JOIN entry ON entry.id = head ORDER BY open.at, open.row"
)


class ReportReader:
    """Reads reports from the file at a path. The rows of the last question are remembered while the
    list stays the same, because they are read page by page."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last: tuple[tuple[reports.ReportAsked, Fed | None], reports.ReportSums] | None = None

    def report(self, asked: reports.ReportAsked, state: ListState) -> reports.ReportSums:
        """Return a page of the report. Raises MachineError."""
        question = replace(asked, skip=0)
        with (
            translated_errors(self._path.name),
            closing(open_reader(self._path, patience=_PATIENCE)) as connection,
            connection,
        ):
            fed = fed_of(connection)
            if self._last is None or self._last[0] != (question, fed):
                self._last = ((question, fed), _whole(connection, question))
            _, whole = self._last
        return _page(replace(whole, state=state), asked.skip)


def _page(whole: reports.ReportSums, skip: int) -> reports.ReportSums:
    end = skip + reports.ROWS_AT_ONCE
    return replace(
        whole,
        rows=whole.rows[skip:end],
        books=whole.books[skip:end],
        open_advances=() if skip else whole.open_advances,
        go_on=end if end < whole.many else None,
    )


def _whole(connection: apsw.Connection, asked: reports.ReportAsked) -> reports.ReportSums:
    first, end = asked.first.toordinal(), asked.last.toordinal() + 1
    days: list[Any] = connection.execute(_OF_DAYS, (first, end)).fetchall()
    labels: list[Any] = connection.execute(_BY_KEY, (SumSort.LABEL, first, end)).fetchall()
    total = replace(_total("", days), tax=_amount(sum(row[4] for row in labels)))
    whole = reports.ReportSums(
        total,
        ListState(0, 0),
        untaxed=connection.execute(_UNTAXED, (SumSort.UNTAXED, first, end)).get,
    )
    if asked.grouping is reports.Grouping.BOOKS:
        books = tuple(map(_book, connection.execute(_BOOKS, (SumSort.CELL, first, end))))
        advances = tuple(map(_advance, connection.execute(_OPEN_AT, (end,))))
        return replace(whole, books=books, open_advances=advances, many=len(books))
    rows = _rows(connection, asked, days, labels)
    return replace(whole, rows=tuple(rows), many=len(rows))


def _rows(
    connection: apsw.Connection,
    asked: reports.ReportAsked,
    days: Sequence[Any],
    labels: Sequence[Any],
) -> list[reports.ReportRow]:
    match asked.grouping:
        case reports.Grouping.DAY:
            return [_row(date.fromordinal(row[0]).isoformat(), row) for row in days]
        case reports.Grouping.MONTH:
            return _by_month(days)
        case reports.Grouping.ARTICLE:
            return _by_article(connection, asked.first, asked.last)
        case reports.Grouping.LABEL:
            return _largest_first([_row(LABELS[row[0]].value, row) for row in labels])
    first, end = asked.first.toordinal(), asked.last.toordinal() + 1
    sort = SumSort[asked.grouping.name]
    found: list[Any] = connection.execute(_BY_KEY, (sort, first, end)).fetchall()
    if asked.grouping is reports.Grouping.HOUR:
        return [_row(f"{row[0]:02}", row) for row in found]
    if asked.grouping is reports.Grouping.METHOD:
        return _largest_first([_row(_method(row[0]), row) for row in found])
    name = "SELECT text FROM entry WHERE id = ?"
    return _largest_first([_row(connection.execute(name, (row[0],)).get, row) for row in found])


def _by_month(days: Sequence[Any]) -> list[reports.ReportRow]:
    months = defaultdict[str, list[Any]](list)
    for row in days:
        months[date.fromordinal(row[0]).isoformat()[:7]].append(row)
    return [_total(month, of_it) for month, of_it in months.items()]


Section = tuple[SumSort, int, int]
"""A sort of sums, and the range of its days: from, and before."""


def as_sections(sections: Iterable[Section]) -> str:
    return "[" + ",".join(f"[{int(sort)},{since},{until}]" for sort, since, until in sections) + "]"


def article_sections(first: date, end: date) -> list[Section]:
    """Return the sections from `first` until before `end`: whole months by their own sums, other
    days by theirs."""
    month_from = first if first.day == 1 else _next_month(first)
    month_to = end.replace(day=1)
    if month_from >= month_to:
        return [(SumSort.ARTICLE, first.toordinal(), end.toordinal())]
    middle, after = month_from.toordinal(), month_to.toordinal()
    return [
        (SumSort.ARTICLE, first.toordinal(), middle),
        (SumSort.ARTICLE_MONTH, middle, after),
        (SumSort.ARTICLE, after, end.toordinal()),
    ]


def _by_article(connection: apsw.Connection, first: date, last: date) -> list[reports.ReportRow]:
    sections = as_sections(article_sections(first, last + timedelta(days=1)))
    return [
        reports.ReportRow(
            key=row[0],
            receipts=row[1],
            sales=_amount(row[2]),
            refunds=_amount(row[3]),
            name=row[4],
            quantity=Decimal(row[5]).scaleb(-3),
        )
        for row in connection.execute(_BY_ARTICLE, (sections,))
    ]


def _next_month(day: date) -> date:
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)


def _row(key: str, row: Any) -> reports.ReportRow:
    """Read a row with receipts, sales, refunds and, where it has one, tax."""
    tax = _amount(row[4]) if len(row) > 4 else Decimal(0)
    return reports.ReportRow(key, row[1], _amount(row[2]), _amount(row[3]), tax=tax)


def _total(key: str, days: Sequence[Any]) -> reports.ReportRow:
    receipts = sum(row[1] for row in days)
    sales, refunds = (sum(row[index] or 0 for row in days) for index in (2, 3))
    return reports.ReportRow(key, receipts, _amount(sales), _amount(refunds))


def _largest_first(rows: list[reports.ReportRow]) -> list[reports.ReportRow]:
    return sorted(rows, key=lambda row: (-row.net, row.key))


def _method(index: int) -> str:
    return reports.PAID_BEFORE if index == BEFORE else METHODS[index].value


def _amount(para: int | None) -> Decimal:
    """Return a sum as an amount, which may be larger than any receipt's."""
    return Decimal(para or 0).scaleb(-2)


def _book(row: Any) -> reports.BookRow:
    label, method = divmod(row[2], CELLS)
    return reports.BookRow(
        date.fromordinal(row[0]),
        KINDS[row[1]],
        LABELS[label].value,
        _method(method),
        _amount(row[3]),
        _amount(row[4]),
    )


def _advance(row: Any) -> reports.AdvanceAt:
    return reports.AdvanceAt(number_of(row[0], row[1]), date.fromordinal(row[2]), money(row[3]))
