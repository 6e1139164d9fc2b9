"""Discounts: a percentage lowers each line on its own; an amount off the receipt is spread over the
lines by largest remainder; an amount off a line lowers only that line.

Sources: platform-contract.md 2.12, fiscal.md 6.10.
"""

from __future__ import annotations

from decimal import ROUND_UP, Decimal, localcontext

from pos_app.domain.money import money
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

FINEST = Decimal("0.0001")
_EXACT_DIGITS = 160
"""The digits for the exact product of a price of 64 digits, a quantity and two percentages."""


@dataclass(frozen=True, slots=True, order=True)
class Percent:
    """A discount above 0 and at most 100 percent, at most 4 decimals. Raises Invalid for another
    number."""

    value: Decimal

    def __init__(self, value: Decimal | int | str) -> None:
        number = money.exact_number(value, "a discount")
        if not 0 < number <= 100:
            raise Invalid("range.percent")
        exact = money.half_up(number, FINEST)
        if exact != number:
            raise Invalid("decimals.discount")
        object.__setattr__(self, "value", exact)

    @classmethod
    def without_float_noise(cls, value: Decimal | int | str) -> Percent | None:
        """The discount meant by a binary float, or None for 0. Raises Invalid."""
        number = money.exact_number(value, "a discount")
        if 0 <= abs(number) <= 100:
            number = money.without_float_noise(number, FINEST)
        return cls(number) if number else None


LineDiscount = Percent | money.Money | None
"""A line's discount: a percentage, or an amount off its whole price."""


def line_total(
    price: money.Money | money.UnitPrice, quantity: money.Quantity, *discounts: LineDiscount
) -> money.Money:
    """price × quantity, less each discount in turn, rounded once at the end.

    349.99 × 1 less 20 % -> 279.99; 9.95 × 0.123 -> 1.22; 349.99 × 3 less 20 % -> 839.98;
    8.333333333333334 × 12 -> 100.00.

    An amount is subtracted from the price shown, in whole para: 9.95 × 0.123 less 0.22 -> 1.00;
    2.45 × 0.5 less 1.23 -> 0.00; 349.99 × 3 less 50.00 and then 10 % -> 899.97. Raises Invalid for
    an amount that is not above 0, or is more than this price.
    """
    with localcontext() as context:
        context.prec = _EXACT_DIGITS
        exact = price.amount * quantity.amount
        for discount in discounts:
            if isinstance(discount, money.Money):
                exact = _less_amount(money.half_up(exact, money.PARA), discount)
            elif discount is not None:
                exact = exact * (100 - discount.value) / 100
    return money.Money.rounded(exact)


def discount_between(full: money.Money, total: money.Money) -> LineDiscount:
    """The discount that makes `full` exactly `total`: a percentage, as people give it, with at
    most one decimal; else an amount. None where nothing was taken off.

    | full   | total  | discount |
    | 239.97 | 215.97 | 10 %     |
    | 239.97 | 205.17 | 14.5 %   |
    | 239.97 | 189.97 | 50.00    |
    | 239.97 | 0.00   | 100 %    |
    | 239.97 | 239.97 | None     |
    """
    if total >= full:
        return None
    exact = 100 * (full - total).amount / full.amount
    for step in (Decimal(1), Decimal("0.1")):
        percent = money.half_up(exact, step)
        if percent and line_total(full, money.Quantity.ONE, Percent(percent)) == total:
            return Percent(percent)
    return full - total


def _less_amount(cost: Decimal, amount: money.Money) -> Decimal:
    if not 0 < amount.amount <= cost:
        raise Invalid("above_line")
    return cost - amount.amount


def amount_off(totals: list[money.Money], amount: money.Money) -> list[money.Money]:
    """The line totals less an amount on the whole receipt, spread in proportion to them.

    [100.00, 50.00, 50.00] less 10.00 -> [95.00, 47.50, 47.50].
    Raises Invalid when the amount is not above 0 or is more than the lines together.
    """
    if amount <= money.Money.ZERO or amount > money.Money.total(totals):
        raise Invalid("range.total")
    parts = money.spread(amount, totals)
    return [total - part for total, part in zip(totals, parts, strict=True)]


def share_of(discount: LineDiscount, full: money.Money) -> Decimal:
    """The percentage that a discount takes off an amount, rounded up to 4 decimals; 0 for none.
    50.00 off 1000.00 -> 5; 50.01 off 1000.00 -> 5.0010; all of nothing -> 100."""
    if discount is None:
        return Decimal(0)
    if isinstance(discount, Percent):
        return discount.value
    if not full.amount:
        return Decimal(100)
    return (100 * discount.amount / full.amount).quantize(FINEST, rounding=ROUND_UP)
