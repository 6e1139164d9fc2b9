"""The shift in words: the rows of a report, of the expected cash and of closed shifts, and the
icons of the self-test's findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pos_app.cashier.shift.rows import ShiftRowWords
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.done import DoneContent
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.words.done_words import given_by_hand
from pos_app.cashier.words.moments import clock_text
from pos_app.cashier.words.receipt_words import program_words
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text, percent_text
from pos_app.domain.receipt import shift_report
from pos_app.domain.text.instant import in_belgrade
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.server.self_test import Verdict
from pos_app.selling.shift.cash import CashMove, CashRow
from pos_app.selling.shift.shift import Shift

NOTHING = Money.ZERO
_LEAST_BARS = 2
"""A plot compares: a single hour has the turnover, which stands above."""


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A row of a report. amount is "" for a head. beside is a second figure, or words, and stands
    before the amount. is_plot: the plot of the hours is shown here."""

    label: str
    amount: str = ""
    beside: str = ""
    is_head: bool = False
    is_large: bool = False
    is_plot: bool = False


def report_lines(
    report: shift_report.ShiftReport, texts: Texts, *, asks: bool = False
) -> tuple[ReportLine, ...]:
    """asks: whether the server is still asked for its part."""
    return tuple(_lines(report, texts, asks=asks))


def done_content(report: shift_report.ShiftReport, texts: Texts) -> DoneContent:
    """The shift is closed: what the hand takes out of the drawer, and what stays there."""
    drawer = report.drawer
    taken, stays = (NOTHING, "") if drawer is None else (drawer.taken, amount_text(drawer.stays))
    figure, amount = given_by_hand(taken, texts, name="shift.taken")
    words = texts("shift.stays_now", amount=stays) if stays else ""
    number = texts("shift.z", n=report.number)
    return DoneContent(texts("shift.is_closed"), (number,), figure, amount, words)


def begun_content(done: Shift | CashMove, texts: Texts) -> DoneContent:
    """The shift is opened, or cash was moved: what the hand puts into the drawer or takes out."""
    if isinstance(done, Shift):
        words = texts("shift.float_now", amount=amount_text(done.cash_float))
        return DoneContent(texts("shift.is_open"), (), words=words)
    figure = "shift.put" if done.kind.brings else "shift.taken"
    bag = "" if done.bag is None else texts("shift.bag", n=done.bag)
    title, amount = texts(f"shift.moved.{done.kind}"), amount_text(done.amount)
    return DoneContent(title, (), texts(figure), amount, bag)


def _lines(report: shift_report.ShiftReport, texts: Texts, *, asks: bool) -> Iterable[ReportLine]:
    takings = report.takings
    head = texts("shift.turnover" if report.number else "shift.turnover_of_day")
    yield ReportLine(head, amount_text(takings.turnover), is_large=True)
    for one in takings.methods:
        yield _line(texts(f"pay.method.{one.name}"), one.amount)
    if report.server is None:
        yield ReportLine(texts("shift.asks" if asks else "shift.server_away"), is_head=True)
    else:
        yield from _of_server(report.server, texts)
    if takings.cashiers:
        yield ReportLine(texts("shift.by_cashier"), is_head=True)
    for one in takings.cashiers:
        yield _line(one.name, one.amount)
    if len(takings.hours) >= _LEAST_BARS:
        most = max(takings.hours, key=lambda hour: hour.amount)
        words = texts.count("shift.most_at", most.hour)
        yield ReportLine(texts("shift.by_hour"), beside=words, is_head=True)
        yield ReportLine("", is_plot=True)
    yield ReportLine("", is_head=True)
    yield _counted("shift.refunds", takings.refunds, texts)
    yield _counted("shift.corrections", takings.corrections, texts)
    acts = report.acts
    yield _counted(
        "shift.discounts", shift_report.Sum("", acts.discounts_total, acts.discounts), texts
    )
    yield _counted("shift.dropped", shift_report.Sum("", acts.dropped_total, acts.dropped), texts)
    yield ReportLine(texts("shift.openings"), texts.number(acts.openings))
    yield _counted("shift.unsigned", takings.unsigned, texts)
    text_id = "shift.signed_later" if report.number else "shift.signed_later_of_days"
    yield _counted(text_id, takings.signed_later, texts)
    if report.server is not None:
        yield from _beside(report.server, texts)


def _of_server(server: shift_report.FromServer, texts: Texts) -> Iterable[ReportLine]:
    if server.labels:
        yield ReportLine(texts("shift.by_label"), is_head=True)
    for one in server.labels:
        rate = "" if one.rate is None else f", {percent_text(one.rate)}"
        yield ReportLine(f"{one.label}{rate}", amount_text(one.total), amount_text(one.tax))
    if server.categories:
        yield ReportLine(texts("shift.by_category"), is_head=True)
    for each in server.categories:
        yield _line(each.name or texts("shift.no_category"), each.amount)


def _beside(server: shift_report.FromServer, texts: Texts) -> Iterable[ReportLine]:
    """Return what is no part of the sums above it."""
    if server.closed_advances.many or server.others:
        yield ReportLine(texts("shift.beside_sums"), is_head=True)
    if server.closed_advances.many:
        yield _counted("shift.closed_advances", server.closed_advances, texts)
    for other in server.others:
        name = program_words(other.name, texts)
        yield _line(texts("shift.other_program", name=name), other.amount)


def drawer_lines(
    report: shift_report.ShiftReport, texts: Texts, *, with_count: bool = True
) -> tuple[ReportLine, ...]:
    """Return the parts of the expected cash. with_count: the result of a closed shift's count
    follows them."""
    if report.drawer is None:
        return ()
    lines = [_line(texts(f"shift.part.{one.part}"), one.amount) for one in report.drawer.parts]
    total = amount_text(report.drawer.expected)
    lines.append(ReportLine(texts("shift.expected"), total, is_large=True))
    if report.drawer.rounding:
        lines.append(_line(texts("shift.rounding"), report.drawer.rounding))
    if report.is_closed and with_count:
        lines += _of_count(report.drawer, texts)
    return tuple(lines)


def _of_count(drawer: shift_report.CountedDrawer, texts: Texts) -> Iterable[ReportLine]:
    if drawer.counted is None:
        return
    yield ReportLine("", is_head=True)
    yield _line(texts("shift.counted"), drawer.counted)
    for one in drawer.differences:
        name = texts(f"pay.method.{one.method}")
        if one.amount:
            label = texts("shift.difference_of", name=name)
            yield ReportLine(label, signed(one.amount))
            yield ReportLine(texts("shift.reason"), beside=one.reason, is_head=True)
    if drawer.counts > 1:
        yield ReportLine(texts("shift.counts"), texts.number(drawer.counts))
    for amount in drawer.earlier:
        yield _line(texts("shift.counted_before"), amount)
    yield _line(texts("shift.taken"), drawer.taken)
    yield _line(texts("shift.stays"), drawer.stays)


def row_words(row: CashRow, texts: Texts) -> ShiftRowWords:
    at = clock_text(row.at)
    lower = " · ".join(one for one in (row.what, row.by) if one)
    amount = amount_text(row.amount)
    upper = f"{at} · {texts(f'shift.part.{row.part}')}"
    return ShiftRowWords(upper, lower, amount)


def closed_words(
    shift: Shift, differences: Sequence[shift_report.Difference], texts: Texts
) -> ShiftRowWords:
    assert shift.closed_at is not None
    begun, ended = in_belgrade(shift.opened_at), in_belgrade(shift.closed_at)
    until = ended.strftime("%H:%M" if ended.date() == begun.date() else "%d.%m.%Y. %H:%M")
    upper = f"Z {shift.id} · {begun:%d.%m.%Y. %H:%M} – {until}"
    people = {"opened_by": shift.opened_by, "closed_by": shift.closed_by}
    told = (texts(f"shift.closed.{act}", name=name) for act, name in people.items() if name)
    lower = " · ".join(told)
    wrong = [one for one in differences if one.amount]
    if not wrong:
        return ShiftRowWords(upper, lower, texts("shift.agrees"), agrees=True)
    names = ", ".join(texts(f"pay.method.{one.method}") for one in wrong)
    return ShiftRowWords(upper, lower, signed(wrong[0].amount), names)


def signed(amount: Money) -> str:
    """Write a difference, in which too much has its sign as too little has."""
    return f"+{amount_text(amount)}" if amount > NOTHING else amount_text(amount)


def _line(label: str, amount: Money) -> ReportLine:
    return ReportLine(label, amount_text(amount))


def _counted(text_id: str, counted: shift_report.Sum, texts: Texts) -> ReportLine:
    label = texts(text_id)
    return _line(
        f"{label}, {texts.number(counted.many)}" if counted.many else label, counted.amount
    )


ICONS: dict[Verdict, tuple[str, Token]] = {
    Verdict.WELL: ("circle-check", "ok"),
    Verdict.ODD: ("triangle-alert", "warn"),
    Verdict.BAD: ("circle-alert", "danger"),
    Verdict.AWAY: ("clock", "info"),
    Verdict.UNKNOWN: ("circle-question-mark", "ink_2"),
}
