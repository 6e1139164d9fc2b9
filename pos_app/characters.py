"""Signs of Unicode that nobody sees, or that command what shows them; what says something."""

from __future__ import annotations

import unicodedata

LEAST_SAID = 3
"""So many letters or digits has what says something."""
_WITHOUT_INK = frozenset("ZCM")
"""First letters of categories: blanks, controls and formats, marks upon another sign."""
_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and a symbol by their category, all of them drawn as nothing."""
_SELECTORS = (
    "\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f",
    *(chr(code) for code in range(0xFE00, 0xFE10)),
    *(chr(code) for code in range(0xE0100, 0xE01F0)),
)
_CONTROL = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Categories of what breaks a line, commands, or is half a character."""
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_NOTHING_TO_DRAW = frozenset("".join(_SELECTORS)) | _FILLERS


def is_blank(text: str) -> bool:
    """Whether nothing of it can be seen: blanks, U+00AD, marks of direction, lone accents."""
    return all(unicodedata.category(sign)[0] in _WITHOUT_INK or sign in _FILLERS for sign in text)


def says_something(text: str) -> bool:
    """Whether it can be a reason: "млеко" and "T-12" can, "x" and "..." can't."""
    return sum(map(str.isalnum, text)) >= LEAST_SAID


def is_drawn(sign: str) -> bool:
    """Whether paper needs a glyph for it: a printable sign that does not only tell of another."""
    return sign.isprintable() and sign not in _NOTHING_TO_DRAW


def has_controls(text: str) -> bool:
    """Whether something of it can't stand in a line of a receipt."""
    if text.isprintable():  # most texts are, and this is told without a look at each sign
        return False
    return any(unicodedata.category(sign) in _CONTROL for sign in text)


def without_controls(text: str) -> str:
    """The text with a blank in place of each of those."""
    if not has_controls(text):
        return text
    return "".join(" " if unicodedata.category(sign) in _CONTROL else sign for sign in text)


def escaped(text: str) -> str:
    """The text in one line that commands nothing: what can't be printed as JSON would write it."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else _escape(sign) for sign in text)


def _escape(sign: str) -> str:
    if sign in _SHORT:
        return _SHORT[sign]
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def one_line(text: str, *, longest: int) -> str:
    """Foreign words, to be kept and shown: one line, without what can't be printed, cut."""
    spoken = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(spoken.split())[:longest]
