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
    """An element of an array, or a member that has none. It is `text[start:end]`.

    member: the name of the member, "" when the document is an array. index: the position in the
    array, None for an empty array and for a member that is no array.
    """

    member: str
    index: int | None
    value: object
    start: int
    end: int


def elements(text: str) -> Iterator[JsonElement]:
    """The pieces of a document in their order; an empty array is one piece.

    Raises MalformedJson as `strict_json.loads` does, when the fault is reached.
    """
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
    place = skip_blanks(text, start + 1)
    if text.startswith("}", place):
        return place + 1
    while True:
        name, place = _name(text, place, names)
        if text.startswith("[", place):
            place = yield from _array(text, place, name)
        else:
            value, end = scan(text, place)
            yield JsonElement(name, None, value, place, end)
            place = end
        place = skip_blanks(text, place)
        if text.startswith("}", place):
            return place + 1
        place = skip_blanks(text, _after(",", text, place))


def _name(text: str, place: int, names: set[str]) -> tuple[str, int]:
    if not text.startswith('"', place):
        raise malformed("expecting a name in double quotes", text, place)
    name, end = scan(text, place)
    assert isinstance(name, str)
    if name in names:
        raise malformed(f'the name "{name[:60]}" is said twice', text, place)
    names.add(name)
    return name, skip_blanks(text, _after(":", text, skip_blanks(text, end)))


def _array(text: str, start: int, member: str) -> Generator[JsonElement, None, int]:
    place, index = skip_blanks(text, start + 1), 0
    if text.startswith("]", place):
        yield JsonElement(member, None, [], start, place + 1)
        return place + 1
    while True:
        value, end = scan(text, place)
        yield JsonElement(member, index, value, place, end)
        place, index = skip_blanks(text, end), index + 1
        if text.startswith("]", place):
            return place + 1
        place = skip_blanks(text, _after(",", text, place))


def _after(sign: str, text: str, place: int) -> int:
    if not text.startswith(sign, place):
        raise malformed(f"expecting {sign!r}", text, place)
    return place + 1
