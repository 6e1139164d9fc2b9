"""Reports that only this till can make: prices that changed here, and the acts of its people.

Source: till.md ("Reports").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from pos_app.domain.money.money import Money
from pos_app.selling.catalogue.catalogue import PriceChange, PriceReason
from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.reports import table
from pos_app.selling.reports.report import Report, ReportChoice

_PRICES = (
    table.ReportColumn("at", table.ColumnKind.MOMENT),
    table.ReportColumn("article", table.ColumnKind.TEXT),
    table.ReportColumn("code", table.ColumnKind.TEXT),
    table.ReportColumn("unit", table.ColumnKind.TEXT, in_files=True),
    table.ReportColumn("label", table.ColumnKind.KEY, in_files=True),
    table.ReportColumn("old", table.ColumnKind.QUIET),
    table.ReportColumn("new", table.ColumnKind.NET),
    table.ReportColumn("difference", table.ColumnKind.AMOUNT, in_files=True),
    table.ReportColumn("change", table.ColumnKind.CHANGE),
    table.ReportColumn("cause", table.ColumnKind.KEY),
    table.ReportColumn("by", table.ColumnKind.TEXT),
)
_ACTS = (
    table.ReportColumn("at", table.ColumnKind.MOMENT),
    table.ReportColumn("by", table.ColumnKind.TEXT),
    table.ReportColumn("act", table.ColumnKind.KEY),
    table.ReportColumn("subject", table.ColumnKind.KEY),
    table.ReportColumn("was", table.ColumnKind.KEY),
    table.ReportColumn("now", table.ColumnKind.KEY),
    table.ReportColumn("lifted_by", table.ColumnKind.TEXT),
    table.ReportColumn("receipt", table.ColumnKind.TEXT),
)
MOST_OWN = 20_000
"""The most rows of a report; it shows the latest."""
_ALL_NUMBER = re.compile(r"-?\d+\.\d{2,3}")
_NUMBER = re.compile(r"[A-Z0-9]{8}-[A-Z0-9]{8}-[0-9]+")
_NAMES_RECEIPT = frozenset(
    {NotedAct.REPRINT, NotedAct.DECISION, NotedAct.COLLECTED, NotedAct.COLLECTED_TAKEN_BACK}
)
NOT_ASKED = frozenset({NotedAct.SIGNED_IN, NotedAct.LOCKED})
"""The report leaves out signing in and locking."""


def prices_report(choice: ReportChoice, changes: Sequence[PriceChange]) -> Report:
    """changes: the latest first. If there are more than MOST_OWN, the report says from when on it
    is whole."""
    kept = changes[:MOST_OWN]
    lines = [
        table.Line(
            str(index),
            (
                one.at,
                one.name,
                str(one.sku or ""),
                one.unit,
                one.label.value,
                _amount(one.old),
                _amount(one.new),
                _difference(one),
                _change(one),
                PriceReason(one.cause, one.percent),
                one.by,
            ),
        )
        for index, one in enumerate(kept)
    ]
    whole_from = kept[-1].at if len(changes) > MOST_OWN else None
    return Report(choice, table.Table(_PRICES, tuple(lines)), whole_from=whole_from)


def acts_report(choice: ReportChoice, acts: Sequence[ActRow]) -> Report:
    """acts: the latest first. If there are more than MOST_OWN, the report says from when on it is
    whole. The bars count each person's acts. The subject of an act, and the values before and after
    it, have the kind of the act before a colon."""
    entries = acts[:MOST_OWN]
    lines = [
        table.Line(
            str(index),
            (one.at, one.by, one.done.value, *_act_cells(one), one.lifted_by, _receipt(one)),
        )
        for index, one in enumerate(entries)
    ]
    many = Counter(one.by for one in entries)
    bars = tuple(table.ReportBar(by, Decimal(count)) for by, count in many.most_common())
    whole_from = entries[-1].at if len(acts) > MOST_OWN else None
    return Report(choice, table.Table(_ACTS, tuple(lines)), bars, whole_from=whole_from)


def _act_cells(act: ActRow) -> tuple[table.Cell, ...]:
    """The subject of an act, and its values before and after. A value of the settings has the
    setting's name before it."""
    of = f"{act.subject}=" if act.done is NotedAct.SETTINGS else ""
    about = f"{act.done.value}:{act.subject}" if act.subject else None
    values = (act.before, act.after)
    amounts = map(_amount_of, values)
    words = (f"{act.done.value}:{of}{value}" if value else None for value in values)
    return (
        about,
        *(word if amount is None else amount for amount, word in zip(amounts, words, strict=True)),
    )


def _amount_of(kept: str) -> Decimal | None:
    """The number that a value of an act is, if it is an amount or a quantity and nothing else."""
    return Decimal(kept) if _ALL_NUMBER.fullmatch(kept) else None


def _receipt(act: ActRow) -> str:
    """The number of the receipt of the act's sale, or the number that the act itself names."""
    named = _NUMBER.search(act.subject) if act.done in _NAMES_RECEIPT else None
    return act.receipt or (named[0] if named is not None else "")


def receipt_of(report: Report, key: str) -> str:
    """The number of the receipt in a row, as of the acts; "" where it has none."""
    at = next(n for n, column in enumerate(report.table.columns) if column.name == "receipt")
    return next((str(one.cells[at]) for one in report.table.lines if one.key == key), "")


def _amount(price: Money | None) -> table.Cell:
    return None if price is None else price.amount


def _change(change: PriceChange) -> table.Cell:
    if change.old is None or change.new is None:
        return None
    return table.change_of(change.new.amount, change.old.amount)


def _difference(change: PriceChange) -> table.Cell:
    """What one unit is worth more, or less, in the stock: a price levelling has it times the
    quantity, which no till knows."""
    if change.old is None or change.new is None:
        return None
    return change.new.amount - change.old.amount


def of_person(report: Report, name: str) -> Report:
    if not name:
        return report
    at = next(n for n, column in enumerate(report.table.columns) if column.name == "by")
    lines = tuple(line for line in report.table.lines if line.cells[at] == name)
    return replace(report, table=replace(report.table, lines=lines))
