"""The ESIR's own part of a receipt, beside the processor's journal, stored with the document.

The journal is never changed; this part is printed below it. The part is fixed when the receipt is
planned, so that each print of the receipt is the same.
Sources: fiscal.md 3 (change), 6.2 (advance figures), 6.6 (unchecked refunds, reversals),
6.10 (achieved discounts).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class LoweredLine:
    """A line whose total is below its unit price. percent is None where no percentage was given."""

    name: str
    before: Money
    after: Money
    percent: Percent | None = None


def total_saved(lowered: Iterable[LoweredLine]) -> Money:
    return Money.total(line.before - line.after for line in lowered)


@dataclass(frozen=True, slots=True)
class AdvanceFigures:
    """The figures below a closing receipt: Плаћено авансом, ПДВ на авансу, Преостало за плаћање."""

    paid: Money
    vat: Money
    remaining: Money


@dataclass(frozen=True, slots=True)
class ReceiptReference:
    """Another receipt as it is printed: its fiscal number and PFR time (an instant)."""

    number: str
    time: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EsirPart:
    """The part, without what the document itself decides (change, the line that a customer signs).

    last_advance: "Последњи авансни рачун", printed after the end line of a closing receipt.
    is_unchecked: the receipt refunds one that this journal does not hold, whose earlier refunds are
    unknown (fiscal.md 6.6). is_reversal: the receipt undoes the one that it refers to; no payment
    is due.
    """

    lowered: tuple[LoweredLine, ...] = ()
    additional_text: str = ""
    advance: AdvanceFigures | None = None
    last_advance: ReceiptReference | None = None
    is_unchecked: bool = False
    is_reversal: bool = False
