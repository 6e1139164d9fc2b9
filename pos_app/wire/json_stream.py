"""Reads a long JSON document piece by piece, so that its values are never in memory at once.

It takes an array, or an object whose members may be arrays; each element comes with its position in
the text, so that it can be hashed, skipped and read again.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from pos_app.lazy_dataclass import dataclass
from pos_app.wire.strict_json import malformed, scan, skip_blanks


@dataclass(slots=True)
class JsonElement:
    """An element of an array, or a member that is no array. It is `text[start:end]`. member: the
    name of the member, "" when the document is an array. index: the position in the array, None for
    an empty array and for a member that is no array."""

    member: str
    index: int | None
    value: object
    start: int
    end: int


def elements(text: str) -> Iterator[JsonElement]:
    """The pieces of a document in their order; an empty array is one piece. Raises MalformedJson as
    `strict_json.loads` does, when the fault is reached."""
    start = skip_blanks(text, 0)
    opening = text[start : start + 1]
    if opening == "[":
        end = yield from _array(text, start, "")
    elif opening == "{":
        end = yield from _object(text, start)
    else:
        raise malformed("expecting an array or an object", text, start)
    if (end := skip_blanks(text, end)) != len(text):
        raise malformed("nothing may follow the value", text, end)


def _object(text: str, start: int) -> Generator[JsonElement, None, int]:
    names: set[str] = set()
    index = skip_blanks(text, start + 1)
    if text.startswith("}", index):
        return index + 1
    while True:
        name, index = _name(text, index, names)
        if text.startswith("[", index):
            index = yield from _array(text, index, name)
        else:
            value, end = scan(text, index)
            yield JsonElement(name, None, value, index, end)
            index = end
        index = skip_blanks(text, index)
        if text.startswith("}", index):
            return index + 1
        index = skip_blanks(text, _after(",", text, index))


def _name(text: str, index: int, names: set[str]) -> tuple[str, int]:
    if not text.startswith('"', index):
        raise malformed("expecting a name in double quotes", text, index)
    name, end = scan(text, index)
    assert isinstance(name, str)
    if name in names:
        raise malformed(f'the name "{name[:60]}" is said twice', text, index)
    names.add(name)
    return name, skip_blanks(text, _after(":", text, skip_blanks(text, end)))


def _array(text: str, start: int, member: str) -> Generator[JsonElement, None, int]:
    number, index = skip_blanks(text, start + 1), 0
    if text.startswith("]", number):
        yield JsonElement(member, None, [], start, number + 1)
        return number + 1
    while True:
        value, end = scan(text, number)
        yield JsonElement(member, index, value, number, end)
        number, index = skip_blanks(text, end), index + 1
        if text.startswith("]", number):
            return number + 1
        number = skip_blanks(text, _after(",", text, number))


def _after(sign: str, text: str, index: int) -> int:
    if not text.startswith(sign, index):
        raise malformed(f"expecting {sign!r}", text, index)
    return index + 1
