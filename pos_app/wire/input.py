"""Reads the bodies that callers of the platform send. Every member is checked; faults have the
wording of the live service.

A missing member changes nothing, a null one removes the value: both matter in a change. Unknown
members are refused (platform-contract.md 2.3).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainValidator
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from pos_app.characters import has_controls
from pos_app.domain.article.barcodes import names_address
from pos_app.domain.money.money import LARGEST_AMOUNT, Money
from pos_app.domain.receipt.request import LONGEST_NAME
from pos_app.domain.text.instant import from_text
from pos_app.errors import Invalid
from pos_app.wire.number import LARGEST_INTEGER, Number, decimal_of
from pos_app.wire.reading import as_sent, seen

M = TypeVar("M", bound=BaseModel)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
LONGEST_CODE = 255
RESPONSE_ONLY = frozenset({"id", "createdAt", "updatedAt", "deletedAt"})
"""The members of every resource's answer; sent back they are ignored."""


class Input(BaseModel):
    """A JSON object of a caller; members are camelCase."""

    model_config = ConfigDict(
        strict=True, extra="forbid", alias_generator=to_camel, frozen=True, defer_build=True
    )

    def given(self) -> dict[str, Any]:
        """The members that were sent, by their own names."""
        return {name: getattr(self, name) for name in self.model_fields_set}


def read_input(
    shape: type[M],
    document: object,
    *,
    ignored: frozenset[str] = frozenset(),
    required: tuple[str, ...] = (),
) -> M:
    """`document` in that shape. Raises Invalid naming every field at fault. ignored: members of an
    answer that may be sent back and are ignored. required: the required members, by the names of
    the JSON."""
    if not isinstance(document, Mapping):
        raise Invalid("object", field="value")
    check_required(document, required)
    members = {name: value for name, value in document.items() if name not in ignored}
    return as_sent(shape.model_validate, members)


def check_required(document: Mapping[str, object], required: tuple[str, ...], at: str = "") -> None:
    """Raise Invalid naming the missing members; `at` is the path before them."""
    missing = tuple(f"{at}{name}" for name in required if name not in document)
    if missing:
        raise Invalid("required", field=missing[0], keys=missing)


def wrong(words: str) -> PydanticCustomError:
    return PydanticCustomError("input", "{words}", {"words": words})


def one_of(*values: str) -> Callable[[object], str]:
    """A validator that accepts one of these texts."""

    def check(value: object) -> str:
        if isinstance(value, str) and value in values:
            return value
        raise wrong(f"must be one of [{', '.join(values)}]")

    return check


def at_most(longest: int) -> Callable[[str], str]:
    """A validator that accepts texts of at most so many characters."""

    def check(text: str) -> str:
        if len(text) > longest:
            raise wrong(f"length must be less than or equal to {longest} characters long")
        return text

    return check


def _uuid(text: str) -> str:
    if is_uuid(text):
        return text.lower()
    raise wrong("must be a valid GUID")


def is_uuid(text: str) -> bool:
    return bool(_UUID.fullmatch(text.lower()))


def _instant(text: str) -> str:
    try:
        from_text(text)
    except Invalid as error:
        raise wrong(error.what) from error
    return text


def _code(text: str) -> str:
    return one_line(at_most(LONGEST_CODE)(text)).strip()


def _no_address(text: str) -> str:
    if names_address(text):
        raise wrong("must be the code of an article, not an address")
    return text


def one_line(text: str) -> str:
    """A validator of texts that a column of the database accepts."""
    if has_controls(text):
        raise wrong("must not contain control characters")
    return text


def _no_null(text: str) -> str:
    """Refuse null characters: PostgreSQL holds none, and most programs end a text there."""
    if "\0" in text:
        raise wrong("must not contain null characters")
    return text


def _whole_from(least: int) -> Callable[[object], int]:
    def check(value: object) -> int:
        number = decimal_of(value)
        if number != number.to_integral_value():
            raise wrong("must be an integer")
        return int(_within(number, Decimal(least), Decimal(LARGEST_INTEGER)))

    return check


def _not_negative(number: Decimal) -> Decimal:
    return _within(number, Decimal(0), LARGEST_AMOUNT)


def _within(number: Decimal, least: Decimal, most: Decimal) -> Decimal:
    if number < least:
        raise wrong(f"must be greater than or equal to {least}")
    if number > most:
        raise wrong(f"must be less than or equal to {most}")
    return number


def _price(number: Decimal) -> Money:
    try:
        return Money.without_float_noise(_not_negative(number))
    except Invalid as error:
        raise wrong("must have no more than 2 decimal places") from error


Name = Annotated[
    str, AfterValidator(seen), AfterValidator(_no_null), AfterValidator(at_most(LONGEST_NAME))
]
"""A text with a visible character, no longer than a receipt allows."""
Uuid = Annotated[str, AfterValidator(_uuid)]
"""A UUID in lower case."""
Moment = Annotated[str, AfterValidator(_instant)]
"""An ISO date-time, as it was sent."""
CodeText = Annotated[str, AfterValidator(_code)]
"""A text by which rows are found: at most 255 characters, without blanks around it."""
EanText = Annotated[str, AfterValidator(_code), AfterValidator(_no_address)]
"""The code of an article, which is no address of a receipt or page."""
Whole = Annotated[int, PlainValidator(_whole_from(0))]
"""An integer from 0 to the largest that each JSON reader holds, as int."""
Sku = Annotated[int, PlainValidator(_whole_from(1))]
"""The code of an article, from 1."""
NotNegative = Annotated[Number, AfterValidator(_not_negative)]
"""A number from 0 on, with the decimals that were sent."""
Price = Annotated[Number, AfterValidator(_price)]
"""Dinars, as Money."""
