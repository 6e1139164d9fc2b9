"""Finds the character that a scanner meant by a physical key. The module is plain Python, without
Qt.

The operating system reports a key by a scan code of its own family. `position` turns the scan code
into a position, and `Decoder` reads the position with the scanner's own layout. The user's layout
is never looked at, so y and z, `-` and `/` can't be swapped and Cyrillic never appears.

A position is the number that Linux gives a key (`input-event-codes.h`), which for the main block is
also the PC's set-1 scan code. It does not change when the user chooses another layout.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from pos_app.lazy_dataclass import dataclass

ENTER = 28
TAB = 15
KEYPAD_ENTER = 96
LEFT_SHIFT, RIGHT_SHIFT = 42, 54
LEFT_CTRL, RIGHT_CTRL = 29, 97
LEFT_ALT, RIGHT_ALT = 56, 100
KEYPAD_MINUS, KEYPAD_PLUS, KEYPAD_POINT = 74, 78, 83
KEYPAD_DIGITS: Mapping[int, str] = MappingProxyType(
    {82: "0", 79: "1", 80: "2", 81: "3", 75: "4", 76: "5", 77: "6", 71: "7", 72: "8", 73: "9"}
)

_KEYPAD_SIGNS = {55: "*", KEYPAD_MINUS: "-", KEYPAD_PLUS: "+", KEYPAD_POINT: ".", 98: "/"}

# Each row: the position of its first key, the plain characters, the characters with Shift.
_US_ROWS = (
    (2, "1234567890-=", "!@#$%^&*()_+"),
    (16, "qwertyuiop[]", "QWERTYUIOP{}"),
    (30, "asdfghjkl;'`", 'ASDFGHJKL:"~'),
    (43, "\\zxcvbnm,./", "|ZXCVBNM<>?"),
    (57, " ", " "),
    (86, "\\", "|"),  # the extra key of ISO keyboards, as a US driver reads it
)


# The characters that a scanner set to these countries types with Shift or without. Signs for which
# it would press AltGr are not read: no code of goods and no receipt has them. A scanner set to
# Serbian Cyrillic has no keys for the letters of a receipt's code, so there is no such layout.
_SR_LATIN_ROWS = (
    (2, "1234567890'+", '!"#$%&/()=?*'),
    (16, "qwertzuiop\u0161\u0111", "QWERTZUIOP\u0160\u0110"),
    (30, "asdfghjkl\u010d\u0107", "ASDFGHJKL\u010c\u0106"),
    (43, "\u017eyxcvbnm,.-", "\u017dYXCVBNM;:_"),
    (57, " ", " "),
    (86, "<", ">"),
)
_GERMAN_ROWS = (
    (2, "1234567890\u00df\u00b4", '!"\u00a7$%&/()=?`'),
    (16, "qwertzuiop\u00fc+", "QWERTZUIOP\u00dc*"),
    (30, "asdfghjkl\u00f6\u00e4^", "ASDFGHJKL\u00d6\u00c4\u00b0"),
    (43, "#yxcvbnm,.-", "'YXCVBNM;:_"),
    (57, " ", " "),
    (86, "<", ">"),
)


@dataclass(frozen=True, slots=True)
class Layout:
    """Keys of a keyboard layout: position -> (plain character, character with Shift)."""

    name: str
    keys: Mapping[int, tuple[str, str]]


def _layout(name: str, rows: tuple[tuple[int, str, str], ...]) -> Layout:
    keys = {
        first + index: pair
        for first, plain, shifted in rows
        for index, pair in enumerate(zip(plain, shifted, strict=True))
    }
    # The numeric pad types the same with and without Shift and Num Lock: a scanner that uses it
    # means the digits.
    pad = {**KEYPAD_DIGITS, **_KEYPAD_SIGNS}
    keys.update({position: (char, char) for position, char in pad.items()})
    return Layout(name=name, keys=MappingProxyType(keys))


US = _layout("us", _US_ROWS)
LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {
        one.name: one
        for one in (US, _layout("sr-latin", _SR_LATIN_ROWS), _layout("german", _GERMAN_ROWS))
    }
)
"""By the layout's name in the settings."""


# X keycodes are the Linux numbers moved up by eight (X11 reserves 0-7).
_X_OFFSET = 8

# Windows reports the E0 prefix as bit 8. Only keys that differ from the plain code are listed.
# Arrows, Home and so on share the pad's plain codes; as extended codes they are unknown here (0).
_EXTENDED: Mapping[int, int] = MappingProxyType(
    {
        0x11C: KEYPAD_ENTER,
        0x11D: RIGHT_CTRL,
        0x135: 98,  # numeric pad /
        0x136: RIGHT_SHIFT,  # some drivers mark the right Shift as extended
        0x138: RIGHT_ALT,
    }
)


class Family(Enum):
    """The numbering of native scan codes."""

    X11 = "x11"
    """X keycode = Linux number + 8. Qt keeps this on xcb, Wayland, eglfs and linuxfb."""
    SET1 = "set1"
    """PC scan codes of set 1 with the E0 prefix as bit 8, as Windows reports them."""


def position(family: Family, scan_code: int) -> int:
    """Return the position of a native scan code; 0 if it is unknown.

    >>> position(Family.X11, 24), position(Family.SET1, 0x10), position(Family.SET1, 0x11C)
    (16, 16, 96)
    """
    if scan_code <= 0:
        return 0
    if family is Family.X11:
        return max(scan_code - _X_OFFSET, 0)
    return scan_code if scan_code < 0x100 else _EXTENDED.get(scan_code, 0)


class Decoder:
    """Reads positions of keys or, on a system that gives none, texts.

    caps_aware: the scanner reverses Shift on letters while Caps Lock is on (a setting of the
    scanner). Most scanners do not: then the lock is ignored, and only the physical Shift counts.
    """

    def __init__(self, layout: Layout, *, caps_aware: bool = False) -> None:
        self._keys = layout.keys
        self._caps_aware = caps_aware

    def char(self, index: int, *, shift: bool, caps: bool = False) -> str:
        """Return the character of the key at a position; "" if it types none."""
        plain_and_shifted = self._keys.get(index)
        if plain_and_shifted is None:
            return ""
        if caps and self._caps_aware and plain_and_shifted[0].isalpha():
            shift = not shift
        return plain_and_shifted[shift]

    def text_char(self, text: str, *, caps: bool = False) -> str:
        """Return the character of an event without a scan code from its text; "" if it is not
        printable. Caps Lock has already swapped the letter's case; that is undone, unless the
        scanner itself allowed for Caps Lock."""
        if len(text) != 1 or not text.isprintable():
            return ""
        return text.swapcase() if caps and not self._caps_aware else text


def alt_char(digits: str) -> str:
    """Return the character of Alt + `digits` on the numeric pad, "" if there is none.

    Like in Windows, a number with a leading zero belongs to code page 1252, one without to code
    page 437, both modulo 256; control codes stay control codes.

    >>> alt_char("052"), alt_char("65"), alt_char("")
    ('4', 'A', '')
    """
    if not digits:
        return ""
    number = int(digits) % 256
    if number < 128:
        return chr(number)
    page = "cp1252" if digits.startswith("0") else "cp437"
    return bytes((number,)).decode(page, errors="ignore")
