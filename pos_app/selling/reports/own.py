"""Reports that only this till can make: prices that changed here, and the acts of its people.

Source: till.md ("Reports").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from pos_app.domain.money import Money
from pos_app.selling.catalogue.catalogue import PriceChange
from pos_app.selling.people.acts import ActRow, Done
from pos_app.selling.reports.report import Report, ReportChoice
from pos_app.selling.reports.table import Bar, Cell, Column, Kind, Line, Table, change_of

_PRICES = (
    Column("at", Kind.MOMENT), Column("article", Kind.TEXT), Column("code", Kind.TEXT),
    Column("old", Kind.QUIET), Column("new", Kind.NET), Column("change", Kind.CHANGE),
    Column("by", Kind.TEXT),
)  # fmt: skip
_ACTS = (
    Column("at", Kind.MOMENT), Column("by", Kind.TEXT), Column("act", Kind.KEY),
    Column("subject", Kind.KEY), Column("was", Kind.KEY), Column("now", Kind.KEY),
    Column("lifted_by", Kind.TEXT), Column("receipt", Kind.TEXT),
)  # fmt: skip
MOST_OWN = 20_000
"""The most rows of a report; it shows the latest."""
_AMOUNT = re.compile(r"\b(\d+)\.(\d{2,3})\b")
_NUMBER = re.compile(r"[A-Z0-9]{8}-[A-Z0-9]{8}-[0-9]+")
_NAMES_RECEIPT = frozenset({Done.REPRINT, Done.DECISION})
NOT_ASKED = frozenset({Done.SIGNED_IN, Done.LOCKED})
"""The report leaves out signing in and locking."""


def prices_report(choice: ReportChoice, changes: Sequence[PriceChange]) -> Report:
    """changes: the latest first; more than MOST_OWN mean that there are more."""
    kept = changes[:MOST_OWN]
    lines = [
        Line(
            str(place),
            (
                one.at, one.name, str(one.sku or ""), _amount(one.old), _amount(one.new),
                _change(one), one.by,
            ),
        )
        for place, one in enumerate(kept)
    ]  # fmt: skip
    whole_from = kept[-1].at if len(changes) > MOST_OWN else None
    return Report(choice, Table(_PRICES, tuple(lines)), whole_from=whole_from)


def acts_report(choice: ReportChoice, acts: Sequence[ActRow]) -> Report:
    """acts: the latest first; more than MOST_OWN mean that there are more. The bars count each
    person's acts. The subject of an act, and the values before and after it, have the kind of the
    act before a colon."""
    told = acts[:MOST_OWN]
    lines = [
        Line(
            str(place),
            (
                one.at,
                one.by,
                one.done.value,
                *_told(one),
                one.lifted_by,
                _receipt(one),
            ),
        )
        for place, one in enumerate(told)
    ]
    many = Counter(one.by for one in told)
    bars = tuple(Bar(by, Decimal(count)) for by, count in many.most_common())
    whole_from = told[-1].at if len(acts) > MOST_OWN else None
    return Report(choice, Table(_ACTS, tuple(lines)), bars, whole_from=whole_from)


def _told(one: ActRow) -> tuple[Cell, ...]:
    """The subject of an act, and its values before and after. A value of the settings has the
    setting's name before it."""
    of = f"{one.subject}=" if one.done is Done.SETTINGS else ""
    about = f"{one.done.value}:{one.subject}" if one.subject else None
    values = (_as_read(one.before), _as_read(one.after))
    return (about, *(f"{one.done.value}:{of}{value}" if value else None for value in values))


def _receipt(one: ActRow) -> str:
    """The number of the receipt of its sale, or the one that the act itself names."""
    named = _NUMBER.search(one.subject) if one.done in _NAMES_RECEIPT else None
    return one.receipt or (named[0] if named is not None else "")


def receipt_of(report: Report, key: str) -> str:
    """The number of the receipt in a row of the acts; "" where it has none."""
    at = next(n for n, column in enumerate(report.table.columns) if column.name == "receipt")
    return next((str(one.cells[at]) for one in report.table.lines if one.key == key), "")


def _as_read(kept: str) -> str:
    """Turn the point of stored amounts into a comma: "1240.50" -> "1.240,50"."""
    return _AMOUNT.sub(lambda one: f"{int(one[1]):,}".replace(",", ".") + f",{one[2]}", kept)


def _amount(price: Money | None) -> Cell:
    return None if price is None else price.amount


def _change(one: PriceChange) -> Cell:
    if one.old is None or one.new is None:
        return None
    return change_of(one.new.amount, one.old.amount)


def of_person(report: Report, name: str) -> Report:
    """The acts of one person; all for ""."""
    if not name:
        return report
    at = next(n for n, column in enumerate(report.table.columns) if column.name == "by")
    lines = tuple(line for line in report.table.lines if line.cells[at] == name)
    return replace(report, table=replace(report.table, lines=lines))
