"""The bounds for numbers and times in a foreign answer.

No receipt has a value beyond them, so an answer with such a value can't be read.
Source: fiscal.md 1 (amounts), 4 (counters are 32 bits wide in the verification URL).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from pos_app.domain.money.money import LARGEST_AMOUNT
from pos_app.domain.receipt.receipt_number import LONGEST
from pos_app.domain.text.instant import from_text
from pos_app.errors import Invalid
from pos_app.wire.number import Number

LARGEST_COUNTER = 2**32 - 1
_FIRST = datetime(1970, 1, 1, tzinfo=UTC)
_LAST = datetime(2200, 1, 1, tzinfo=UTC)
_COUNTER_AT_END = re.compile(r"[0-9]+$")


def counter_at_end(number: str) -> int | None:
    """ABCD1234-ABCD1234-8653 -> 8653, or None where the number ends in no digits. Raises Invalid
    beyond the bounds."""
    digits = _COUNTER_AT_END.search(number)
    if digits is None:
        return None
    if len(digits[0]) > LONGEST or int(digits[0]) > LARGEST_COUNTER:
        raise Invalid("worded.counter", largest_counter=LARGEST_COUNTER)
    return int(digits[0])


def moment(text: str) -> datetime:
    """Read an ISO date-time as UTC; without an offset it is Belgrade's time. Raises Invalid, also
    before 1970 and after 2199, because sums of such times would leave the calendar."""
    found = from_text(text)
    if not _FIRST <= found < _LAST:
        raise Invalid("worded.years")
    return found


def _whole(number: Decimal) -> int:
    if number != number.to_integral_value() or not 0 <= number <= LARGEST_COUNTER:
        raise _beyond(f"must be a whole number from 0 to {LARGEST_COUNTER}")
    return int(number)


def _up_to(least: Decimal) -> Callable[[Decimal], Decimal]:
    def check(number: Decimal) -> Decimal:
        if not least <= number <= LARGEST_AMOUNT:
            raise _beyond(f"must be a number from {least} to {LARGEST_AMOUNT}")
        return number

    return check


def _invoice_number(text: str) -> str:
    try:
        counter_at_end(text)
    except Invalid as error:
        raise _beyond(error.what) from error
    if not 0 < len(text) <= LONGEST:
        raise _beyond(f"must have 1 to {LONGEST} characters")
    return text


def _beyond(words: str) -> PydanticCustomError:
    return PydanticCustomError("bounds", "{words}", {"words": words})


Counter = Annotated[Number, AfterValidator(_whole)]
"""A whole number as in a verification URL; an int."""
Amount = Annotated[Number, AfterValidator(_up_to(-LARGEST_AMOUNT))]
"""Dinars with at most 12 digits before the point, and any decimals."""
Rate = Annotated[Number, AfterValidator(_up_to(Decimal(0)))]
"""Percent, or dinars for each unit."""
InvoiceNumber = Annotated[str, AfterValidator(_invoice_number)]
"""requestedBy-signedBy-totalCounter, at most 50 characters."""
