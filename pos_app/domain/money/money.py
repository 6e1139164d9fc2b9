"""Money in dinars and quantities, over Decimal. A wrong amount can't be built.

Sources: fiscal.md 1 (fields of the PFR: 12 integer digits, 2 and 3 decimals), 2 (half up).
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from typing import ClassVar

from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

PARA = Decimal("0.01")
GRAM = Decimal("0.001")
LARGEST_AMOUNT = Decimal("999999999999.99")
LARGEST_QUANTITY = Decimal("999999999999.999")
_MOST_PARA = 99_999_999_999_999
_DIGITS = 40
"""The working precision before rounding."""
_EXACT = Context(prec=_DIGITS)


def half_up(value: Decimal, unit: Decimal) -> Decimal:
    """`value` rounded half away from zero to a multiple of the power of ten `unit`. Half up is the
    law's rounding (fiscal.md 2): 10.267 -> 10.27, 1.225 -> 1.23, -1.225 -> -1.23."""
    return value.quantize(unit, rounding=ROUND_HALF_UP, context=_EXACT)


def without_float_noise(value: Decimal, unit: Decimal) -> Decimal:
    """The multiple of `unit` that a binary float stands for; any other value is unchanged.

    Clients count in floats (platform-contract.md 2.23): a difference of up to a hundredth of the
    unit is noise. 0.30000000000000004 and 0.2999 are 0.30 by the para; 0.305 stays 0.305.
    """
    nearest = half_up(value, unit)
    if nearest == value:  # most values have no noise
        return nearest
    noise = unit / 100
    return nearest if nearest - noise <= value <= nearest + noise else value


def exact_number(value: Decimal | int | str, what: str) -> Decimal:
    """`value` as a finite Decimal. Raises Invalid; TypeError for a float, which is never exact."""
    if isinstance(value, float):
        raise TypeError(f"{what} is never built from a float")
    try:
        number = Decimal(value)
    except ArithmeticError as error:
        raise Invalid("number.named", named=what) from error
    if not number.is_finite():
        raise Invalid("number.named", named=what)
    return number


@dataclass(frozen=True, slots=True, order=True)
class Money:
    """An amount in dinars with exactly 2 decimals, at most 12 digits before the point. Raises
    Invalid when a value has more decimals or more digits: round with `Money.rounded`."""

    amount: Decimal
    ZERO: ClassVar[Money]

    def __init__(self, value: Decimal | int | str) -> None:
        number = exact_number(value, "an amount")
        if abs(number) > LARGEST_AMOUNT:
            raise Invalid("too_large.amount")
        exact = half_up(number, PARA)
        if exact != number:
            raise Invalid("decimals.amount")
        object.__setattr__(self, "amount", exact + 0)

    @classmethod
    def of_para(cls, count: int) -> Money:
        """An amount from para, as databases store it: 12345 -> 123.45. It is faster, because
        nothing is rounded."""
        if type(count) is not int or abs(count) > _MOST_PARA:
            return cls(Decimal(count).scaleb(-2))
        money = object.__new__(cls)
        object.__setattr__(money, "amount", Decimal(count).scaleb(-2))
        return money

    @classmethod
    def rounded(cls, value: Decimal | int | str) -> Money:
        """The nearest amount, half up: 0.123 × 9.95 = 1.22385 -> 1.22."""
        number = exact_number(value, "an amount")
        if abs(number) > LARGEST_AMOUNT:
            raise Invalid("too_large.amount")
        return cls(half_up(number, PARA))

    @classmethod
    def without_float_noise(cls, value: Decimal | int | str) -> Money:
        number = exact_number(value, "an amount")
        return cls(without_float_noise(number, PARA) if abs(number) <= LARGEST_AMOUNT else number)

    @classmethod
    def total(cls, amounts: Iterable[Money]) -> Money:
        return cls(sum([item.amount for item in amounts], Decimal(0)))

    def __add__(self, other: Money) -> Money:
        return Money(self.amount + other.amount)

    def __sub__(self, other: Money) -> Money:
        return Money(self.amount - other.amount)

    def __neg__(self) -> Money:
        return Money(-self.amount)

    def __bool__(self) -> bool:
        return self.amount != 0

    def __str__(self) -> str:
        return f"{self.amount:.2f}"

    def times(self, quantity: Quantity) -> Money:
        return Money.rounded(self.amount * quantity.amount)

    def per(self, quantity: Quantity) -> Money:
        with localcontext() as context:
            context.prec = _DIGITS
            return Money.rounded(self.amount / quantity.amount)


Money.ZERO = Money(0)


@dataclass(frozen=True, slots=True, order=True)
class Quantity:
    """The quantity of an article: above zero, exactly 3 decimals (a gram, a millilitre). Raises
    Invalid for zero, a negative, more decimals or more than 12 digits."""

    amount: Decimal
    ONE: ClassVar[Quantity]

    def __init__(self, value: Decimal | int | str) -> None:
        number = exact_number(value, "a quantity")
        if number <= 0:
            raise Invalid("not_positive")
        if number > LARGEST_QUANTITY:
            raise Invalid("too_large.quantity")
        exact = half_up(number, GRAM)
        if exact != number:
            raise Invalid("decimals.quantity")
        object.__setattr__(self, "amount", exact)

    @classmethod
    def without_float_noise(cls, value: Decimal | int | str) -> Quantity:
        number = exact_number(value, "a quantity")
        return cls(without_float_noise(number, GRAM) if abs(number) <= LARGEST_QUANTITY else number)

    def __add__(self, other: Quantity) -> Quantity:
        return Quantity(self.amount + other.amount)

    def __sub__(self, other: Quantity) -> Quantity:
        return Quantity(self.amount - other.amount)

    @property
    def is_whole(self) -> bool:
        return self.amount == self.amount.to_integral_value()

    def __str__(self) -> str:
        return f"{self.amount:.0f}" if self.is_whole else f"{self.amount:.3f}"


Quantity.ONE = Quantity(1)


@dataclass(frozen=True, slots=True, order=True)
class UnitPrice:
    """The price of one piece, with every digit that was sent: 8.333333333333334 for 100 / 12.

    A line's total is quantity × price, rounded once; only the printed price has 2 decimals
    (platform-contract.md 2.12). Raises Invalid for a negative price, or more than 12 digits before
    the point.
    """

    amount: Decimal

    def __init__(self, value: Decimal | int | str) -> None:
        number = exact_number(value, "a price")
        if number < 0:
            raise Invalid("negative.amount")
        if number > LARGEST_AMOUNT:
            raise Invalid("too_large.price")
        object.__setattr__(self, "amount", number)

    @property
    def printed(self) -> Money:
        return Money.rounded(self.amount)


def whole_dinars(amount: Money) -> Money:
    """An amount payable in cash: 1–50 para are rounded down, 51–99 up (fiscal.md 6.13):
    149.50 -> 149, 149.51 -> 150, 149.49 -> 149."""
    floor = amount.amount.to_integral_value(rounding="ROUND_FLOOR")
    up = amount.amount - floor > Decimal("0.50")
    return Money(floor + (1 if up else 0))


def handed(amount: Money, *, in_whole_dinars: bool) -> Money:
    """The cash that is handed over for an amount."""
    return whole_dinars(amount) if in_whole_dinars else amount


def spread(amount: Money, weights: list[Money]) -> list[Money]:
    """Split `amount` in proportion to `weights`, by largest remainder: the sum is exact.

    Ties go to the earlier part. 10.00 over 1, 1, 1 -> 3.34, 3.33, 3.33.
    Raises Invalid when there is nothing to spread over.
    """
    weight_sum = sum((weight.amount for weight in weights), Decimal(0))
    if weight_sum <= 0:
        raise Invalid("empty.spread")
    with localcontext() as context:
        context.prec = _DIGITS
        exact = [amount.amount * weight.amount / weight_sum for weight in weights]
        floors = [value.quantize(PARA, rounding="ROUND_FLOOR") for value in exact]
    missing = int((amount.amount - sum(floors, Decimal(0))) / PARA)
    by_rest = sorted(range(len(exact)), key=lambda i: (floors[i] - exact[i], i))
    for index in by_rest[:missing]:
        floors[index] += PARA
    return [Money(value) for value in floors]
