"""The catalogue of texts: a PO file (gettext), read when the program starts.

It is read as it stands, without a compiled form beside it, so that the next start shows an edited
text. Fuzzy and obsolete entries are not in a catalogue that passes `make check`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from gettext import c2py
from pathlib import Path

from pos_app import resources
from pos_app.errors import OR_SUPPORT, TextsDamaged
from pos_app.lazy_dataclass import dataclass

_LINE = re.compile(r'^(msg[a-z_]+)(?:\[\d\])? "(.*)"$', re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")
_PLURAL = re.compile(r"plural=([^;\\\n]+)")
_STRANGE = re.compile(r'^(?!#|$|msg[a-z_]+(?:\[\d\])? ".*"$).*$', re.MULTILINE)
"""A line of the file that is neither a comment nor part of an entry."""
_SIGNS = {"n": "\n", "t": "\t"}


@dataclass(frozen=True, slots=True)
class TextCatalogue:
    """Texts by id, each with its forms: one, or as many as the language has plurals.

    english: without the errors, whose English stands where they are raised. translated: Serbian in
    Cyrillic. plural: returns the form that a number takes.
    """

    english: Mapping[str, tuple[str, ...]]
    translated: Mapping[str, tuple[str, ...]]
    plural: Callable[[int], int]


@cache
def serbian() -> TextCatalogue:
    """Return the catalogue that travels with the program. Raises TextsDamaged."""
    return read(_own_file())


def _own_file() -> Path:
    return resources.folder() / "texts" / "sr.po"


def text_missing(key: str) -> TextsDamaged:
    """Return the error for a text that the program asks for and the file lacks."""
    return _damaged(_own_file(), f"it has no text {key}")


def read(path: Path) -> TextCatalogue:
    """Read a catalogue from its file. An entry without msgctxt has its id as msgid.

    Raises TextsDamaged if it can't be read, has a line that is not a catalogue's, lacks its header,
    or has a text without words.
    """
    lines = _lines_of(path)
    english: dict[str, tuple[str, ...]] = {}
    translated: dict[str, tuple[str, ...]] = {}
    key = ""
    context = False
    for keyword, quoted in _LINE.findall(lines):
        text = _ESCAPED.sub(_sign, quoted) if "\\" in quoted else quoted
        if keyword == "msgctxt":
            key, context = text, True
        elif keyword == "msgid":
            if context:
                english[key] = (text,)
            else:
                key = text
            context = False
        elif keyword == "msgid_plural":
            english[key] += (text,)
        else:
            translated[key] = (*translated.get(key, ()), text)
    formula = _PLURAL.search("".join(translated.pop("", ())))
    if formula is None:
        raise _damaged(path, "its header has no Plural-Forms")
    for key, forms in (*english.items(), *translated.items()):
        if not all(forms):
            raise _damaged(path, f"{key} has no words")
    return TextCatalogue(english, translated, c2py(formula[1]))


def _lines_of(path: Path) -> str:
    """Return the file's text with each string on one line."""
    try:
        lines = path.read_text(encoding="utf-8").replace('"\n"', "")
    except (OSError, UnicodeDecodeError) as error:
        raise _damaged(path, str(error)) from error
    if strange := _STRANGE.search(lines):
        raise _damaged(path, f"this is no line of it: {strange[0][:60]}")
    return lines


def _damaged(path: Path, why: str) -> TextsDamaged:
    return TextsDamaged(
        f"The file with the till's words, {path}, is damaged: {why}.",
        safe="Nothing was started; what was sold before is kept.",
        do=f"Install the program again. {OR_SUPPORT}",
        path=str(path),
    )


def _sign(escaped: re.Match[str]) -> str:
    return _SIGNS.get(escaped[1], escaped[1])
