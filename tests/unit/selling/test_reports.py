"""Periods, changes and tables of reports."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from pos_app.domain.receipt import reports
from pos_app.domain.receipt.receipt_list import ListState
from pos_app.errors import DatabaseBusy
from pos_app.selling.reports.periods import Period, Preset
from pos_app.selling.reports.report import ReportChoice, ReportName, turnover_report
from pos_app.selling.reports.table import change_of
from tests.sweep import each

WHOLE = ListState(9, 9)


def day(text: str, year: int = 2026) -> date:
    number, month = text.rstrip(".").split(".")
    return date(year, int(month), int(number))


@each(
    ("first", "last", "preset", "before"),
    [
        ("20.11.", "20.11.", Preset.TODAY, ("13.11.", "13.11.")),
        ("7.11.", "20.11.", Preset.TWO_WEEKS, ("24.10.", "6.11.")),
        ("11.11.", "20.11.", Preset.DAYS, ("28.10.", "6.11.")),
        ("1.11.", "20.11.", Preset.MONTH, ("1.10.", "20.10.")),
        ("1.3.", "30.3.", Preset.MONTH, ("1.2.", "28.2.")),
        ("1.11.", "30.11.", Preset.DAYS, ("1.10.", "31.10.")),
    ],
)
def test_the_table_of_periods_before(
    first: str, last: str, preset: Preset, before: tuple[str, str]
) -> None:
    found = Period(day(first), day(last)).before(preset)
    assert found == Period(day(before[0]), day(before[1]))
    year = Period(day("1.1."), day("31.12."))
    assert year.before() == Period(day("1.1.", 2025), day("31.12.", 2025))


@each(
    ("now", "before", "change"),
    [("104.60", "100", "4.6"), ("0", "100", "-100.0"), ("100", "0", None), ("100", None, None)],
)
def test_the_table_of_changes(now: str, before: str | None, change: str | None) -> None:
    told = change_of(Decimal(now), None if before is None else Decimal(before))
    assert told == (None if change is None else Decimal(change))


def row(
    key: str, sales: str, refunds: str = "0", *, receipts: int = 1, name: str = ""
) -> reports.ReportRow:
    return reports.ReportRow(key, receipts, Decimal(sales), Decimal(refunds), name=name)


class Asked:
    """A server that has these rows for each first day, and returns two at a time."""

    def __init__(self, rows: dict[date, list[reports.ReportRow]]) -> None:
        self.rows = rows
        self.state = WHOLE
        self.many = 0

    async def __call__(self, asked: reports.ReportAsked) -> reports.ReportSums:
        self.many += 1
        rows = self.rows.get(asked.first, [])
        sales = sum((one.sales for one in rows), Decimal(0))
        refunds = sum((one.refunds for one in rows), Decimal(0))
        total = reports.ReportRow("", sum(one.receipts for one in rows), sales, refunds)
        end = asked.skip + 2
        return reports.ReportSums(
            total,
            self.state,
            len(rows),
            tuple(rows[asked.skip : end]),
            go_on=end if end < len(rows) else None,
        )


def choice(name: ReportName) -> ReportChoice:
    period = Period(day("19.11."), day("20.11."))
    return ReportChoice(name, period, period.before())


async def test_days_stand_without_a_gap_beside_the_same_days_before() -> None:
    before = [row("2026-11-12", "100"), row("2026-11-13", "140")]
    asked = Asked({day("19.11."): [row("2026-11-20", "300", "20")], day("12.11."): before})
    report = await turnover_report(
        choice(ReportName.DAY), asked, categories={}, report_progress=lambda *_: None
    )
    assert [(line.key, line.cells[-2:]) for line in report.table.lines] == [
        ("2026-11-20", (Decimal(140), Decimal("100.0"))),
        ("2026-11-19", (Decimal(100), Decimal("-100.0"))),
    ]
    assert [(bar.key, bar.value, bar.before) for bar in report.bars] == [
        ("2026-11-19", Decimal(0), Decimal(100)),
        ("2026-11-20", Decimal(280), Decimal(140)),
    ]
    assert (report.net, report.net_before) == (Decimal(280), Decimal(240))
    sold_before = Asked({day("12.11."): [row("1", "500", name="Хлеб")]})
    report = await turnover_report(
        choice(ReportName.ARTICLE), sold_before, categories={}, report_progress=lambda *_: None
    )
    (line,) = report.table.lines
    assert (line.cells[0], line.cells[-2:]) == ("Хлеб", (Decimal(500), Decimal("-100.0")))
    first_days = Asked({day("19.11."): [row("2026-11-20", "300")]})
    report = await turnover_report(
        choice(ReportName.DAY), first_days, categories={}, report_progress=lambda *_: None
    )
    assert {line.cells[-2:] for line in report.table.lines} == {(None, None)}
    assert (report.net_before, {bar.before for bar in report.bars}) == (None, {None})


async def test_all_pages_are_asked_for_and_an_article_counts_in_its_first_category() -> None:
    rows = [row("1", "500", name="Хлеб"), row("2", "300", name="Бурек"), row("9", "40", "50")]
    asked, told = Asked({day("19.11."): rows}), list[tuple[int, int]]()
    report = await turnover_report(
        choice(ReportName.CATEGORY),
        asked,
        categories={"1": "Пекара", "2": "Пекара"},
        report_progress=lambda *done: told.append(done),
    )
    assert (asked.many, told) == (3, [(2, 3)])
    seen = [(line.key, line.cells[3]) for line in report.table.lines]
    assert seen == [("Пекара", Decimal(800)), ("", Decimal(-10))]


async def test_a_list_in_trouble_is_an_error() -> None:
    asked = Asked({})
    asked.state = ListState(0, 9, trouble=DatabaseBusy(what="It is held."))
    with pytest.raises(DatabaseBusy):
        await turnover_report(
            choice(ReportName.HOUR), asked, categories={}, report_progress=lambda *_: None
        )
