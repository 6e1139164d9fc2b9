"""The reports, their questions to the server, and the tables made from its answers.

Source: till.md ("Reports").
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType

from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt import reports
from pos_app.domain.receipt.receipt_list import ListState
from pos_app.errors import MachineError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import Catalogue, categories_in_turn
from pos_app.selling.reports.books import books_table
from pos_app.selling.reports.periods import MOST_DAYS, Period
from pos_app.selling.reports.receivables import (
    CollectedPayment,
    OpenReceivable,
    collected_table,
    open_receivables,
    open_table,
)
from pos_app.selling.reports.table import (
    Cell,
    ColumnKind,
    Line,
    ReportBar,
    ReportColumn,
    Table,
    change_of,
)

AskSums = Callable[[reports.ReportAsked], Awaitable[reports.ReportSums]]
"""Raises Refused, NotDelivered, OutcomeUnknown."""
ProgressReport = Callable[[int, int], None]
"""Reports the number of rows that have come, and of all rows."""
NO_CATEGORY = ""


class ReportName(StrEnum):
    DAY = "day"
    HOUR = "hour"
    ARTICLE = "article"
    CATEGORY = "category"
    CASHIER = "cashier"
    METHOD = "method"
    LABEL = "label"
    BOOKS = "books"
    RECEIVABLES = "receivables"
    COLLECTED = "collected"
    PRICES = "prices"
    ACTS = "acts"

    @property
    def is_of_server(self) -> bool:
        """Whether the server is asked for the report; the others come from this till's own data."""
        return self not in (ReportName.COLLECTED, ReportName.PRICES, ReportName.ACTS)


_GROUPINGS = MappingProxyType(
    {
        ReportName.DAY: reports.Grouping.DAY,
        ReportName.HOUR: reports.Grouping.HOUR,
        ReportName.ARTICLE: reports.Grouping.ARTICLE,
        ReportName.CATEGORY: reports.Grouping.ARTICLE,
        ReportName.CASHIER: reports.Grouping.CASHIER,
        ReportName.METHOD: reports.Grouping.METHOD,
        ReportName.LABEL: reports.Grouping.LABEL,
        ReportName.BOOKS: reports.Grouping.BOOKS,
        ReportName.RECEIVABLES: reports.Grouping.RECEIVABLES,
    }
)


@dataclass(frozen=True, slots=True)
class ReportChoice:
    """before: the period to compare with."""

    name: ReportName
    period: Period
    before: Period

    @property
    def is_by_month(self) -> bool:
        return self.name is ReportName.DAY and self.period.length > MOST_DAYS

    @property
    def grouping(self) -> reports.Grouping:
        return reports.Grouping.MONTH if self.is_by_month else _GROUPINGS[self.name]


@dataclass(frozen=True, slots=True)
class Report:
    """bars: in the order shown. net, net_before: the turnover of the periods, None where there is
    none. untaxed: the number of receipts without tax data. state: the state of the list of
    receipts. articles: the articles sold in the period, by category. receivables: what is open at
    the end of the period; collected: what came in during it. whole_from: the instant from
    which rows are shown where there are more than a report shows, else None."""

    choice: ReportChoice
    table: Table
    bars: tuple[ReportBar, ...] = ()
    net: Decimal | None = None
    net_before: Decimal | None = None
    open_advances: tuple[reports.AdvanceAt, ...] = ()
    untaxed: int = 0
    state: ListState = field(default_factory=lambda: ListState(0, 0))
    articles: Mapping[str, frozenset[str]] = field(default_factory=dict)
    receivables: tuple[OpenReceivable, ...] = ()
    collected: tuple[CollectedPayment, ...] = ()
    whole_from: datetime | None = None


def buyers_of(report: Report) -> frozenset[str]:
    """The buyers that a report names, in wire form."""
    owing = {one.buyer for one in report.receivables}
    return frozenset(filter(None, owing | {one.buyer for one in report.collected}))


def receivables_report(
    choice: ReportChoice,
    sums: reports.ReportSums,
    collected: Sequence[CollectedPayment],
    replaced: Mapping[str, Sequence[str]],
) -> Report:
    """What is open at the end of the period. sums: the receivables until then. collected: what came
    in until then. replaced: as of `open_receivables`."""
    found = open_receivables(sums.receivables, collected, replaced)
    rows = open_table(found, on=choice.period.last)
    return Report(choice, rows, state=sums.state, receivables=found)


def books_with_receivables(
    report: Report,
    sums: reports.ReportSums,
    collected: Sequence[CollectedPayment],
    replaced: Mapping[str, Sequence[str]],
) -> Report:
    """The books with what is open at their end, and what came in during them. collected: all that
    came in until then."""
    first = report.choice.period.first
    return replace(
        report,
        receivables=open_receivables(sums.receivables, collected, replaced),
        collected=tuple(one for one in collected if one.day >= first),
    )


def collected_report(choice: ReportChoice, collected: Sequence[CollectedPayment]) -> Report:
    """collected: what came in during the period."""
    return Report(choice, collected_table(collected), collected=tuple(collected))


async def first_categories(catalogue: Catalogue) -> dict[str, str]:
    """The category in which the reports count each article, by its `article_key`; articles without
    one are left out. The window gets its turn meanwhile."""
    found = dict[str, str]()
    for some in categories_in_turn(catalogue):
        found.update(some)
        await asyncio.sleep(0)
    return found


async def asked_receivables(
    choice: ReportChoice,
    ask: AskSums,
    *,
    methods: frozenset[PaymentMethod],
    report_progress: ProgressReport,
) -> reports.ReportSums:
    """Ask for all receivables until the end of the period, as `turnover_report` does. methods:
    those by which a receipt is paid later."""
    last = choice.period.last
    asked = reports.ReportAsked(reports.Grouping.RECEIVABLES, last, last, methods=methods)
    return await _all_of(ask, asked, report_progress)


async def turnover_report(
    choice: ReportChoice,
    ask: AskSums,
    *,
    categories: Mapping[str, str],
    report_progress: ProgressReport,
) -> Report:
    """Ask for all rows of both periods; for the books, of the period alone. categories: the name of
    the category of each article, by its key. Raises Refused, NotDelivered, OutcomeUnknown;
    MachineError where the list reports one."""
    now = await _all_of(ask, _asked_of(choice, choice.period), report_progress)
    if choice.name is ReportName.BOOKS:
        return replace(
            _report(choice, books_table(now.books), now, None), open_advances=now.open_advances
        )
    before = await _all_of(ask, _asked_of(choice, choice.before), report_progress)
    pairs = _paired(choice, now.rows, before.rows, categories)
    report = _report(choice, _table(choice.name, pairs, now.total, before.total), now, before)
    if choice.name is ReportName.CATEGORY:
        report = replace(report, articles=_articles(now.rows, categories))
    by_time = choice.name in (ReportName.DAY, ReportName.HOUR)
    has_before = _before(before.total) is not None
    bars = [ReportBar(key, one.net, other.net if has_before else None) for key, one, other in pairs]
    return replace(report, bars=tuple(bars if by_time else bars[:MOST_BARS]))


MOST_BARS = 12
"""The most bars of a report that is not by time; the largest ones are shown."""
_Pair = tuple[str, reports.ReportRow, reports.ReportRow]
"""A row's key, its row in the period and in the one before."""


def _report(
    choice: ReportChoice, table: Table, now: reports.ReportSums, before: reports.ReportSums | None
) -> Report:
    return Report(
        choice,
        table,
        net=now.total.net,
        net_before=None if before is None else _before(before.total),
        untaxed=now.untaxed,
        state=now.state,
    )


def _asked_of(choice: ReportChoice, period: Period) -> reports.ReportAsked:
    return reports.ReportAsked(choice.grouping, period.first, period.last)


async def _all_of(
    ask: AskSums, asked: reports.ReportAsked, report_progress: ProgressReport
) -> reports.ReportSums:
    page = whole = await _asked(ask, asked)
    rows, books = list[reports.ReportRow](whole.rows), list[reports.BookRow](whole.books)
    receivables = list[reports.Receivable](whole.receivables)
    while page.go_on is not None:
        report_progress(page.go_on, page.many)
        page = await _asked(ask, replace(asked, skip=page.go_on))
        rows += page.rows
        books += page.books
        receivables += page.receivables
    return replace(
        whole, rows=tuple(rows), books=tuple(books), receivables=tuple(receivables), go_on=None
    )


async def _asked(ask: AskSums, asked: reports.ReportAsked) -> reports.ReportSums:
    sums = await ask(asked)
    if isinstance(sums.state.trouble, MachineError):
        raise sums.state.trouble
    return sums


def _paired(
    choice: ReportChoice,
    now: Iterable[reports.ReportRow],
    before: Iterable[reports.ReportRow],
    categories: Mapping[str, str],
) -> list[_Pair]:
    """Pair the rows of both periods. Days and hours come in their order and without a gap, all
    others with the largest turnover first."""
    if choice.name is ReportName.CATEGORY:
        now, before = _by_category(now, categories), _by_category(before, categories)
    ours, theirs = ({row.key: row for row in rows} for rows in (now, before))
    if choice.name is ReportName.DAY:
        keys, others = _keys(choice, choice.period), _keys(choice, choice.before)
        return [
            (key, ours.get(key, reports.NOTHING), theirs.get(other, reports.NOTHING))
            for key, other in zip(keys, [*others, *[""] * len(keys)], strict=False)
        ]
    if choice.name is ReportName.HOUR:
        hours = sorted(ours.keys() | theirs.keys())
        every = range(int(hours[0]), int(hours[-1]) + 1) if hours else ()
        found = [f"{hour:02}" for hour in every]
    else:
        found = list(dict.fromkeys([*ours, *theirs]))
    return [
        (key, ours.get(key, _empty(theirs, key)), theirs.get(key, reports.NOTHING)) for key in found
    ]


def _empty(others: Mapping[str, reports.ReportRow], key: str) -> reports.ReportRow:
    """A row of zeros, named, for an article that sold only in the period before."""
    return replace(reports.NOTHING, name=others[key].name if key in others else "")


def _keys(choice: ReportChoice, period: Period) -> list[str]:
    return period.months if choice.is_by_month else [day.isoformat() for day in period.days]


def _by_category(
    rows: Iterable[reports.ReportRow], categories: Mapping[str, str]
) -> list[reports.ReportRow]:
    """Add up articles by their first category, but no receipts, which may have several
    categories."""
    found = dict[str, reports.ReportRow]()
    for row in rows:
        key = categories.get(row.key, NO_CATEGORY)
        before = found.get(key, replace(reports.NOTHING, key=key))
        found[key] = replace(
            before, sales=before.sales + row.sales, refunds=before.refunds + row.refunds
        )
    return sorted(found.values(), key=lambda row: (-row.net, row.key))


def _articles(
    rows: Iterable[reports.ReportRow], categories: Mapping[str, str]
) -> Mapping[str, frozenset[str]]:
    """The articles of each category; the list of receipts has no categories to ask for."""
    found = dict[str, set[str]]()
    for row in rows:
        found.setdefault(categories.get(row.key, NO_CATEGORY), set()).add(row.key)
    return {name: frozenset(keys) for name, keys in found.items()}


# --- tables --------------------------------------------------------------------------------------

_SUMS = (
    ReportColumn("sales", ColumnKind.AMOUNT),
    ReportColumn("refunds", ColumnKind.BACK),
    ReportColumn("net", ColumnKind.NET),
    ReportColumn("before", ColumnKind.QUIET),
    ReportColumn("change", ColumnKind.CHANGE),
)
_RECEIPTS = ReportColumn("receipts", ColumnKind.COUNT)
_MORE: Mapping[
    ReportName, tuple[tuple[ReportColumn, ...], Callable[[reports.ReportRow], tuple[Cell, ...]]]
]
_MORE = {
    ReportName.ARTICLE: (
        (ReportColumn("code", ColumnKind.TEXT), ReportColumn("quantity", ColumnKind.QUANTITY)),
        lambda row: (row.key if row.key.isdigit() else "", row.quantity),
    ),
    ReportName.CATEGORY: ((), lambda _: ()),
    ReportName.LABEL: (
        (
            _RECEIPTS,
            ReportColumn("base", ColumnKind.AMOUNT),
            ReportColumn("tax", ColumnKind.AMOUNT),
        ),
        lambda row: (row.receipts, row.net - row.tax, row.tax),
    ),
}


def _table(
    name: ReportName, pairs: Sequence[_Pair], total: reports.ReportRow, before: reports.ReportRow
) -> Table:
    """Make the table: the newest day first, as people read it; the sum comes from the server."""
    more, cells_of = _MORE.get(name, ((_RECEIPTS,), lambda row: (row.receipts,)))
    columns = (ReportColumn(name.value, ColumnKind.KEY), *more, *_SUMS)
    lines = [
        Line(key, (_key_cell(name, key, now), *cells_of(now), *_sums_of(now, other)))
        for key, now, other in pairs
    ]
    if name is ReportName.DAY:
        lines.reverse()
    whole: tuple[Cell, ...] = cells_of(total)
    if name is ReportName.ARTICLE:
        whole = (None, None)
    return Table(columns, tuple(lines), (None, *whole, *_sums_of(total, before)))


def _key_cell(name: ReportName, key: str, row: reports.ReportRow) -> str:
    return row.name if name is ReportName.ARTICLE else key


def _sums_of(row: reports.ReportRow, other: reports.ReportRow) -> tuple[Cell, ...]:
    before = _before(other)
    return row.sales, -row.refunds, row.net, before, change_of(row.net, before)


def _before(row: reports.ReportRow) -> Decimal | None:
    """The turnover of the period before, or None where nothing was sold or given back."""
    return row.net if row.sales or row.refunds else None
