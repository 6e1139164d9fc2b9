"""Reads the files of texts: PO files (gettext), one for each language.

An entry's `msgid` is the id that the program asks for, its `msgstr` the words. A file is read as it
stands, without a compiled form beside it, so that the next start shows an edited text. A file that
passes `make check` has no fuzzy or obsolete entries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from gettext import c2py
from pathlib import Path

from pos_app.lazy_dataclass import dataclass

_LINE = re.compile(r'^(msgid(?:_plural)?|msgstr)(?:\[\d\])? "(.*)"$', re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")
_PLURAL = re.compile(r"plural=([^;\\\n]+)")
_STRANGE = re.compile(r'^(?!#|$|msgid(?:_plural)? ".*"$|msgstr(?:\[\d\])? ".*"$).*$', re.MULTILINE)
"""A line of the file that is neither a comment nor part of an entry."""
_SIGNS = {"n": "\n", "t": "\t"}


class Damaged(Exception):
    """A file of texts can't be read. It is no PosError, since those take their words from here."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why


@dataclass(frozen=True, slots=True)
class LanguageTexts:
    """The texts of one language by id, each with its forms: one, or as many as the language has
    plurals. plural: returns the form that a number takes."""

    forms: Mapping[str, tuple[str, ...]]
    plural: Callable[[int], int]


def resources() -> Path:
    """The folder `resources`: inside an installed package, or beside the package in a checkout. An
    incomplete installation has no folder at the returned path."""
    package = Path(__file__).parent
    inside, beside = package / "resources", package.parent / "resources"
    return beside if beside.is_dir() and not inside.is_dir() else inside


def path_of(language: str) -> Path:
    return resources() / "texts" / f"{language}.po"


@cache
def own(language: str) -> LanguageTexts:
    """Return the texts that travel with the program: "en", "sr". Raises Damaged."""
    return read(path_of(language))


@cache
def english_errors() -> Mapping[str, tuple[str, ...]]:
    """Return the English texts of errors alone, which are the last of their file. A till in Serbian
    needs none of the others. Raises Damaged."""
    _, first, others = _lines_of(path_of("en")).partition('msgid "error.')
    return _forms_of(first + others)


def read(path: Path) -> LanguageTexts:
    """Read a file of texts. Raises Damaged if it can't be read, has a line that is not a PO file's,
    lacks its header, or has a text without words."""
    forms = _forms_of(_lines_of(path))
    formula = _PLURAL.search("".join(forms.pop("", ())))
    if formula is None:
        raise Damaged(path, "its header has no Plural-Forms")
    for text_id, written in forms.items():
        if not all(written):
            raise Damaged(path, f"{text_id} has no words")
    return LanguageTexts(forms, c2py(formula[1]))


def _forms_of(lines: str) -> dict[str, tuple[str, ...]]:
    forms: dict[str, tuple[str, ...]] = {}
    text_id = ""
    for keyword, quoted in _LINE.findall(lines):
        text = _ESCAPED.sub(_sign, quoted) if "\\" in quoted else quoted
        if keyword == "msgid":
            text_id = text
        elif keyword == "msgstr":
            forms[text_id] = (*forms.get(text_id, ()), text)
    return forms


def _lines_of(path: Path) -> str:
    """Return the file's text with each string on one line."""
    try:
        lines = path.read_text(encoding="utf-8").replace('"\n"', "")
    except (OSError, UnicodeDecodeError) as error:
        raise Damaged(path, str(error)) from error
    if strange := _STRANGE.search(lines):
        raise Damaged(path, f"this is no line of it: {strange[0][:60]}")
    return lines


def _sign(escaped: re.Match[str]) -> str:
    return _SIGNS.get(escaped[1], escaped[1])
