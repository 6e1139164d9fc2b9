"""Unicode signs that are invisible, or that command the display; the test for a meaningful text."""

from __future__ import annotations

import unicodedata

LEAST_SAID = 3
"""The fewest letters or digits of a meaningful text, which has a letter."""
_WITHOUT_INK = frozenset("ZCM")
"""The first letters of categories: blanks, controls and formats, marks upon another sign."""
_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Signs that are drawn as nothing, though by their category they are letters or a symbol."""
_SELECTORS = (
    "\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f",
    *(chr(code) for code in range(0xFE00, 0xFE10)),
    *(chr(code) for code in range(0xE0100, 0xE01F0)),
)
_CONTROL = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""The categories of signs that break a line, control a display, or are half a character."""
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_NOTHING_TO_DRAW = frozenset("".join(_SELECTORS)) | _FILLERS


def is_blank(text: str) -> bool:
    """Whether the whole text is invisible: blanks, U+00AD, marks of direction, lone accents."""
    for sign in text:  # a generator takes three times as long
        if unicodedata.category(sign)[0] not in _WITHOUT_INK and sign not in _FILLERS:
            return False
    return True


def has_visible_text(text: str) -> bool:
    """Whether a text is meaningful: "млеко" and "T-12" are, "x", "..." and "500" are not."""
    return sum(map(str.isalnum, text)) >= LEAST_SAID and any(map(str.isalpha, text))


def is_drawn(sign: str) -> bool:
    """Whether paper needs a glyph for the sign: it is printable and modifies no other sign."""
    return sign.isprintable() and sign not in _NOTHING_TO_DRAW


def has_controls(text: str) -> bool:
    """Whether the text has a character that can't stand in a line of a receipt."""
    if text.isprintable():  # most texts are, and this needs no look at each sign
        return False
    return any(unicodedata.category(sign) in _CONTROL for sign in text)


def without_controls(text: str, *, instead: str = " ") -> str:
    """The text with another sign in place of each character that `has_controls` finds."""
    if not has_controls(text):
        return text
    return "".join(instead if unicodedata.category(sign) in _CONTROL else sign for sign in text)


def escaped(text: str) -> str:
    """The text as one line without control signs: unprintable signs are escaped as in JSON."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else _escape(sign) for sign in text)


def _escape(sign: str) -> str:
    if sign in _SHORT:
        return _SHORT[sign]
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def one_line(text: str, *, longest: int) -> str:
    """Foreign words as one line without unprintable signs, cut to `longest` characters."""
    spoken = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(spoken.split())[:longest]
