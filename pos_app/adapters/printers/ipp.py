"""The Internet Printing Protocol's bytes: requests written, answers read. No I/O.

Source: RFC 8010 (encoding), RFC 8011 (operations and attributes).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from enum import IntEnum

from pos_app.lazy_dataclass import dataclass

Value = bool | int | str | bytes | None
Attributes = Mapping[str, tuple[Value, ...]]


class IppOperation(IntEnum):
    CREATE_JOB = 0x0005
    SEND_DOCUMENT = 0x0006
    CANCEL_JOB = 0x0008
    GET_JOB_ATTRIBUTES = 0x0009
    GET_PRINTER_ATTRIBUTES = 0x000B
    GET_PRINTERS = 0x4002
    """CUPS' own: the queues of a print service."""


class Tag(IntEnum):
    """Kinds of values; below 0x10 delimiters of groups."""

    OPERATION = 0x01
    JOB = 0x02
    END = 0x03
    PRINTER = 0x04
    INTEGER = 0x21
    BOOLEAN = 0x22
    ENUM = 0x23
    NAME = 0x42
    KEYWORD = 0x44
    URI = 0x45
    CHARSET = 0x47
    LANGUAGE = 0x48
    MIME = 0x49


_VERSION = b"\x02\x00"
_FIRST_VALUE = 0x10
_FIRST_TEXT, _LAST_TEXT = 0x41, 0x5F
_FIRST_SUCCESS, _LAST_SUCCESS = 0x0000, 0x00FF


class Malformed(Exception):
    """The bytes are no IPP message."""


@dataclass(frozen=True, slots=True)
class IppAnswer:
    """An answer. status: as in RFC 8011 B. groups: (delimiter, attributes) in their order."""

    status: int
    groups: tuple[tuple[int, Attributes], ...]

    @property
    def is_success(self) -> bool:
        return _FIRST_SUCCESS <= self.status <= _LAST_SUCCESS

    def all(self, tag: Tag) -> tuple[Attributes, ...]:
        return tuple(attributes for delimiter, attributes in self.groups if delimiter == tag)

    def only(self, tag: Tag) -> Attributes:
        """Return the attributes of the first group of one kind, or none."""
        return next(iter(self.all(tag)), {})


def request(
    operation: IppOperation, attributes: Sequence[tuple[Tag, str, str | int | bool | Sequence[str]]]
) -> bytes:
    """Return a request with operation attributes; a document follows the bytes unencoded."""
    head = _VERSION + struct.pack(">HI", operation, 1) + bytes([Tag.OPERATION])
    usual = _attribute(Tag.CHARSET, "attributes-charset", "utf-8") + _attribute(
        Tag.LANGUAGE, "attributes-natural-language", "en"
    )
    data = b"".join(_attribute(tag, name, value) for tag, name, value in attributes)
    return head + usual + data + bytes([Tag.END])


def _attribute(tag: Tag, name: str, value: str | int | bool | Sequence[str]) -> bytes:
    match value:
        case bool():
            contents = [struct.pack(">?", value)]
        case int():
            contents = [struct.pack(">i", value)]
        case str():
            contents = [value.encode()]
        case _:
            contents = [each.encode() for each in value]
    names = [name.encode(), *[b""] * (len(contents) - 1)]
    return b"".join(
        bytes([tag]) + _counted(own_name) + _counted(content)
        for own_name, content in zip(names, contents, strict=True)
    )


def _counted(content: bytes) -> bytes:
    return struct.pack(">H", len(content)) + content


def answer(message: bytes) -> IppAnswer:
    """Read an answer. Raises Malformed."""
    try:
        (status,) = struct.unpack_from(">H", message, 2)
        return IppAnswer(status, tuple(_groups(message)))
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise Malformed(f"not an IPP message: {error}") from error


def _groups(message: bytes) -> list[tuple[int, Attributes]]:
    groups: list[tuple[int, dict[str, tuple[Value, ...]]]] = []
    index, name = 8, ""
    while (tag := message[index]) != Tag.END:
        index += 1
        if tag < _FIRST_VALUE:
            groups.append((tag, {}))
            continue
        own_name, index = _read_counted(message, index)
        content, index = _read_counted(message, index)
        name = own_name.decode() or name
        if not groups:
            raise Malformed("an attribute outside of a group")
        attributes = groups[-1][1]
        attributes[name] = (*attributes.get(name, ()), _value(tag, content))
    return [*groups]


def _read_counted(message: bytes, index: int) -> tuple[bytes, int]:
    (count,) = struct.unpack_from(">H", message, index)
    end = index + 2 + count
    if end > len(message):
        raise Malformed("cut short")
    return message[index + 2 : end], end


def _value(tag: int, content: bytes) -> Value:
    if tag in {Tag.INTEGER, Tag.ENUM}:
        number: int = struct.unpack(">i", content)[0]
        return number
    if tag == Tag.BOOLEAN:
        return content != b"\0"
    if _FIRST_TEXT <= tag <= _LAST_TEXT:
        return content.decode()
    if tag < Tag.INTEGER:  # a tag such as "no value" or "unknown"
        return None
    return content
