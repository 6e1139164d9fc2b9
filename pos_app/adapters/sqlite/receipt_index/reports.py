"""Reports from the list of receipts: SQL adds up the receipts of a period, their money and lines.

They are read on a connection of their own, in a thread beside that of the list, so that neither the
list nor a receipt waits for a report; while SQLite adds up, other threads run.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from typing import Any

import apsw

from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.journal.rows import ms
from pos_app.adapters.sqlite.receipt_index.feeding import Fed, fed_of
from pos_app.adapters.sqlite.receipt_index.receivables import receivables_at
from pos_app.adapters.sqlite.receipt_index.schema import BEFORE, KINDS, LABELS, METHODS, UNPAID
from pos_app.adapters.sqlite.stored_values import money
from pos_app.domain.receipt import reports
from pos_app.domain.receipt.receipt_list import ListState
from pos_app.domain.receipt.request import TransactionType
from pos_app.domain.text.instant import beginning_of
from pos_app.fiscalization.found_by import number_of

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
_IN_PERIOD = f"day >= ? AND day < ? AND kind IN ({_SALES}, {_REFUNDS})"
_SUMS = (
    f"coalesce(sum({{0}}) FILTER (WHERE kind IN ({_SALES})), 0),"
    f" coalesce(sum({{0}}) FILTER (WHERE kind IN ({_REFUNDS})), 0)"
)
_NET = f"sum(CASE WHEN kind IN ({_SALES}) THEN {{0}} ELSE -{{0}} END)"
_BY_RECEIPT = (
    f"SELECT {{0}}, count(*), {_SUMS.format('total')}, sum(untaxed) FROM receipt"
    f" WHERE {_IN_PERIOD} GROUP BY {{0}} ORDER BY {{0}}"
)
_BY_CASHIER = (
    f"WITH found (cashier, receipts, sales, refunds) AS (SELECT cashier, count(*),"
    f" {_SUMS.format('total')} FROM receipt WHERE {_IN_PERIOD} GROUP BY cashier)"
    " SELECT text, receipts, sales, refunds FROM found JOIN name ON id = cashier"
)
_BY_PART = (
    f"SELECT {{0}}, count(DISTINCT receipt), {_SUMS.format('amount')}, {_NET.format('tax')}"
    f" FROM money WHERE {_IN_PERIOD} GROUP BY {{0}}"
)
_BY_ARTICLE = (
    "WITH sold (article, receipts, sales, refunds, quantity) AS"
    f" (SELECT name.article, sum(is_first), {_SUMS.format('amount')}, {_NET.format('quantity')}"
    " FROM name CROSS JOIN line ON line.article = name.id"
    f" WHERE name.at >= ? AND {_IN_PERIOD} GROUP BY name.id)"
    " SELECT article, sum(receipts), sum(sales), sum(refunds), (SELECT shown FROM name"
    " WHERE name.article = sold.article ORDER BY at DESC LIMIT 1) AS shown, sum(quantity)"
    " FROM sold GROUP BY article ORDER BY sum(refunds) - sum(sales), shown, article"
)
_BOOKS = (
    f"SELECT day, kind, label, method, sum(amount), sum(tax) FROM money WHERE {_IN_PERIOD}"
    " AND (amount <> 0 OR tax <> 0) GROUP BY day, label, method, kind"
)
_OPEN_AT = (
    "SELECT text, counter, open.day, paid FROM"
    " (SELECT chain, min(at) AS at, row, day, sum(amount) AS paid FROM paid_advance WHERE day < ?"
    " GROUP BY chain HAVING sum(amount) > 0) AS open"
    " JOIN receipt USING (row) JOIN name ON name.id = head ORDER BY open.at, open.row"
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
                self._last = ((question, fed), _answer(connection, question))
            _, whole = self._last
        return _page(replace(whole, state=state), asked.skip)


def _page(whole: reports.ReportSums, skip: int) -> reports.ReportSums:
    end = skip + reports.ROWS_AT_ONCE
    return replace(
        whole,
        rows=whole.rows[skip:end],
        books=whole.books[skip:end],
        receivables=whole.receivables[skip:end],
        open_advances=() if skip else whole.open_advances,
        go_on=end if end < whole.many else None,
    )


def _answer(connection: apsw.Connection, asked: reports.ReportAsked) -> reports.ReportSums:
    if asked.grouping is not reports.Grouping.RECEIVABLES:
        return _whole(connection, asked)
    later = receivables_at(connection, asked.methods, end=asked.last.toordinal() + 1)
    return reports.ReportSums(reports.NOTHING, ListState(0, 0), receivables=later, many=len(later))


def _whole(connection: apsw.Connection, asked: reports.ReportAsked) -> reports.ReportSums:
    period = (asked.first.toordinal(), asked.last.toordinal() + 1)

    def read(sql: str, *values: int) -> list[Any]:
        return connection.execute(sql, (*values, *period)).fetchall()

    days, labels = read(_BY_RECEIPT.format("day")), read(_BY_PART.format("label"))
    whole = reports.ReportSums(
        replace(_total("", days), tax=_amount(sum(row[4] for row in labels))),
        ListState(0, 0),
        untaxed=sum(row[4] for row in days),
    )
    rows = list[reports.ReportRow]()
    match asked.grouping:
        case reports.Grouping.BOOKS:
            books = tuple(map(_book, read(_BOOKS)))
            advances = tuple(map(_advance, connection.execute(_OPEN_AT, (period[1],))))
            return replace(whole, books=books, open_advances=advances, many=len(books))
        case reports.Grouping.DAY:
            rows = [_row(date.fromordinal(row[0]).isoformat(), row) for row in days]
        case reports.Grouping.MONTH:
            months = groupby(days, lambda row: date.fromordinal(row[0]).isoformat()[:7])
            rows = [_total(month, list(of_it)) for month, of_it in months]
        case reports.Grouping.HOUR:
            rows = [_row(f"{row[0]:02}", row) for row in read(_BY_RECEIPT.format("hour"))]
        case reports.Grouping.CASHIER:
            rows = _largest_first([_row(row[0], row) for row in read(_BY_CASHIER)])
        case reports.Grouping.LABEL:
            rows = _largest_first([_row(LABELS[row[0]].value, row, row[4]) for row in labels])
        case reports.Grouping.METHOD:
            found = [row for row in read(_BY_PART.format("method")) if row[0] != UNPAID]
            rows = _largest_first([_row(_method(row[0]), row) for row in found])
        case reports.Grouping.ARTICLE:
            rows = [
                replace(_row(row[0], row), name=row[4], quantity=Decimal(row[5]).scaleb(-3))
                for row in read(_BY_ARTICLE, ms(beginning_of(asked.first)))
            ]
    return replace(whole, rows=tuple(rows), many=len(rows))


def _row(key: str, row: Any, tax: int = 0) -> reports.ReportRow:
    """Read a row with receipts, sales and refunds."""
    return reports.ReportRow(key, row[1], _amount(row[2]), _amount(row[3]), tax=_amount(tax))


def _total(key: str, days: Sequence[Any]) -> reports.ReportRow:
    return _row(key, (key, *(sum(row[index] for row in days) for index in (1, 2, 3))))


def _largest_first(rows: list[reports.ReportRow]) -> list[reports.ReportRow]:
    return sorted(rows, key=lambda row: (-row.net, row.key))


def _method(index: int) -> str:
    return reports.PAID_BEFORE if index == BEFORE else METHODS[index].value


def _amount(para: int) -> Decimal:
    """Return a sum as an amount, which may be larger than any receipt's."""
    return Decimal(para).scaleb(-2)


def _book(row: Any) -> reports.BookRow:
    day, kind, label, method, amount, tax = row
    return reports.BookRow(
        date.fromordinal(day),
        KINDS[kind],
        LABELS[label].value,
        _method(method),
        _amount(amount),
        _amount(tax),
    )


def _advance(row: Any) -> reports.AdvanceAt:
    return reports.AdvanceAt(number_of(row[0], row[1]), date.fromordinal(row[2]), money(row[3]))
