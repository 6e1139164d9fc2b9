"""An X and a Z show a shift's turnover in all its parts, and the result of its drawer.

The till makes them from its own rows and the server's journal; `documents` lays them out.
Source: till.md ("Shift").
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from pos_app.domain.money.money import Money
from pos_app.lazy_dataclass import dataclass


class CashPart(StrEnum):
    """The parts of the expected cash, in their order."""

    FLOAT = "float"
    RECEIVED = "received"
    CHANGE = "change"
    REFUNDS = "refunds"
    EARLIER = "earlier"
    """Sales of earlier shifts that came to count in this one, or no longer count."""
    IN = "in"
    FROM_SAFE = "from_safe"
    OUT = "out"
    TO_SAFE = "to_safe"


@dataclass(frozen=True, slots=True)
class ActSums:
    """discounts: the discounts of lines and carts."""

    openings: int = 0
    dropped: int = 0
    dropped_total: Money = Money.ZERO
    discounts: int = 0
    discounts_total: Money = Money.ZERO


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of one payment method. counted is None where nobody counted it."""

    method: str
    expected: Money
    counted: Money | None
    reason: str = ""

    @property
    def amount(self) -> Money:
        return (self.counted or Money.ZERO) - self.expected


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of the documents or acts that `name` names. many: their number, or 0 if they are not
    counted."""

    name: str
    amount: Money
    many: int = 0


@dataclass(frozen=True, slots=True)
class LabelSum:
    """The sum of a tax label. total includes the tax. tax adds up the taxes of the receipts, each
    of which is rounded."""

    label: str
    rate: Decimal | None
    total: Money
    tax: Money


@dataclass(frozen=True, slots=True)
class HourSum:
    """hour: of Belgrade's clock, 0 to 23."""

    hour: int
    amount: Money


@dataclass(frozen=True, slots=True)
class FromServer:
    """The part that only the journal knows. closed_advances: the sum that was refunded because
    advances were closed. others: the sums of other programs that issued receipts here. categories:
    the sums by the category's name, "" for articles without one. until: the time when the server
    was asked."""

    until: datetime
    labels: tuple[LabelSum, ...] = ()
    closed_advances: Sum = Sum("closed_advances", Money.ZERO)
    others: tuple[Sum, ...] = ()
    categories: tuple[Sum, ...] = ()


@dataclass(frozen=True, slots=True)
class Takings:
    """The signed receipts of a shift. corrections sums the new receipt of each correction; the
    turnover counts it once. unsigned sums the frozen sales that are neither signed nor dropped.
    signed_later sums the sales of earlier shifts that were signed in this one; the turnover does
    not count them."""

    turnover: Money
    receipts: int
    methods: tuple[Sum, ...]
    cashiers: tuple[Sum, ...]
    hours: tuple[HourSum, ...]
    refunds: Sum
    corrections: Sum
    unsigned: Sum
    signed_later: Sum


@dataclass(frozen=True, slots=True)
class PartSum:
    part: CashPart
    amount: Money


@dataclass(frozen=True, slots=True)
class CountedDrawer:
    """expected: the sum of the parts. counted is None in an X. counts: how often the cash was
    counted; earlier: the cash of each count but the last. rounding: what the drawer gained or lost
    because cash moves in whole dinars, which the parts have already."""

    parts: tuple[PartSum, ...]
    expected: Money
    differences: tuple[Difference, ...] = ()
    counted: Money | None = None
    counts: int = 0
    stays: Money = Money.ZERO
    taken: Money = Money.ZERO
    earlier: tuple[Money, ...] = ()
    rounding: Money = Money.ZERO


@dataclass(frozen=True, slots=True)
class ShiftReport:
    """number: the number of the shift, 0 for a day without shifts. drawer is None for a person who
    may not see it, and for a day. server is None where the server did not answer. Instants are
    UTC."""

    number: int
    till: str
    opened_at: datetime
    opened_by: str
    told_at: datetime
    told_by: str
    is_closed: bool
    takings: Takings
    acts: ActSums
    drawer: CountedDrawer | None = None
    server: FromServer | None = None
