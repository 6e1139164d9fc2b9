"""Some numbers are rarely meant: a bar code typed as a quantity, a zero too many.

The till asks once whether such a number is right; it refuses none. Source: till.md ("Odd numbers
are asked about").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from datetime import date
from enum import StrEnum

from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.receipt.cart import CartArticle
from pos_app.domain.receipt.units import Measure, measure_of
from pos_app.errors import Invalid, MachineError
from pos_app.lazy_dataclass import dataclass

LARGEST_NOTE = Money(5000)
"""One note is never odd, even for a small receipt: the customer may have nothing smaller."""


class UnusualKind(StrEnum):
    QUANTITY = "quantity"
    FRACTION = "fraction"
    """A fraction of goods sold by the piece."""
    TIMES_USUAL = "times_usual"
    """Many times the usual quantity of this article."""
    LINE_TOTAL = "line_total"
    EXPIRED = "expired"
    """The last day that is printed on a pack is past."""
    FREE = "free"
    """A price of nothing; an article whose price is asked for has none."""
    CASH = "cash"
    CASH_KEPT = "cash_kept"
    """More cash than the law allows to take for goods (fiscal.md 6.13)."""


@dataclass(frozen=True, slots=True)
class Unusual:
    """A typed number to be asked about, or a day that is past. figure: the number itself, or its
    result, or the day.

    article, total: the article and total of its line, or None.
    """

    what: UnusualKind
    figure: Quantity | Money | date
    article: CartArticle | Article | None = field(default=None, compare=False)
    total: Money | None = field(default=None, compare=False)


def _unknown(article_id: str) -> Quantity | None:
    return None


@dataclass(frozen=True, slots=True)
class UsualLimits:
    """The limits beyond which the till asks.

    quantity, line_total: the till asks from these on. cash_times: it asks about cash above so many
    times the total. above: the limit of each measure; `quantity` is the limit for other units, and
    for articles that are not known yet. usual_of: returns the usual quantity of an article, or None
    while it was sold too seldom; the till asks above usual_times of it. cash_kept: the law's limit
    of cash that stays in the drawer, or None.
    """

    quantity: Quantity
    line_total: Money
    cash_times: int
    above: Mapping[Measure, int] = field(default_factory=dict)
    usual_times: int = 0
    usual_of: Callable[[str], Quantity | None] = _unknown
    cash_kept: Money | None = None

    def of_quantity(self, quantity: Quantity) -> Unusual | None:
        return Unusual(UnusualKind.QUANTITY, quantity) if quantity >= self.quantity else None

    def of_unit(self, quantity: Quantity, unit: str) -> Unusual | None:
        """The oddity of a quantity, or None. unit: its symbol, "" for a piece."""
        measure, size = measure_of(unit)
        if measure is Measure.PIECE and quantity.amount % 1:
            return Unusual(UnusualKind.FRACTION, quantity)
        most = self.above.get(measure) if size <= 1 else None  # who sells by the tonne means it
        if most is not None and quantity.amount * size > most:
            return Unusual(UnusualKind.QUANTITY, quantity)
        return self.of_quantity(quantity) if size >= 1 else None

    def of_price(self, price: Money, article: CartArticle | None = None) -> Unusual | None:
        return Unusual(UnusualKind.FREE, price, article, price) if price == Money.ZERO else None

    def of_line(self, quantity: Quantity, price: Money, article: CartArticle) -> Unusual | None:
        """The oddity of a line, or None; an impossible line is refused where it is stored."""
        try:
            total = price.times(quantity)
        except Invalid:
            return None
        odd = self.of_unit(quantity, article.frozen.unit) or self._of_usual(quantity, article)
        if odd is None and total >= self.line_total:
            odd = Unusual(UnusualKind.LINE_TOTAL, total)
        return odd and replace(odd, article=article, total=total)

    def _of_usual(self, quantity: Quantity, article: CartArticle) -> Unusual | None:
        try:
            usual = self.usual_of(article.article_id)
        except MachineError:
            return None  # the footer reports it; nobody is asked without a known limit
        if usual is None or quantity.amount <= usual.amount * self.usual_times:
            return None
        return Unusual(UnusualKind.TIMES_USUAL, quantity)

    def of_cash(self, received: Money, due: Money) -> Unusual | None:
        try:
            usual = max(due.times(Quantity(self.cash_times)), LARGEST_NOTE)
        except Invalid:  # above every amount there is
            return None
        return Unusual(UnusualKind.CASH, received) if received > usual else None

    def of_cash_kept(self, kept: Money) -> Unusual | None:
        if self.cash_kept is None or kept < self.cash_kept:
            return None
        return Unusual(UnusualKind.CASH_KEPT, kept)
