"""The shift in words: a report line by line, what the self-test found, what is open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.tokens import Token
from pos_app.domain.instant import in_belgrade
from pos_app.domain.money import Money
from pos_app.domain.number_text import amount_text, percent_text
from pos_app.domain.shift_report import ShiftReport, Sum
from pos_app.selling.server.self_test import Finding, Verdict
from pos_app.selling.shift.cash import CashRow

NOTHING = Money.ZERO


@dataclass(frozen=True, slots=True)
class ReportLine:
    """amount: "" of a head. beside: a second figure before it. is_plot: the hours stand here."""

    label: str
    amount: str = ""
    beside: str = ""
    is_head: bool = False
    is_large: bool = False
    is_negative: bool = False
    is_plot: bool = False


def report_lines(report: ShiftReport, texts: Texts) -> tuple[ReportLine, ...]:
    """In the order of the paper."""
    return tuple(_lines(report, texts))


def _lines(report: ShiftReport, texts: Texts) -> Iterable[ReportLine]:
    takings = report.takings
    head = texts("shift.turnover")
    yield ReportLine(head, amount_text(takings.turnover), is_large=True)
    for one in takings.methods:
        yield _line(texts(f"pay.method.{one.name}"), one.amount)
    yield from _of_server(report, texts)
    if takings.cashiers:
        yield ReportLine(texts("shift.by_cashier"), is_head=True)
    for one in takings.cashiers:
        yield _line(one.name, one.amount)
    if takings.hours:
        most = max(takings.hours, key=lambda one: one.amount)
        words = texts("shift.most_at", hour=most.hour)
        yield ReportLine(texts("shift.by_hour"), beside=words, is_head=True)
        yield ReportLine("", is_plot=True)
    yield ReportLine("", is_head=True)
    yield _counted("shift.refunds", takings.refunds, texts)
    yield _counted("shift.corrections", takings.corrections, texts)
    acts = report.acts
    yield _counted("shift.discounts", Sum("", acts.discounts_total, acts.discounts), texts)
    yield _counted("shift.dropped", Sum("", acts.dropped_total, acts.dropped), texts)
    yield ReportLine(texts("shift.openings"), texts.number(acts.openings))
    yield _counted("shift.unsigned", takings.unsigned, texts)
    yield _counted("shift.signed_later", takings.signed_later, texts)


def _of_server(report: ShiftReport, texts: Texts) -> Iterable[ReportLine]:
    server = report.server
    if server is None:
        yield ReportLine(texts("shift.server_away"), is_head=True)
        return
    if server.labels:
        yield ReportLine(texts("shift.by_label"), is_head=True)
    for one in server.labels:
        rate = "" if one.rate is None else f", {percent_text(one.rate)}"
        yield ReportLine(f"{one.label}{rate}", amount_text(one.total), amount_text(one.tax))
    if server.categories:
        yield ReportLine(texts("shift.by_category"), is_head=True)
    for each in server.categories:
        yield _line(each.name or texts("shift.no_category"), each.amount)
    if server.closed_advances.many:
        yield _counted("shift.closed_advances", server.closed_advances, texts)
    for other in server.others:
        yield _line(texts("shift.other_program", name=other.name), other.amount)


def drawer_lines(report: ShiftReport, texts: Texts) -> tuple[ReportLine, ...]:
    """How the expected cash comes about; none for whom may not see it."""
    if report.drawer is None:
        return ()
    lines = [_line(texts(f"shift.part.{one.part}"), one.amount) for one in report.drawer.parts]
    total = amount_text(report.drawer.expected)
    return (*lines, ReportLine(texts("shift.expected"), total, is_large=True))


def row_lines(rows: Sequence[CashRow], texts: Texts) -> tuple[ReportLine, ...]:
    """Each amount with its time, receipt and cashier, below the line that it is part of."""
    told: list[ReportLine] = []
    part = None
    for row in rows:
        if row.part is not part:
            part = row.part
            told.append(ReportLine(texts(f"shift.part.{part}"), is_head=True))
        at = in_belgrade(row.at).strftime("%H:%M")
        words = " · ".join(one for one in (at, row.what, row.by) if one)
        told.append(_line(words, row.amount))
    return tuple(told)


def _line(label: str, amount: Money) -> ReportLine:
    return ReportLine(label, amount_text(amount), is_negative=amount < NOTHING)


def _counted(key: str, of: Sum, texts: Texts) -> ReportLine:
    label = texts(key)
    return _line(f"{label}, {texts.number(of.many)}" if of.many else label, of.amount)


ICONS: dict[Verdict, tuple[str, Token]] = {
    Verdict.WELL: ("circle-check", "ok"),
    Verdict.ODD: ("triangle-alert", "warn"),
    Verdict.BAD: ("circle-alert", "danger"),
    Verdict.UNKNOWN: ("circle-question-mark", "ink_2"),
}


COUNTED = frozenset({"certificate_days", "waits", "apart", "free", "days", "hours"})
"""What is told with a number."""


def finding_words(found: Finding, texts: Texts) -> str:
    """What the self-test found, with its subject."""
    key = f"shift.test.{found.what}.{found.why}"
    return texts.count(key, found.number) if found.why in COUNTED else texts(key)
