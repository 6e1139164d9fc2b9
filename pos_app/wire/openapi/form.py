"""The form of a schema that generators of clients take, in OpenAPI 3.0."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

NUMBER: Mapping[str, Any] = {"type": "number", "format": "double"}
"""The type of amounts, quantities and rates. Without the format some generators make clients with
numbers of 32 bits, which hold six to seven digits; a double holds each amount to the para."""
_WORDS = re.compile(r"[^0-9A-Za-z]+")


def or_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema, which null satisfies too."""
    return whole({**schema, "nullable": True})


def whole(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema in a form that allows other members beside it: beside `$ref` they are not read."""
    beside = {name: value for name, value in schema.items() if name != "$ref"}
    if "$ref" not in schema or not beside:
        return dict(schema)
    return {"allOf": [{"$ref": schema["$ref"]}], **beside}


def one_of(values: Iterable[str]) -> dict[str, Any]:
    """Return the schema of a text that is one of these values. Each value has a name for programs:
    the name of a member of an enumeration, else the value's own letters."""
    known = list(values)
    return {
        "type": "string",
        "enum": [str(each) for each in known],
        "x-enum-varnames": [_name(each) for each in known],
    }


def _name(value: str) -> str:
    return value.name if isinstance(value, Enum) else _WORDS.sub("_", value).upper()
