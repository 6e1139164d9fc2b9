"""Guesses the encoding of a text file without a mark, by the letters that its bytes would be.

Serbian programs write UTF-8, Windows' Latin (cp1250) and Cyrillic (cp1251), DOS's encodings of
both, and ISO 8859-2. Each is tried on a sample of words: the right one gives Serbian words, a wrong
one gives foreign letters, two scripts or two cases in one word. Words of UTF-8 fit no other
encoding: where nearly all words are UTF-8, so is the file, and the other words are broken.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

UTF_8 = "utf-8-sig"
USUAL = "cp1250"
_LATIN = frozenset("čćđšžČĆĐŠŽ")
_WESTERN = frozenset("áâäçéëíîóôöúüýßÁÂÄÇÉËÍÎÓÔÖÚÜÝ")
_CYRILLIC = frozenset("абвгдђежзијклљмнњопрстћуфхцчџшАБВГДЂЕЖЗИЈКЛЉМНЊОПРСТЋУФХЦЧЏШ")
_SLAVIC = frozenset(map(chr, range(0x401, 0x460)))
_SIGNS = frozenset("\u00a0„“”‘’‚–—…°«»·±×™®©€№")
_OWN: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "cp1250": (_LATIN, _WESTERN),
    "cp1251": (_CYRILLIC, _SLAVIC),
    "cp852": (_LATIN, _WESTERN),
    "iso8859_2": (_LATIN, _WESTERN),
    "cp855": (_CYRILLIC, _SLAVIC),
    "iso8859_5": (_CYRILLIC, _SLAVIC),
}
"""The encodings that are tried, the usual one first, each with its letters of Serbian, and with
other letters that articles have."""
_WORD = re.compile(rb"[0-9A-Za-z\x80-\xff]+")
_PIECE = 1 << 20
_MOST_WORDS = 3000
_MOST_FOREIGN = 0.1
"""The share of the words that may be foreign, as names of brands and broken words are."""


class Guess(NamedTuple):
    """An encoding. doubt: another encoding fits as well, or none does."""

    encoding: str
    doubt: bool


def guess_encoding(path: Path) -> Guess:
    """Guess the encoding of a file that is no UTF-8. Raises OSError."""
    words = _words_of(path)
    if sum(map(_is_utf_8, words)) >= len(words) * (1 - _MOST_FOREIGN):
        return Guess(UTF_8, doubt=True)
    fits = {encoding: [_fit(word, encoding) for word in words] for encoding in _OWN}
    best = max(fits, key=lambda encoding: sum(fits[encoding]))  # the first of equal ones
    if fits[best].count(0) > len(words) * _MOST_FOREIGN:
        return Guess(USUAL, doubt=True)
    equal = (one for one, fit in fits.items() if sum(fit) == sum(fits[best]))
    return Guess(best, doubt=any(_text(words, one) != _text(words, best) for one in equal))


def _words_of(path: Path) -> list[bytes]:
    """Return the first words with letters beyond ASCII, each once."""
    words: dict[bytes, None] = {}
    with path.open("rb") as file:
        while len(words) < _MOST_WORDS and (piece := file.read(_PIECE)):
            if not piece.isascii():
                words |= dict.fromkeys(one for one in _WORD.findall(piece) if not one.isascii())
    return list(words)[:_MOST_WORDS]


def _is_utf_8(word: bytes) -> bool:
    try:
        word.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _text(words: list[bytes], encoding: str) -> list[str]:
    return [word.decode(encoding, "replace") for word in words]


def _fit(word: bytes, encoding: str) -> int:
    """Return 2 for a word of Serbian letters; 1 for a word of other letters in use, with signs, or
    a single letter; 0 for a foreign word."""
    serbian, others = _OWN[encoding]
    text = word.decode(encoding, "replace")
    plain = "".join(" " if one in _SIGNS else one for one in text)
    fits = [_fit_of_part(part, serbian, others) for part in plain.split() if not part.isascii()]
    return min(fits, default=1) if plain == text else min([1, *fits])


def _fit_of_part(part: str, serbian: frozenset[str], others: frozenset[str]) -> int:
    letters = "".join(one for one in part if not one.isdigit())
    strange = {one for one in letters if not one.isascii()} - serbian
    if strange - others:
        return 0
    if serbian is _CYRILLIC and any(one.isascii() for one in letters):
        return 0
    if not (letters[1:].islower() or letters.isupper() or len(letters) == 1):
        return 0
    return 1 if strange or len(letters) == 1 else 2
