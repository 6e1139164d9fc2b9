"""The one type of a number in our JSON: exact, never a string, never a binary float.

Here floats stop (architecture.md, rule 8). Documents are read with `strict_json.loads` and
written with `strict_json.dumps`, which keep every digit.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from pos_app.wire.strict_json import LARGEST_EXPONENT, number_text

_IN_TEXT = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?")
_NUMBERS = (int, Decimal)
LARGEST_INTEGER = 2**53 - 1
"""The largest integer that each JSON reader holds exactly."""


class _JsonNumber:
    """Defines for pydantic how a Number is read, written and described."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            decimal_of,
            serialization=core_schema.plain_serializer_function_ser_schema(
                _write, when_used="json"
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"type": "number", "format": "double"}


Number = Annotated[Decimal, _JsonNumber]
"""A JSON number as Decimal.

Takes int and finite Decimal; a string, a boolean, null, NaN and Infinity are refused with the
error type "number_type". A float is a bug of the caller (TypeError): its digits are lost already.
Writing in pydantic's own JSON mode gives a number too, and raises ValueError where a binary
float could not hold it; `strict_json.dumps(shape.model_dump(by_alias=True))` always can.
"""


def decimal_of(value: object) -> Decimal:
    """A JSON number as Decimal. Raises PydanticCustomError, TypeError for a float."""
    if isinstance(value, _NUMBERS) and not isinstance(value, bool):
        number = Decimal(value)
        if number.is_finite() and abs(number.adjusted()) <= LARGEST_EXPONENT:
            return number
    if isinstance(value, float):
        raise TypeError("a JSON number reached a shape as a float: read it with strict_json.loads")
    raise PydanticCustomError("number_type", "must be a number")


def number_in_text(value: object) -> object:
    """Convert a number that another program wrote as a text, "20.5"; other values stay as they
    are."""
    if isinstance(value, str) and _IN_TEXT.fullmatch(value.strip()):
        return Decimal(value.strip())
    return value


def _write(number: Decimal) -> int | float:
    text = number_text(number)
    if "." not in text:
        return int(text)
    nearest = float(text)
    if Decimal(repr(nearest)) != Decimal(text):
        raise ValueError(f"{text} has more digits than a float holds: write it with strict_json")
    return nearest
