"""Amounts, quantities and percentages as people in Serbia read and type them.

Shown: decimal comma, thousands point, minus U+2212, a no-break space before a unit (look.md).
Typed: comma and point are both decimal marks, thousands need not be typed (till.md).
"""

from __future__ import annotations

import re
from decimal import Decimal

from pos_app.domain.money.money import Money, Quantity
from pos_app.errors import Invalid

MINUS = "\u2212"
NO_BREAK_SPACE = "\u00a0"

_TO_SERBIAN = str.maketrans(",.", ".,")
_ONE_MARK = re.compile(r"([0-9]*)(?:[.,]([0-9]*))?")
_GROUPED = re.compile(
    r"[0-9]{1,3}(?:(?:\.[0-9]{3})+,[0-9]*|(?:,[0-9]{3})+\.[0-9]*|(?:\.[0-9]{3}){2,}"
    r"|(?:,[0-9]{3}){2,})"
)
_MAYBE_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")
_MULTIPLIER = re.compile(r"([0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)\*")


def grouped_text(number: int | Decimal) -> str:
    """A number with as many decimals as it has: 200000 -> "200.000", -1240.5 -> "−1.240,5"
    (U+2212)."""
    return f"{number:,}".translate(_TO_SERBIAN).replace("-", MINUS)


def amount_text(amount: Money) -> str:
    """An amount for the screen: 1234.5 -> "1.234,50", -70 -> "−70,00" (U+2212)."""
    return sum_text(amount.amount)


def sum_text(total: Decimal) -> str:
    """A sum of receipts for the screen, which may exceed any amount."""
    return _two_decimals(total).replace("-", MINUS)


def plain_amount_text(amount: Money) -> str:
    """An amount for 40-column paper, where the minus is ASCII: -70 -> "-70,00"."""
    return _two_decimals(amount.amount)


def _two_decimals(number: Decimal) -> str:
    return f"{number:,.2f}".translate(_TO_SERBIAN)


def quantity_text(quantity: Quantity) -> str:
    """A quantity: whole without decimals, else exactly three. 2 -> "2", 1.56 -> "1,560"."""
    return quantity_sum_text(quantity.amount)


def quantity_sum_text(total: Decimal) -> str:
    """A sum of quantities, which refunds may make 0 or less: -1.5 -> "−1,500" (U+2212)."""
    decimals = 0 if total == total.to_integral_value() else 3
    return f"{total:,.{decimals}f}".translate(_TO_SERBIAN).replace("-", MINUS)


def typed_quantity_text(quantity: Quantity) -> str:
    """A quantity as a cashier would type it: 1234 -> "1234", 1.560 -> "1,56". It has no thousands
    point, which would be read as a decimal mark."""
    return exact_text(quantity.amount)


def exact_text(number: Decimal) -> str:
    """A number with all its decimals: 0.41230 -> "0,4123"."""
    return f"{number.normalize():f}".replace(".", ",")


def percent_text(percent: Decimal) -> str:
    """A percentage with as few digits as it needs: 2.50 -> "2,5 %", -20 -> "−20 %"."""
    digits = f"{percent:,f}"
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    shown = digits.translate(_TO_SERBIAN).replace("-", MINUS)
    return f"{shown}{NO_BREAK_SPACE}%"


def parse_amount(text: str) -> Money:
    """Read an amount that a cashier typed, zero or more.

    | typed    | amount  |
    | 1234,5   | 1234.50 |
    | 1234.5   | 1234.50 |
    | 1.234,50 | 1234.50 |
    | ,5       | 0.50    |
    | 1.234    | Invalid: 1234.00 to one program, 1.23 to another                  |
    | 1,000    | Invalid, as above: never 1.00, nor 1000.00                        |
    | 0,500    | 0.50: no thousand begins with a zero                              |

    Raises Invalid (kind: number, negative, thousand, decimals, too_large).
    """
    typed = text.strip()
    if _MAYBE_THOUSANDS.fullmatch(typed):
        raise _perhaps_thousand(typed)
    if typed[:1] in ("-", MINUS) and _is_number(typed[1:]):
        raise Invalid("negative.amount")
    return Money(_number(typed))


def parse_quantity(text: str) -> Quantity:
    """Read a quantity that a cashier typed: "3" -> 3, "0,412" and "0.412" -> 0.412. Raises Invalid
    (kind: number, not_positive, decimals, too_large)."""
    return Quantity(_number(text))


def parse_multiplier(text: str) -> Quantity | None:
    """The quantity for the next item: "3*" -> 3, "0,412*" -> 0.412. Any other text gives None.

    Raises Invalid for a number before the star that can't be a quantity ("0*", also with more
    behind it: "0*1").
    """
    typed = _MULTIPLIER.match(text.strip())
    if typed is None:
        return None
    quantity = parse_quantity(typed[1])
    return quantity if typed.end() == len(text.strip()) else None


def _number(text: str) -> Decimal:
    """Read digits with one decimal mark, or grouped in thousands where two marks prove that."""
    typed = text.strip()
    plain = _ONE_MARK.fullmatch(typed)
    if plain and (plain[1] or plain[2]):
        return Decimal(f"{plain[1] or 0}.{plain[2] or 0}")
    if _GROUPED.fullmatch(typed):
        return _ungrouped(typed)
    raise Invalid("number.typed")


def _perhaps_thousand(typed_text: str) -> Invalid:
    """The error for "1.234", with both its readings and the unambiguous ways to type it."""
    thousand, with_decimals = re.sub("[.,]", "", typed_text), typed_text.replace(".", ",")
    return Invalid("thousand", typed=typed_text, thousand=thousand, with_decimals=with_decimals)


def _is_number(text: str) -> bool:
    try:
        _number(text)
    except Invalid:
        return False
    return True


def _ungrouped(typed_text: str) -> Decimal:
    last = max(typed_text.rfind("."), typed_text.rfind(","))
    if typed_text.count(typed_text[last]) > 1:
        return Decimal(typed_text.replace(typed_text[last], ""))
    whole = re.sub("[.,]", "", typed_text[:last])
    return Decimal(f"{whole}.{typed_text[last + 1 :] or 0}")
