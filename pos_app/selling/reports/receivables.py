"""What buyers owe: receipts that are paid later, what came in for them, and who owes how much.

The server knows the receipts, this till what a person said of the money. A receipt is open while
less came in than is owed. Where more came in, because a refund came after the money, its rest is
below zero: so much is to be given back to the buyer. Source: till.md ("Reports").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from types import MappingProxyType
from typing import Protocol

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.reports import Receivable
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.reports import table

MOST_AT_ONCE = 1_000
"""The most rows of a page of what came in: they take the till some 5 ms."""
LONGEST_NOTE = 200
_ZERO = Decimal(0)


@dataclass(frozen=True, slots=True)
class CollectedPayment:
    """What came in for a receipt on a day. amount: below zero where money went back. buyer: in wire
    form, for a natural person only the code; "" without one. at: when it was written down."""

    id: int
    number: str
    buyer: str
    day: date
    amount: Money
    note: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Collecting:
    """What is to be written down for one receipt."""

    number: str
    buyer: str
    amount: Money


class CollectedLog(Protocol):
    """What came in, in the till's file; rows are only added. Raises DiskFull, DatabaseBusy,
    DatabaseDamaged."""

    def collect(
        self,
        payments: Sequence[Collecting],
        *,
        key: str,
        day: date,
        note: str,
        by: str,
        at: datetime,
    ) -> None:
        """Write all of them down, or none. With the same key a receipt is written down once."""
        ...

    def take_back(self, ids: Collection[int], *, by: str, at: datetime) -> None:
        """Let these rows count no more; those that do not count already stay as they are. Raises
        Invalid for "payment" where money was given back for a receipt, and less would have come in
        for it than that: then nothing is taken back."""
        ...

    def check_take_back(self, ids: Collection[int]) -> None:
        """Raise Invalid where `take_back` would."""
        ...

    def collected(
        self, *, first: date, last: date, after: int, limit: int
    ) -> Sequence[CollectedPayment]:
        """What counts of the money of these days, by id, behind `after`."""
        ...

    def of_press(self, key: str) -> Sequence[CollectedPayment]:
        """What counts of what was written down with that key."""
        ...

    def replaced_by(self, receipt_id: str) -> Sequence[str]:
        """The numbers of the receipts that this till issued in place of that one, in a correction
        or an exchange, and in place of these, the oldest first."""
        ...


@dataclass(frozen=True, slots=True)
class OpenReceivable:
    """A receivable whose rest is not zero. collected: what came in for it."""

    receivable: Receivable
    collected: Decimal

    @property
    def number(self) -> str:
        return self.receivable.number

    @property
    def day(self) -> date:
        return self.receivable.day

    @property
    def owed(self) -> Decimal:
        return self.receivable.amount - self.receivable.given_back

    @property
    def rest_due(self) -> Decimal:
        return self.owed - self.collected

    @property
    def buyer(self) -> str:
        return self.receivable.buyer or ""

    @property
    def group(self) -> str:
        """The key of the buyer's line."""
        return f"buyer {self.receivable.buyer_key or ''}"

    def days_old(self, on: date) -> int:
        return (on - self.day).days


def open_receivables(
    receivables: Iterable[Receivable],
    collected: Iterable[CollectedPayment],
    replaced: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> tuple[OpenReceivable, ...]:
    """Return what is open, the buyer with the oldest receipt first, with his receipts together.

    replaced: the numbers of the receipts that were issued in place of some. The sale is the same,
    and so is its money: what came in for a receipt above what is still owed for it pays those, the
    oldest first. If they are refunded too, it is given back for the newest, whose buyer is right.
    """
    came = Counter[str]()
    for payment in collected:
        came[payment.number] += int(payment.amount.amount.scaleb(2))
    entries = [
        OpenReceivable(one, Decimal(came.get(one.number, 0)).scaleb(-2)) for one in receivables
    ]
    groups = dict[str, list[OpenReceivable]]()
    for entry in _carried_over(entries, replaced):
        if entry.rest_due:
            groups.setdefault(entry.group, []).append(entry)
    return tuple(entry for group in groups.values() for entry in group)


def overpaid(
    receivables: Iterable[Receivable], collected: Iterable[CollectedPayment]
) -> tuple[str, ...]:
    """Return the numbers of the receipts for which more came in than is owed."""
    found = open_receivables(receivables, collected)
    return tuple(one.number for one in found if one.rest_due < 0)


def _carried_over(
    entries: Sequence[OpenReceivable], replaced: Mapping[str, Sequence[str]]
) -> Sequence[OpenReceivable]:
    if not replaced:
        return entries
    by_number = {one.number: one for one in entries}
    for number, followers in replaced.items():
        there = [one for one in followers if one in by_number]
        for follower in there:
            _move(by_number, number, follower, by_number[follower].rest_due)
        for follower in reversed(there):
            new = by_number[follower]
            _move(by_number, number, follower, new.receivable.amount - new.collected)
    return list(by_number.values())


def _move(by_number: dict[str, OpenReceivable], number: str, follower: str, most: Decimal) -> None:
    old, new = by_number[number], by_number[follower]
    moved = min(-old.rest_due, most)
    if moved > 0:
        by_number[number] = replace(old, collected=old.collected - moved)
        by_number[follower] = replace(new, collected=new.collected + moved)


# --- what a person says --------------------------------------------------------------------------


def sum_due(receivables: Iterable[OpenReceivable]) -> Decimal:
    """What is owed for all of them together, below zero where it is to be given back."""
    return sum((one.rest_due for one in receivables), _ZERO)


def rest_of(receivables: Iterable[OpenReceivable]) -> Money:
    return Money(abs(sum_due(receivables)))


def shared_out(receivables: Sequence[OpenReceivable], amount: Money) -> tuple[Collecting, ...]:
    """Share money out among receipts, the oldest first; all are owed, or all to be given back.

    Raises Invalid for "receipts" where some are owed and others to be given back, for "amount"
    where it is nothing, or more than all of them.
    """
    signs = {one.rest_due > 0 for one in receivables}
    if len(signs) != 1:
        raise Invalid("owed_and_given_back", field="receipts")
    if amount <= Money.ZERO:
        raise Invalid("no_payment", field="amount")
    rest = rest_of(receivables)
    if amount > rest:
        raise Invalid("above_rest", field="amount", rest=rest)
    sign, left, shares = 1 if signs == {True} else -1, amount.amount, list[Collecting]()
    for one in sorted(receivables, key=lambda receivable: receivable.day):
        share = min(left, abs(one.rest_due))
        if share:
            shares.append(Collecting(one.number, one.buyer, Money(sign * share)))
        left -= share
    return tuple(shares)


def check_day(day: date | None, *, today: date, since: date) -> date:
    """Return the day on which the money came. since: the day of the latest receipt that it is for.
    Raises Invalid for "day"."""
    if day is None:
        raise Invalid("no_such_day", field="day")
    if day > today:
        raise Invalid("day_to_come", field="day")
    if day < since:
        raise Invalid("before_receipt", field="day")
    return day


# --- tables --------------------------------------------------------------------------------------

_SUMS = (
    table.ReportColumn("owed", table.ColumnKind.AMOUNT),
    table.ReportColumn("came_in", table.ColumnKind.QUIET),
    table.ReportColumn("rest", table.ColumnKind.NET),
)
_ABOUT = (
    table.ReportColumn("date", table.ColumnKind.KEY),
    table.ReportColumn("days_old", table.ColumnKind.AGE),
    table.ReportColumn("methods", table.ColumnKind.KEY),
)
_BUYER = table.ReportColumn("buyer", table.ColumnKind.KEY)
RECEIPT = "receipt"
"""The beginning of the cell that names a receipt among buyers; its number and day follow."""
_OPEN = (_BUYER, table.ReportColumn("receipt", table.ColumnKind.TEXT), *_ABOUT, *_SUMS)
_BY_BUYER = (
    table.ReportColumn("tick", table.ColumnKind.TICK),
    table.ReportColumn("owing", table.ColumnKind.KEY),
    table.ReportColumn("open", table.ColumnKind.AGE),
    table.ReportColumn("methods", table.ColumnKind.KEY),
    table.ReportColumn("days_old", table.ColumnKind.AGE),
    *_SUMS,
)
_COLLECTED = (
    table.ReportColumn("date", table.ColumnKind.KEY),
    table.ReportColumn("receipt", table.ColumnKind.TEXT),
    _BUYER,
    table.ReportColumn("amount", table.ColumnKind.NET),
    table.ReportColumn("note", table.ColumnKind.TEXT),
    table.ReportColumn("by", table.ColumnKind.TEXT),
    table.ReportColumn("at", table.ColumnKind.MOMENT, in_files=True),
)


def open_table(receivables: Sequence[OpenReceivable], *, on: date) -> table.Table:
    """A line for each open receipt, as files and paper have it. on: the day of the ages."""
    lines = tuple(
        table.Line(one.number, (one.buyer, one.number, *_about(one, on), *_sums(one)))
        for one in receivables
    )
    return table.Table(_OPEN, lines, table.summed(_OPEN, lines))


def table_by_buyer(
    receivables: Sequence[OpenReceivable],
    *,
    on: date,
    unfolded: Collection[str],
    ticked: Collection[str],
) -> table.Table:
    """A line for each buyer, with the count of his receipts, and below those that are unfolded one
    for each receipt, with its number and day. ticked: the numbers of the receipts that are
    chosen."""
    groups = dict[str, list[OpenReceivable]]()
    for one in receivables:
        groups.setdefault(one.group, []).append(one)
    lines = list[table.Line]()
    for key, of_it in groups.items():
        is_ticked = all(one.number in ticked for one in of_it)
        oldest = max(one.days_old(on) for one in of_it)
        about: tuple[table.Cell, ...] = (is_ticked, of_it[0].buyer, len(of_it), None, oldest)
        lines.append(table.Line(key, (*about, *_summed(of_it))))
        if key in unfolded:
            for one in of_it:
                day, age, methods = _about(one, on)
                named = f"{RECEIPT} {one.number} {day}"
                cells = (one.number in ticked, named, None, methods, age, *_sums(one))
                lines.append(table.Line(one.number, cells))
    sums = _summed(receivables)
    total = (None, None, len(receivables), None, None, *sums)
    return table.Table(_BY_BUYER, tuple(lines), total)


def of_line(receivables: Iterable[OpenReceivable], key: str) -> tuple[OpenReceivable, ...]:
    """Return what a line of the table by buyer stands for: a buyer's receipts, or one receipt."""
    return tuple(one for one in receivables if key in (one.group, one.number))


def collected_table(collected: Iterable[CollectedPayment]) -> table.Table:
    """A line for each payment, the latest day first."""
    newest = sorted(collected, key=lambda payment: (payment.day, payment.id), reverse=True)
    lines = tuple(
        table.Line(
            str(one.id),
            (
                one.day.isoformat(),
                one.number,
                one.buyer,
                one.amount.amount,
                one.note,
                one.by,
                one.at,
            ),
        )
        for one in newest
    )
    return table.Table(_COLLECTED, lines, table.summed(_COLLECTED, lines))


def _about(receivable: OpenReceivable, on: date) -> tuple[table.Cell, ...]:
    methods = " ".join(receivable.receivable.methods)
    return receivable.day.isoformat(), receivable.days_old(on), methods


def _summed(receivables: Sequence[OpenReceivable]) -> tuple[table.Cell, ...]:
    owed = sum((one.owed for one in receivables), _ZERO)
    came = sum((one.collected for one in receivables), _ZERO)
    return owed, came or None, owed - came


def _sums(receivable: OpenReceivable) -> tuple[table.Cell, ...]:
    """A rest of which nothing came in says so by an empty cell."""
    return receivable.owed, receivable.collected or None, receivable.rest_due
