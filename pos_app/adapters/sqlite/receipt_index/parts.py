"""Sums up the receipts with one property, from the sums that reports are made of. For an hour or a
cashier whole receipts are summed up; for a label, methods or articles only the part of each receipt
that has them. So the list that opens from a bar shows the same sum as the bar, even for a year."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

import apsw

from pos_app.adapters.sqlite.receipt_index.conditions import as_list
from pos_app.adapters.sqlite.receipt_index.report_feeding import CELLS, SumSort
from pos_app.adapters.sqlite.receipt_index.reports import article_sections, as_sections
from pos_app.adapters.sqlite.receipt_index.schema import KINDS, LABELS, METHODS
from pos_app.domain.receipt.receipt_list import EVERYTHING, ReceiptQuery
from pos_app.domain.text.instant import beginning_of, day_of
from pos_app.fiscalization.receipt_facets import FacetSort
from pos_app.lazy_dataclass import dataclass

_FIRST, _END = date(2000, 1, 1), date(2200, 1, 1)
"""No receipt is outside of these days."""
_PARTS = (
    "SELECT kind, sum(receipts), sum(amount) FROM json_each(?) AS section"
    " CROSS JOIN sums ON sort = section.value ->> 0"
    " AND day >= section.value ->> 1 AND day < section.value ->> 2"
    " WHERE sums.key IN (SELECT value FROM json_each(?)) GROUP BY kind"
)
_SOLD = "SELECT id, key FROM sold"
_CASHIER = "SELECT id FROM entry WHERE sort = ? AND text = ?"


@dataclass(frozen=True, slots=True)
class Part:
    """The sums of a query. by_kind: number of receipts, and their amount in para, by kind. counts:
    whether `by_kind` counts every receipt of the query once. It does not if the query has several
    keys, because a receipt may be in several sums, or if it includes receipts that are not fiscal,
    which have no sums."""

    by_kind: dict[int, tuple[int, int]]
    is_part: bool
    counts: bool


@dataclass(frozen=True, slots=True)
class _Asked:
    sort: SumSort
    keys: Sequence[int]
    is_part: bool = True


def part_of(connection: apsw.Connection, query: ReceiptQuery) -> Part | None:
    """Return the part if the query has whole days and, beside kinds, one property; else None."""
    days = _whole_days(query.since, query.until)
    asked = None if days is None else _asked(connection, query)
    if days is None or asked is None:
        return None
    first, end = days
    sections = [(asked.sort, first.toordinal(), end.toordinal())]
    if asked.sort is SumSort.ARTICLE:
        sections = article_sections(first, end)
    rows = connection.execute(_PARTS, (as_sections(sections), as_list(asked.keys)))
    wanted = {KINDS.index(kind) for kind in query.kinds} or range(len(KINDS))
    by_kind = {kind: (receipts, amount) for kind, receipts, amount in rows if kind in wanted}
    is_summed = all(KINDS[kind].invoice_type.is_fiscal for kind in wanted)
    return Part(by_kind, asked.is_part, counts=is_summed and len(asked.keys) == 1)


def _whole_days(since: datetime | None, until: datetime | None) -> tuple[date, date] | None:
    """Return the first day, and the one behind the last."""
    for moment in (since, until):
        if moment is not None and beginning_of(day_of(moment)) != moment:
            return None
    first = _FIRST if since is None else max(day_of(since), _FIRST)
    end = _END if until is None else min(day_of(until), _END)
    return first, max(first, end)


def _asked(connection: apsw.Connection, query: ReceiptQuery) -> _Asked | None:
    asked = replace(query, since=None, until=None, kinds=frozenset())
    methods = [METHODS.index(method) for method in asked.payments]
    if asked == replace(EVERYTHING, hour=asked.hour) and asked.hour is not None:
        return _Asked(SumSort.HOUR, [asked.hour], is_part=False)
    if asked == replace(EVERYTHING, cashier=asked.cashier) and asked.cashier is not None:
        found = connection.execute(_CASHIER, (FacetSort.CASHIER.value, asked.cashier))
        return _Asked(SumSort.CASHIER, [row[0] for row in found], is_part=False)
    if asked == replace(EVERYTHING, label=asked.label, payments=asked.payments):
        return _of_money(asked, methods)
    if asked == replace(EVERYTHING, articles=asked.articles):
        sold = [number for number, key in connection.execute(_SOLD) if key in asked.articles]
        return _Asked(SumSort.ARTICLE, sold)
    return None


def _of_money(asked: ReceiptQuery, methods: Sequence[int]) -> _Asked | None:
    if asked.label is None:
        return _Asked(SumSort.METHOD, methods) if methods else None
    label = LABELS.index(asked.label)
    if not methods:
        return _Asked(SumSort.LABEL, [label])
    return _Asked(SumSort.CELL, [label * CELLS + method for method in methods])
