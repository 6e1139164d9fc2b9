"""What an X and a Z tell: a shift's turnover in all its parts, and how its drawer came out.

The till makes them of its own rows and of what the server's journal tells; documents lay them out.
Source: till.md ("Shift").
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from pos_app.domain.money import Money
from pos_app.lazy_dataclass import dataclass


class CashPart(StrEnum):
    """The lines of the expected cash, in their order."""

    FLOAT = "float"
    RECEIVED = "received"
    CHANGE = "change"
    ROUNDING = "rounding"
    REFUNDS = "refunds"
    EARLIER = "earlier"
    """Sales of earlier shifts that came to count in this one, or count no longer."""
    IN = "in"
    FROM_SAFE = "from_safe"
    OUT = "out"
    TO_SAFE = "to_safe"


@dataclass(frozen=True, slots=True)
class ActSums:
    """What else was done in a time: how often, and for how much. discounts: of lines and carts."""

    openings: int = 0
    dropped: int = 0
    dropped_total: Money = Money.ZERO
    discounts: int = 0
    discounts_total: Money = Money.ZERO


@dataclass(frozen=True, slots=True)
class Difference:
    """method: of payment, as stored. counted: None where it was not counted."""

    method: str
    expected: Money
    counted: Money | None
    reason: str = ""

    @property
    def amount(self) -> Money:
        return (self.counted or Money.ZERO) - self.expected


@dataclass(frozen=True, slots=True)
class Sum:
    """name: of what it is the sum. many: how many documents or acts; 0 where nobody counts them."""

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
    """hour: in Belgrade, 0 to 23."""

    hour: int
    amount: Money


@dataclass(frozen=True, slots=True)
class FromServer:
    """What only the journal knows. closed_advances: refunded when advances were closed. others: by
    the programs that issued here too. categories: by their names, "" for none. until: when it was
    asked; None in what was kept before that was told."""

    labels: tuple[LabelSum, ...] = ()
    closed_advances: Sum = Sum("closed_advances", Money.ZERO)
    others: tuple[Sum, ...] = ()
    categories: tuple[Sum, ...] = ()
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Takings:
    """The receipts of a shift, of those that are signed. corrections: of each the new receipt,
    which is in the turnover once. unsigned: what is frozen and neither signed nor dropped;
    signed_later: of earlier shifts, in this one, and not in the turnover."""

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
    """A line of the expected cash."""

    part: CashPart
    amount: Money


@dataclass(frozen=True, slots=True)
class CountedDrawer:
    """expected: by its parts. counted: None in an X. counts: how many times it was counted.
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
    """number: of the shift, 0 of a day without shifts. closed_at: None in an X. drawer: None for
    whom may not see it, and of a day. server: None where it did not answer. Instants are UTC."""

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
