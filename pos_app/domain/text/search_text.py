"""Search in either script, without diacritics or case, words in any order.

Both scripts are folded to bare Latin letters: "Ћуфте", "Ćufte" and "cufte" are one; đ and ђ
are "dj", and so "љ" is "lj", "њ" "nj", "џ" "dz", as in Latin writing. A name matches when each
word of the query begins one of its words. Source: till.md (Search).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from pos_app.domain.text.transliteration import LETTERS

_WORD = re.compile(r"\S+")


class _Folding(dict[int, str]):
    """The folded form of each code point, computed on first use."""

    def __missing__(self, code_point: int) -> str:
        folded = self[code_point] = _folded(chr(code_point))
        return folded


def fold(text: str) -> str:
    """`text` as it is indexed: bare small letters and digits, single blanks between words; a name
    takes 1–3 µs. "Сир млади, домаћи 2,8 %" -> "sir mladi domaci 2 8"."""
    return " ".join(text.translate(_FOLDING).split())


def words(query: str) -> list[str]:
    """The distinct folded words of a query, each a prefix to look for."""
    return list(dict.fromkeys(fold(query).split()))


def matches(name: str, query: str) -> bool:
    """Whether each word of `query` begins a word of `name`; an empty query matches all."""
    present = fold(name).split()
    return all(any(word.startswith(part) for word in present) for part in words(query))


def hits(name: str, query: str) -> list[tuple[int, int]]:
    """The ranges (from, to) of the original `name` to mark, in order, without overlap.

    In each word the longest matching prefix is marked: "sir" in "Бурек са сиром" -> [(9, 12)].
    Half of a digraph marks the whole letter: "l" marks "Љ" of "Љута".
    """
    parts = words(query)
    found = []
    for word, origins in _words_with_origins(name):
        length = max((len(part) for part in parts if word.startswith(part)), default=0)
        if length:
            found.append((origins[0], _end(name, origins[length - 1])))
    return found


def _words_with_origins(name: str) -> Iterator[tuple[str, list[int]]]:
    """The folded words of a name, each with the index in `name` of every letter's origin."""
    origins: list[int] = []
    letters: list[str] = []
    for index, character in enumerate(name):
        folded = _FOLDING[ord(character)]
        letters.append(folded)
        origins.extend([index] * len(folded))
    for word in _WORD.finditer("".join(letters)):
        yield word[0], origins[word.start() : word.end()]


def _end(name: str, last: int) -> int:
    end = last + 1
    while end < len(name) and not _FOLDING[ord(name[end])]:
        end += 1
    return end


def _folded(character: str) -> str:
    """Fold one character: its letters without marks, "" for a mark alone, else a blank."""
    parts = _without_marks(character.lower()).casefold()
    latin = "".join(LETTERS.get(part, part) for part in parts).replace("đ", "dj")
    return "".join(part if part.isalnum() else " " for part in _without_marks(latin))


def _without_marks(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(part for part in decomposed if not _is_mark(part))


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in {"Mn", "Me", "Cf"}


_FOLDING = _Folding()
