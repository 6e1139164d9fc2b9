"""JSON is read strictly and written exactly, without binary floats.

Reading refuses texts that two parsers could understand differently (a repeated name, half a
surrogate pair, NaN) and malicious ones (depth, numbers of endless size).
Source: RFC 8259, exactly-once.md "Steps" 1 and "The open local server" 5.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any, NoReturn

from pos_app.errors import Invalid

DEEPEST = 32
LONGEST_NUMBER = 64
"""The most characters of a written number."""
LARGEST_EXPONENT = 40
"""No number is as large as 10^41 or has more than 40 decimals; money needs 12 digits and 2
decimals."""

_HALF_SURROGATE = re.compile(r"\\u[dD][89abAB]|\\u[dD][c-fC-F]")
_BLANK = re.compile(r"[ \t\n\r]*")


class MalformedJson(Invalid):
    """Text that is no JSON of ours; `values` hold line and column (from 1) where known."""


class NumberOutOfRange(MalformedJson):
    """JSON with a number that is longer, larger or finer than any of ours; `field` is its path, ""
    where it is the whole text."""


def loads(body: bytes | str) -> object:
    """The value of a JSON text: dict, list, str, int, Decimal, bool or None. Never a float.

    Raises MalformedJson for any text but strict UTF-8 JSON, a repeated name in one object, NaN and
    Infinity, nesting deeper than 32; and its subclass NumberOutOfRange for integers longer than 40
    characters, and for other numbers longer than 64 characters, from 10^41 on, or with more than 40
    decimals.
    """
    text = _as_text(body)
    if text.startswith("\ufeff"):
        raise malformed("a byte order mark (BOM) stands before the value", text, 0)
    value, end = scan(text, skip_blanks(text, 0))
    if (end := skip_blanks(text, end)) != len(text):
        raise malformed("nothing may follow the value", text, end)
    return value


def scan(text: str, start: int) -> tuple[object, int]:
    """The value that begins exactly at `start`, and the index behind it. Raises MalformedJson."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise malformed(_words_of(error), text, error.pos) from error
    except RecursionError as error:
        raise _too_deep(text, start) from error
    except NumberOutOfRange as error:
        raise _out_of_range(error, text, start) from error
    except MalformedJson as error:
        raise malformed(error.what, text, _index_of(error, text, start)) from error
    _check_depth(value, text, start, end)
    if text.find("\\u", start, end) >= 0 and _HALF_SURROGATE.search(text, start, end):
        _check_surrogates(value, text, start)
    return value, end


def dumps(value: object) -> bytes:
    """Compact UTF-8 JSON. A Decimal is written by its value: 58.90 -> 58.9, 1E+3 -> 1000. It takes
    the values of `loads`, and tuples. Raises TypeError for a float or any other type."""
    return written(value).encode()


def written(value: object) -> str:
    """The text of `dumps`, which may have half a surrogate pair."""
    return _written(value, in_order=False)


def canonical(value: object) -> bytes:
    """The canonical text of a document, for its hash: names sorted by code point, no blanks, equal
    numbers alike (1, 1.0, 1.00 and 1e0 are `1`). Frozen: stored hashes depend on it."""
    return _written(value, in_order=True).encode()


def number_text(number: Decimal | int) -> str:
    """A finite number in plain digits, without exponent or trailing zeros; zero has no sign."""
    if not isinstance(number, Decimal):
        return int.__repr__(number)
    if not number.is_finite() or abs(number.adjusted()) > 2 * LARGEST_EXPONENT:
        raise ValueError(f"{number!r} is no number of ours")
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


# --- writing -----------------------------------------------------------------------------------

_NUMBERS, _LISTS, _HOLDERS = (int, Decimal), (list, tuple), (dict, list)
_MAPPINGS = (dict, Mapping)
"""The plain dict is first, because asking the abstract class takes three times as long."""


def _written(value: object, *, in_order: bool) -> str:
    pieces: list[str] = []
    _write(value, pieces, in_order=in_order)
    return "".join(pieces)


def _write(value: object, pieces: list[str], *, in_order: bool) -> None:
    if isinstance(value, str):
        pieces.append(encode_basestring(value))
    elif value is None:
        pieces.append("null")
    elif isinstance(value, bool):
        pieces.append("true" if value else "false")
    elif isinstance(value, _NUMBERS):
        pieces.append(number_text(value))
    elif isinstance(value, _MAPPINGS):
        _write_members(value, pieces, in_order=in_order)
    elif isinstance(value, _LISTS):
        before = "["
        for item in value:
            pieces.append(before)
            _write(item, pieces, in_order=in_order)
            before = ","
        pieces.append("]" if value else "[]")
    else:
        raise TypeError(f"{type(value).__name__} has no place in our JSON")


def _write_members(value: Mapping[str, object], pieces: list[str], *, in_order: bool) -> None:
    before = "{"
    for name in sorted(value) if in_order else value:
        if not isinstance(name, str):
            raise TypeError(f"{type(name).__name__} is no name of a JSON member")
        pieces.append(f"{before}{encode_basestring(name)}:")
        _write(value[name], pieces, in_order=in_order)
        before = ","
    pieces.append("}" if value else "{}")


# --- reading -----------------------------------------------------------------------------------


def _as_text(body: bytes | str) -> str:
    if isinstance(body, str):
        return body
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedJson("encoding_of_text", position=error.start) from error


def skip_blanks(text: str, start: int) -> int:
    """The first index from `start` on that is no blank of JSON."""
    found = _BLANK.match(text, start)
    return found.end() if found else start


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise MalformedJson("twice", sought=f'"{twice}"', nth=2, name=_tellable(twice[:60]))
    return members


def _integer(literal: str) -> int:
    if len(literal) > LARGEST_EXPONENT:
        raise NumberOutOfRange("long", sought=literal, nth=1)
    return int(literal)


def _fraction(literal: str) -> Decimal:
    if len(literal) > LONGEST_NUMBER:
        raise NumberOutOfRange("long", sought=literal, nth=1)
    try:
        number = Decimal(literal)
    except ArithmeticError as error:  # an exponent of twenty digits, for example
        raise NumberOutOfRange("large", sought=literal, nth=1) from error
    if len(literal) <= LARGEST_EXPONENT and literal.count("e") + literal.count("E") == 0:
        return number
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)  # a JSON literal is always finite
    if exponent < -LARGEST_EXPONENT or number.adjusted() > LARGEST_EXPONENT:
        raise NumberOutOfRange("large", sought=literal, nth=1)
    return number


def _constant(literal: str) -> NoReturn:
    raise MalformedJson("no_number", sought=literal, nth=1)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_fraction, parse_constant=_constant
)


class _AsWritten(str):
    """A number kept as text, in a document that is read only to find that number."""


_FINDER = json.JSONDecoder(parse_int=_AsWritten, parse_float=_AsWritten, parse_constant=_AsWritten)


def _out_of_range(error: NumberOutOfRange, text: str, start: int) -> MalformedJson:
    """The error with the path of its number, or with its position alone where the rest is no
    JSON."""
    found = malformed(error.what, text, _index_of(error, text, start))
    try:
        value, _ = _FINDER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return found
    path = _tellable(_path_of(str(error.values["sought"]), value))
    about = f'"{path}": ' if path else ""
    values: dict[str, Any] = {name: found.values[name] for name in ("line", "column", "position")}
    return NumberOutOfRange("placed", field=path, about=about, why=error.what, **values)


def _tellable(name: str) -> str:
    """A printable form of a name that was not checked yet: it may hold half a surrogate pair, which
    no answer can contain."""
    return name.encode(errors="backslashreplace").decode()


def _path_of(literal: str, whole: object) -> str:
    """The path of the first number with that text: "items[0].quantity"."""
    level: list[tuple[str, object]] = [("", whole)]
    while level:
        path, value = level.pop()
        if isinstance(value, _AsWritten) and value == literal:
            return path
        inner: list[tuple[str, object]] = []
        if isinstance(value, dict):
            inner = [(f"{path}.{name}" if path else str(name), one) for name, one in value.items()]
        elif isinstance(value, list):
            inner = [(f"{path}[{number}]", one) for number, one in enumerate(value)]
        level.extend(reversed(inner))
    return ""


def _words_of(error: json.JSONDecodeError) -> str:
    """The fault, without the position at the end of Python's words."""
    what = error.msg.removesuffix(" at").removesuffix(" starting")
    return what[:1].lower() + what[1:]


def _check_depth(value: object, text: str, start: int, end: int) -> None:
    if text.count("{", start, end) + text.count("[", start, end) <= DEEPEST:
        return
    level = [value]
    for _ in range(DEEPEST):
        inner: list[object] = []
        for holder in level:
            if isinstance(holder, dict):
                inner.extend(holder.values())
            elif isinstance(holder, list):
                inner.extend(holder)
        level = [item for item in inner if isinstance(item, _HOLDERS)]
        if not level:
            return
    raise _too_deep(text, start)


def _check_surrogates(value: object, text: str, start: int) -> None:
    try:
        dumps(value)
    except UnicodeEncodeError as error:
        found = _HALF_SURROGATE.search(text, start)
        raise malformed(
            "half of a surrogate pair is no character", text, found.start() if found else start
        ) from error


def _index_of(error: MalformedJson, text: str, start: int) -> int:
    index = start - 1
    for _ in range(int(str(error.values["nth"]))):
        index = max(text.find(str(error.values["sought"]), index + 1), start)
    return index


def _too_deep(text: str, start: int) -> MalformedJson:
    return malformed(f"more than {DEEPEST} arrays and objects within one another", text, start)


def malformed(what: str, text: str, index: int) -> MalformedJson:
    """The error to raise at a position in a text."""
    line = text.count("\n", 0, index) + 1
    column = index - text.rfind("\n", 0, index)
    return MalformedJson("malformed", line=line, column=column, position=index, why=what)
