"""A shift from its float to the cash that stays in the drawer, and its repository.

Sources: till.md ("Shift"), fiscal.md 6.13.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pos_app.characters import LEAST_SAID, has_visible_text
from pos_app.documents.blocks import Document
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt import shift_report
from pos_app.errors import Invalid, NotAllowed
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.shift import cash
from pos_app.selling.shift.count import Count, CountForm

LONGEST_REASON = 100


class FloatIs(StrEnum):
    COUNTED = "counted"
    TYPED = "typed"
    LEFT = "left"
    """The cash that the shift before left."""


@dataclass(frozen=True, slots=True)
class Shift:
    """Instants are UTC. closed_at is None while it is open; afterwards stays and taken are the cash
    left in the drawer, and the cash taken out of it."""

    id: int
    opened_at: datetime
    opened_by: str
    cash_float: Money
    float_is: FloatIs
    closed_at: datetime | None = None
    closed_by: str = ""
    stays: Money = Money.ZERO
    taken: Money = Money.ZERO

    @property
    def float_row(self) -> cash.CashRow:
        return cash.CashRow(
            shift_report.CashPart.FLOAT, self.cash_float, self.opened_at, self.opened_by
        )


@dataclass(frozen=True, slots=True)
class StoredCount:
    """by: the person who began it, or who confirmed it. confirmed_at is None for a draft. lying:
    by method, what moved after the count and lies with what was counted, as a person said."""

    id: int
    by: str
    begun_at: datetime
    count: Count
    confirmed_at: datetime | None = None
    lying: Mapping[str, Money] = field(default_factory=dict)

    @property
    def cash(self) -> Money:
        return self.count.cash + self.lying.get(PaymentMethod.CASH, Money.ZERO)


@dataclass(frozen=True, slots=True)
class Span:
    """The subject of a report: a shift, of which `until` cuts off what came later, or a period of
    a till without shifts."""

    shift: Shift | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class OwedPaper:
    """A paper that the server has not taken yet. key: the key of its print job, the same at each
    try. on_a4: whether the printer of pages prints it, and not the receipt printer."""

    key: str
    paper: Document
    on_a4: bool = False


@dataclass(frozen=True, slots=True)
class ShiftClosing:
    """The end of a shift. by: the person who closes it, perhaps another than the one who opened it.
    stays: the cash left in the drawer. z: the report, to be printed again. owed: the Z to be
    printed, or None."""

    count_id: int
    stays: Money
    taken: Money
    z: shift_report.ShiftReport
    by: str
    at: datetime
    owed: OwedPaper | None = None


class ShiftRepository(Protocol):
    """Raises NotAllowed where a shift has changed meanwhile, DiskFull, DatabaseBusy,
    DatabaseDamaged."""

    def open_shift(self) -> Shift | None: ...

    def last_closed(self, *, before: Shift | None = None) -> Shift | None:
        """The newest closed shift. before: only those before this one."""
        ...

    def closed(self, *, at_most: int = 50) -> Sequence[Shift]:
        """The closed shifts, the newest first."""
        ...

    def float_count(self, form: CountForm) -> Count:
        """The unfinished count of the next shift's float, also after the till was killed."""
        ...

    def keep_float_count(self, count: Count) -> None:
        """Keep the count as it is typed."""

    def begin(self, amount: Money, how: FloatIs, *, by: str, at: datetime) -> Shift:
        """Open a shift. Raises NotAllowed while one is open."""
        ...

    def ensure_open(self, *, by: str, at: datetime) -> Shift:
        """The open shift; where there is none, one is opened with the float as it was left."""
        ...

    def move(
        self, kind: cash.MoveKind, amount: Money, *, reason: str, by: str, at: datetime
    ) -> cash.CashMove:
        """Note cash in or out, in the open shift."""
        ...

    def moves(self, shift: Shift) -> Sequence[cash.CashMove]: ...

    def sales(self, span: Span) -> Sequence[cash.ShiftSale]:
        """Sales that were frozen in the span or changed during it, in the order of their
        numbers."""
        ...

    def roughly_there(self) -> Money | None:
        """A quick estimate of the cash in the drawer, or None while no shift is open."""
        ...

    def reported_since(self, shift: Shift) -> datetime:
        """The end of the shift before, from which acts and other programs' receipts are shown."""
        ...

    def acts(self, span: Span) -> shift_report.ActSums:
        """The sums of acts, without the discounts, which are in the carts."""
        ...

    def discounted_carts(self, span: Span) -> Sequence[int]:
        """The carts of the span's signed sales with a discount on a line or on all; a correction's
        new receipt does not count as another one."""
        ...

    def note_x(self, *, by: str, at: datetime) -> None:
        """Note that somebody saw an X."""

    def draft(self, shift: Shift, form: CountForm, *, by: str, at: datetime) -> StoredCount:
        """The count under way, begun where there is none."""
        ...

    def keep_count(self, stored: StoredCount) -> None:
        """Keep a draft as it is typed."""

    def confirm_count(self, stored: StoredCount, *, by: str, at: datetime) -> StoredCount:
        """Confirm a count, which then never changes. by: the person who confirms it, perhaps
        another than the one who began it."""
        ...

    def counts(self, shift: Shift) -> Sequence[StoredCount]:
        """The confirmed counts, the oldest first."""
        ...

    def close(self, shift: Shift, closing: ShiftClosing) -> Shift: ...

    def z_of(self, shift_id: int) -> shift_report.ShiftReport:
        """The report of a closed shift. Raises NotFound."""
        ...

    def owe(self, owed: OwedPaper) -> OwedPaper:
        """Keep a paper that is to be printed until the server has taken it, and return it; a paper
        that is owed already keeps its key."""
        ...

    def owed(self) -> Sequence[OwedPaper]:
        """The owed papers, the oldest first. Raises Invalid where a kept one is no paper."""
        ...

    def note_taken(self, key: str) -> None:
        """Note that the server has the paper, or refused it: it is owed no longer."""


@dataclass(frozen=True, slots=True)
class Differences:
    """Counted and expected amounts by method ("cash", "card", …), if there are any."""

    rows: tuple[shift_report.Difference, ...] = field(default=())

    @property
    def unexplained(self) -> tuple[shift_report.Difference, ...]:
        return tuple(row for row in self.rows if row.amount and not row.reason)

    @property
    def hardly_explained(self) -> tuple[shift_report.Difference, ...]:
        """The differences whose reason says nothing."""
        return tuple(
            row
            for row in self.rows
            if row.amount and row.reason and not has_visible_text(row.reason)
        )


def open_with(
    repository: ShiftRepository, amount: Money, how: FloatIs, *, by: str, at: datetime
) -> Shift:
    """Open a shift with a float. Raises Invalid for field "float" where a typed one is not whole
    dinars; what an earlier shift left is taken as it is. NotAllowed, DiskFull."""
    if how is not FloatIs.LEFT:
        cash.check_whole(amount, "float")
    return repository.begin(amount, how, by=by, at=at)


def cash_move(
    repository: ShiftRepository,
    kind: cash.MoveKind,
    amount: Money,
    *,
    reason: str,
    by: str,
    at: datetime,
) -> cash.CashMove:
    """Note cash in or out. Raises as `check_move`; where no shift is open, one is opened with the
    float as it was left."""
    text = check_move(kind, amount, reason)
    repository.ensure_open(by=by, at=at)
    return repository.move(kind, amount, reason=text, by=by, at=at)


def check_move(kind: cash.MoveKind, amount: Money, reason: str) -> str:
    """Return the reason as it is kept. Raises Invalid for field "amount" or "reason"."""
    if amount <= Money.ZERO:
        raise Invalid("no_amount", field="amount")
    cash.check_whole(amount, "amount")
    text = " ".join(reason.split())
    if kind in (cash.MoveKind.IN, cash.MoveKind.OUT) and not text:
        raise Invalid("no_reason.cash", field="reason")
    if text and not has_visible_text(text):
        raise _too_short("reason")
    if len(text) > LONGEST_REASON:
        raise Invalid("long_reason", field="reason", most=LONGEST_REASON)
    return text


def holds_much(repository: ShiftRepository, limit: Money) -> bool:
    """Whether the open shift's drawer holds more than the shop's limit. limit: zero for none."""
    there = repository.roughly_there() if limit else None
    return there is not None and there > limit


def check_closing(drawer_differences: Differences) -> None:
    """Raises NotAllowed (unexplained) while a difference has no reason; Invalid for the field of
    the method ("reason.cash"), where a reason says nothing."""
    if drawer_differences.unexplained:
        raise NotAllowed("unexplained")
    for row in drawer_differences.hardly_explained:
        raise _too_short(f"reason.{row.method}")


def _too_short(field: str) -> Invalid:
    return Invalid("short_reason", field=field, least=LEAST_SAID)


def usual_stay(shift: Shift, stored: StoredCount) -> Money:
    """The cash that stays by default: as much as the shift's float in whole dinars, or all there
    is."""
    return min(Money(int(shift.cash_float.amount)), stored.cash)


def stay_of(stored: StoredCount, amount: Money) -> Money:
    """Raises Invalid for field "stays", where more is to stay than was counted, or a sum that is
    not whole dinars."""
    counted = stored.cash
    if amount > counted:
        raise Invalid("above_counted", field="stays", counted=counted)
    return cash.check_whole(amount, "stays")


def close_shift(
    repository: ShiftRepository,
    shift: Shift,
    stored: StoredCount,
    drawer_differences: Differences,
    *,
    stays: Money,
    z: shift_report.ShiftReport,
    by: str,
    at: datetime,
    owed: OwedPaper | None = None,
) -> Shift:
    """End a shift, whoever opened it. owed: the Z, where it is to be printed. Raises as `stay_of`
    and `check_closing`; DiskFull."""
    check_closing(drawer_differences)
    taken = stored.cash - stay_of(stored, stays)
    return repository.close(shift, ShiftClosing(stored.id, stays, taken, z, by, at, owed))


def with_lying(drawer_differences: Differences, lying: Mapping[str, Money]) -> Differences:
    """The differences of a count with what moved after it and lies there too."""
    rows = tuple(
        row
        if row.counted is None
        else replace(row, counted=row.counted + lying.get(row.method, Money.ZERO))
        for row in drawer_differences.rows
    )
    return Differences(rows)


def with_reasons(drawer_differences: Differences, reasons: Mapping[str, str]) -> Differences:
    rows = tuple(
        shift_report.Difference(
            one.method, one.expected, one.counted, reasons.get(one.method, "").strip()
        )
        for one in drawer_differences.rows
    )
    return Differences(rows)
