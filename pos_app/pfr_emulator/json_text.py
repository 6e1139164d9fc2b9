"""Reads and writes JSON with exact numbers: each is a Decimal with all its digits, never a
float."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from hashlib import sha256
from json.encoder import encode_basestring, encode_basestring_ascii

_DIGITS = 28
"""Significant digits that decimal's default context keeps."""


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is no JSON number")


def _number(text: str) -> Decimal:
    """Read a number. Raises ValueError for more digits than decimal arithmetic keeps."""
    number = Decimal(text)
    if len(number.as_tuple().digits) > _DIGITS or abs(number.adjusted()) > _DIGITS:
        raise ValueError("a number with more digits than can be kept")
    return number


def decode(body: bytes) -> object:
    """Parse UTF-8 JSON; every number becomes a Decimal. Raises ValueError."""
    try:
        return json.loads(
            body, parse_float=_number, parse_int=_number, parse_constant=_refuse_constant
        )
    except RecursionError as error:
        raise ValueError("nested too deep") from error


_MAPPINGS = (dict, Mapping)
"""The plain dict is first, because asking the abstract class takes three times as long."""


def encode(value: object) -> str:
    """Write JSON; a Decimal becomes a plain number with the digits it has (20, 5.6527)."""
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, _MAPPINGS):
        members = (
            f"{encode_basestring_ascii(key)}:{encode(member)}" for key, member in value.items()
        )
        return "{" + ",".join(members) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(encode(member) for member in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def _canonical(value: object) -> object:
    if isinstance(value, Decimal):
        return value.normalize()
    if isinstance(value, Mapping):
        return {key: _canonical(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_canonical(member) for member in value]
    return value


def content_hash(value: object) -> str:
    """Return the SHA-256 (hex) of a document, regardless of key order, blanks and 1.0 or 1.00."""
    return sha256(encode(_canonical(value)).encode()).hexdigest()
