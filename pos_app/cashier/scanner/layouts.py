"""What each physical key types on the keyboard layout that a scanner is set to.

A key is named by its *position*: the number that Linux gives it (`input-event-codes.h`), which for
the main block is also the PC's set-1 scan code. Positions do not change when the user chooses
another layout; that is why a scan is read by them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

ENTER = 28
TAB = 15
KEYPAD_ENTER = 96
LEFT_SHIFT, RIGHT_SHIFT = 42, 54
LEFT_CTRL, RIGHT_CTRL = 29, 97
LEFT_ALT, RIGHT_ALT = 56, 100
KEYPAD_MINUS, KEYPAD_PLUS = 74, 78
KEYPAD_DIGITS: Mapping[int, str] = MappingProxyType(
    {82: "0", 79: "1", 80: "2", 81: "3", 75: "4", 76: "5", 77: "6", 71: "7", 72: "8", 73: "9"}
)

_KEYPAD_SIGNS = {55: "*", KEYPAD_MINUS: "-", KEYPAD_PLUS: "+", 83: ".", 98: "/"}

# Each row: position of its first key, what the keys type plainly, what they type with Shift.
_US_ROWS = (
    (2, "1234567890-=", "!@#$%^&*()_+"),
    (16, "qwertyuiop[]", "QWERTYUIOP{}"),
    (30, "asdfghjkl;'`", 'ASDFGHJKL:"~'),
    (43, "\\zxcvbnm,./", "|ZXCVBNM<>?"),
    (57, " ", " "),
    (86, "\\", "|"),  # the extra key of ISO keyboards, as a US driver reads it
)


@dataclass(frozen=True, slots=True)
class Layout:
    """A keyboard layout: position -> (plain character, character with Shift)."""

    name: str
    keys: Mapping[int, tuple[str, str]]


def _layout(name: str, rows: tuple[tuple[int, str, str], ...]) -> Layout:
    keys = {
        first + place: pair
        for first, plain, shifted in rows
        for place, pair in enumerate(zip(plain, shifted, strict=True))
    }
    # The numeric pad types the same with and without Shift and Num Lock: a scanner that uses it
    # means the digits.
    pad = {**KEYPAD_DIGITS, **_KEYPAD_SIGNS}
    keys.update({position: (char, char) for position, char in pad.items()})
    return Layout(name=name, keys=MappingProxyType(keys))


US = _layout("us", _US_ROWS)
LAYOUTS: Mapping[str, Layout] = MappingProxyType({US.name: US})
"""Layouts by the name the scanner setting uses."""
