"""Serbian Cyrillic written in Latin letters, letter by letter.

Only the thirty Serbian letters change: digits, UIDs, Latin text and foreign Cyrillic letters stay
as they are. The caller must leave tax labels out (fiscal.md 3).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

_CYRILLIC = "абвгдђежзијклљмнњопрстћуфхцчџш"
_LATIN = (*"abvgdđežzijkl", "lj", "m", "n", "nj", *"oprstćufhcč", "dž", "š")

LETTERS: Mapping[str, str] = MappingProxyType(dict(zip(_CYRILLIC, _LATIN, strict=True)))
"""The thirty small letters, in the order of the alphabet: "ђ" -> "đ", "љ" -> "lj"."""

_MARKED = "".join(letter for letter in "".join(_LATIN) if not letter.isascii())
SERBIAN = frozenset(_CYRILLIC + _CYRILLIC.upper() + _MARKED + _MARKED.upper())
"""Letters of both scripts that not every font has: Cyrillic ones, and Latin ones with a mark."""

_CAPITALS = {small.upper(): latin.capitalize() for small, latin in LETTERS.items()}
_TABLE = str.maketrans(dict(LETTERS) | _CAPITALS)
_CAPITAL_DIGRAPH = re.compile("[ЉЊЏ]")


def latin(text: str) -> str:
    """`text` in Latin letters: "Љубав" -> "Ljubav", "ЉУБАВ" -> "LJUBAV", "КОЊ" -> "KONJ". A capital
    Љ, Њ or Џ becomes two capitals in a word of capitals, else one ("Џ." -> "Dž.")."""
    return _CAPITAL_DIGRAPH.sub(_capital, text).translate(_TABLE)


def _capital(match: re.Match[str]) -> str:
    text, at = match.string, match.start()
    after, before = text[at + 1 : at + 2], text[max(at - 1, 0) : at]
    among_capitals = after.isupper() or (not after.islower() and before.isupper())
    written = _CAPITALS[match[0]]
    return written.upper() if among_capitals else written
