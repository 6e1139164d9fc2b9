"""An X and a Z show a shift's turnover in all its parts, and the result of its drawer.

The till makes them of its own rows and of the server's journal; documents lay them out.
Source: till.md ("Shift").
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from pos_app.domain.money import Money
from pos_app.lazy_dataclass import dataclass


class CashPart(StrEnum):
    """The parts of the expected cash, in their order."""

    FLOAT = "float"
    RECEIVED = "received"
    CHANGE = "change"
    ROUNDING = "rounding"
    REFUNDS = "refunds"
    EARLIER = "earlier"
    """Sales of earlier shifts that came to count in this one, or no longer count."""
    IN = "in"
    FROM_SAFE = "from_safe"
    OUT = "out"
    TO_SAFE = "to_safe"


@dataclass(frozen=True, slots=True)
class ActSums:
    """The numbers and amounts of other acts in a period. discounts: those of lines and carts."""

    openings: int = 0
    dropped: int = 0
    dropped_total: Money = Money.ZERO
    discounts: int = 0
    discounts_total: Money = Money.ZERO


@dataclass(frozen=True, slots=True)
class Difference:
    """method: that of payment, as stored. counted is None where it was not counted."""

    method: str
    expected: Money
    counted: Money | None
    reason: str = ""

    @property
    def amount(self) -> Money:
        return (self.counted or Money.ZERO) - self.expected


@dataclass(frozen=True, slots=True)
class Sum:
    """name: that of the summed documents. many: the number of documents or acts; 0 where nobody
    counts them."""

    name: str
    amount: Money
    many: int = 0


@dataclass(frozen=True, slots=True)
class LabelSum:
    """total: with tax. tax: the receipts' own, each rounded."""

    label: str
    rate: Decimal | None
    total: Money
    tax: Money


@dataclass(frozen=True, slots=True)
class HourSum:
    """hour: that of Belgrade, 0 to 23."""

    hour: int
    amount: Money


@dataclass(frozen=True, slots=True)
class FromServer:
    """The part that only the journal knows. closed_advances: refunded when advances were closed.
    others: sums of other programs that issued here. categories: by their names, "" for none. until:
    the time of asking, None in reports of an earlier version."""

    labels: tuple[LabelSum, ...] = ()
    closed_advances: Sum = Sum("closed_advances", Money.ZERO)
    others: tuple[Sum, ...] = ()
    categories: tuple[Sum, ...] = ()
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Takings:
    """The signed receipts of a shift. corrections: the new receipt of each, which is in the
    turnover once. unsigned: frozen sales that are neither signed nor dropped; signed_later: those
    of earlier shifts signed in this one, which are not in the turnover."""

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
    """A part of the expected cash."""

    part: CashPart
    amount: Money


@dataclass(frozen=True, slots=True)
class CountedDrawer:
    """expected: the sum of its parts. counted is None in an X. counts: the number of counts.
    earlier: the cash of each count but the last."""

    parts: tuple[PartSum, ...]
    expected: Money
    differences: tuple[Difference, ...] = ()
    counted: Money | None = None
    counts: int = 0
    stays: Money = Money.ZERO
    taken: Money = Money.ZERO
    earlier: tuple[Money, ...] = ()


@dataclass(frozen=True, slots=True)
class ShiftReport:
    """number: that of the shift, 0 for a day without shifts. closed_at is None in an X. drawer is
    None for a person who may not see it, and for a day. server is None where it did not answer.
    Instants are UTC."""

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
