"""Numbers that are rarely meant: a bar code typed as a quantity, a zero too many.

The till asks once whether such a number is right; it refuses none. Source: decisions.md
("A number far above the usual is asked about").
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pos_app.domain.money import Money, Quantity
from pos_app.errors import Invalid

LARGEST_NOTE = Money(5000)
"""One note is never odd, however small the receipt: it is all that the customer has."""


class Odd(StrEnum):
    """What is far above the usual."""

    QUANTITY = "quantity"
    LINE_TOTAL = "line_total"
    CASH = "cash"


@dataclass(frozen=True, slots=True)
class Unusual:
    """A typed number to be asked about. figure: the number itself, or what it makes."""

    what: Odd
    figure: Quantity | Money


@dataclass(frozen=True, slots=True)
class Limits:
    """From which quantity and line total, and above how many times the total in cash."""

    quantity: Quantity
    line_total: Money
    cash_times: int

    def of_quantity(self, quantity: Quantity) -> Unusual | None:
        """What is odd about a quantity for an article that is not yet known."""
        return Unusual(Odd.QUANTITY, quantity) if quantity >= self.quantity else None

    def of_line(self, quantity: Quantity, price: Money) -> Unusual | None:
        """What is odd about a line; one that can't be is refused where it is stored."""
        try:
            total = price.times(quantity)
        except Invalid:
            return None
        if odd := self.of_quantity(quantity):
            return odd
        return Unusual(Odd.LINE_TOTAL, total) if total >= self.line_total else None

    def of_cash(self, received: Money, due: Money) -> Unusual | None:
        """What is odd about the cash that was received for what is due."""
        try:
            usual = max(due.times(Quantity(self.cash_times)), LARGEST_NOTE)
        except Invalid:  # above every amount there is
            return None
        return Unusual(Odd.CASH, received) if received > usual else None
