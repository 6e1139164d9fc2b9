"""Every visible text of the till, by id, from the file of its language.

`texts("key.pay")` gives a text, `texts.count("att.items", 3)` a text with the right plural. Values
put into a text stay as they are in every language: names, units, numbers, UIDs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from string import Formatter
from typing import Literal

from pos_app import po_file
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.number_text import amount_text, grouped_text, quantity_text
from pos_app.domain.text.transliteration import latin
from pos_app.errors import (
    DiskFull,
    Invalid,
    NotAllowed,
    NotFound,
    PosError,
    TextsDamaged,
    Words,
    codes_of,
    key_of,
)
from pos_app.lazy_dataclass import dataclass

Language = Literal["sr-Cyrl", "sr-Latn", "en"]
LANGUAGES: tuple[Language, ...] = ("sr-Cyrl", "sr-Latn", "en")


@dataclass(frozen=True, slots=True)
class NoticeWords:
    """The three parts of a notice; the last two may be empty. technical: what support is read of an
    error whose words name a file in short; a button opens it where there is one."""

    happened: str
    safe: str = ""
    press: str = ""
    technical: str = ""

    @property
    def in_one_text(self) -> str:
        """What happened and what to press, as whole sentences one after the other."""
        return " ".join(sentence(part) for part in (self.happened, self.press) if part)


def sentence(text: str) -> str:
    """The text with a full stop, unless it ends in a path, which is typed as it stands."""
    ends = not text or text[-1] in ".!?…" or set(text.rsplit(maxsplit=1)[-1]) & set("/\\")
    return text if ends else f"{text}."


class Texts:
    """The words in one language."""

    def __init__(self, language: Language = "sr-Cyrl") -> None:
        self._language = language
        self._catalogue = catalogue(language)
        self._latin: dict[str, tuple[str, ...]] = {}

    @property
    def language(self) -> Language:
        return self._language

    def has(self, text_id: str) -> bool:
        return text_id in self._catalogue.forms

    def __call__(self, text_id: str, /, **values: object) -> str:
        """Return the text of an id with its values, amounts and quantities written as people read
        them. Raises TextsDamaged for an id that the file lacks; KeyError for a missing value, which
        is a bug."""
        text = self._forms(text_id)[0]
        return text.format_map(_readable(values)) if values else text

    def count(self, text_id: str, n: int, /, **values: object) -> str:
        """Return the text of an id for `n` things; `{n}` in it is `n` as `number` writes it."""
        return self._forms(text_id)[self._catalogue.plural(n)].format_map(
            _readable({"n": self.number(n), **values})
        )

    def number(self, n: int) -> str:
        """Write a count as people read it, 200.000. The form is that of the amounts, which is the
        same in every language: beside 1.476,92 a count of 1,020 would be read as one and a bit."""
        return grouped_text(n)

    def error(self, error: PosError, *, has_details: bool = False) -> NoticeWords:
        """Return an expected error in its three parts. has_details: its technical line can be read
        where it is shown, so that its words lead there.

        In English the parts are those of the error. In another language they are found by code and
        kind, else by code: the parts of NotAllowed of the kind "hold" are `error.not_allowed.hold`,
        and the same with `.safe` and `.do`; `{what}` is the event in English, to be read out, and
        `{read_out}` what support is read of its file. The path of a file is shortened. An error
        whose code has no texts takes those of its base class. If the texts name a value that the
        error lacks, the English parts are returned. The id of a failed request is the last thing in
        them.
        """
        notice, request = self._parts_of(error, has_details), error.values.get("request")
        if not request:
            return notice
        asked = self("notice.request", request=request)
        return replace(notice, press=f"{notice.press} {asked}".strip())

    def _parts_of(self, error: PosError, has_details: bool) -> NoticeWords:
        if self._language != "en":
            code = next(filter(self._has_error, codes_of(type(error))), error.code)
            for text_id in (key_of(code, error.kind), key_of(code, "")):
                parts = (text_id, f"{text_id}.safe", f"{text_id}.do")
                texts = [self._forms(part)[0] if self.has(part) else "" for part in parts]
                names = set().union(*map(_names_in, texts))
                own = {"what": _english(error).what} if "what" in names else {}
                if "read_out" in names and "path" in error.values:
                    own["read_out"] = self._read_out(error, has_details)
                if texts[0] and names <= {*own, *error.values}:
                    values = _readable_of(error)(error.values) | own
                    notice = NoticeWords(*(text.format_map(values) for text in texts))
                    return _shortened(notice, error, is_short="read_out" in names)
        return _shortened(as_raised(error), error)

    def _read_out(self, error: PosError, has_details: bool) -> str:
        if has_details:
            return self("notice.read_out.details")
        return self("notice.read_out.file", file=error.values["path"])

    def _has_error(self, code: str) -> bool:
        """Tell whether there are texts for an error of this code, of any kind."""
        forms = self._catalogue.forms
        return any(f"{text_id}.".startswith(f"error.{code}.") for text_id in forms)

    def _forms(self, text_id: str) -> tuple[str, ...]:
        written = self._catalogue.forms.get(text_id)
        if written is None:
            raise _damaged(po_file.path_of(_file_of(self._language)), f"it has no text {text_id}")
        if self._language != "sr-Latn":
            return written
        made = self._latin.get(text_id)
        if made is None:
            made = self._latin[text_id] = tuple(_latin_of(form) for form in written)
        return made


Say = Callable[[Texts], str]
"""A text that can be told again in another language."""


def catalogue(language: Language) -> po_file.LanguageTexts:
    """Return the texts of a language. Raises TextsDamaged."""
    try:
        return po_file.own(_file_of(language))
    except po_file.Damaged as error:
        raise _damaged(error.path, error.why) from error


def _file_of(language: Language) -> str:
    """The name of the language's file; both alphabets of Serbian have one file."""
    return language.partition("-")[0]


def _damaged(path: Path, why: str) -> TextsDamaged:
    """The error of a damaged file of words. Its own words are here, because they can't be read from
    that file."""
    return TextsDamaged(
        what=f"The file with the till's words, {path}, is damaged: {why}.",
        safe="Nothing was started; what was sold before is kept.",
        do="Install the program again. If you don't know how, call support and read this out.",
        path=str(path),
    )


def as_raised(error: PosError) -> NoticeWords:
    """Return an expected error in English, which needs no file of words."""
    english = _english(error)
    return NoticeWords(_headline(english.what or ""), english.safe, english.do)


def _shortened(notice: NoticeWords, error: PosError, *, is_short: bool = False) -> NoticeWords:
    """Write the error's files by their last two names, and keep the whole in the technical line.
    is_short: the words lack something even where they name no file. A path that a person chose,
    or goes to now, stays as it is."""
    stays = isinstance(error, Invalid | NotFound | NotAllowed)
    files = [] if stays else _files_of(error)
    made: tuple[str, ...] = (notice.happened, notice.safe, notice.press)
    words = made
    for file in sorted(files, key=len, reverse=True):
        made = tuple(text.replace(file, short_path(file)) for text in made)
    if made == words and not is_short:
        return notice
    happened, safe, press = made
    return NoticeWords(happened, safe, press, _technical(error))


def _files_of(error: PosError) -> list[str]:
    """The whole paths among the error's values, but for `file`, which a person looks for now."""
    values = [value for name, value in error.values.items() if name != "file"]
    texts = [str(value) for value in values if isinstance(value, str | PurePath)]
    kinds = (PurePosixPath, PureWindowsPath)
    return [text for text in texts if any(kind(text).is_absolute() for kind in kinds)]


def _technical(error: PosError) -> str:
    """The error's sentences in English, as the log has them, that name one of its values; then its
    file and the command that mends it, where they lack these."""
    english = _english(error)
    values = {name: str(value) for name, value in _readable_of(error)(error.values).items()}
    advice = [part for part in english[1:] if any(one and one in part for one in values.values())]
    told = " ".join((english.what or "", *advice))
    needed = [values[name] for name in ("path", "cure") if values.get(name)]
    return " ".join((told, *(one for one in needed if one not in told)))


def short_path(path: str) -> str:
    """The name of a file after that of its folder, without the folders above."""
    return re.sub(r"^.*[/\\](?=[^/\\]+[/\\][^/\\]+$)", "", path)


def _english(error: PosError) -> Words:
    return error.in_english(_readable_of(error))


def _headline(what: str) -> str:
    """Return the event as the first part of a notice: with a capital letter, without a full
    stop."""
    return what[:1].upper() + what[1:].removesuffix(".")


def _names_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def _readable_of(error: PosError) -> Callable[[Mapping[str, object]], dict[str, object]]:
    """Return what writes an error's values; the numbers of a full disk are megabytes, which are
    grouped."""
    if not isinstance(error, DiskFull):
        return _readable
    return lambda values: {
        name: grouped_text(value) if isinstance(value, int) else _as_text(value)
        for name, value in values.items()
    }


def _readable(values: Mapping[str, object]) -> dict[str, object]:
    return {name: _as_text(value) for name, value in values.items()}


def _as_text(value: object) -> object:
    match value:
        case Money():
            return amount_text(value)
        case Quantity():
            return quantity_text(value)
        case _:
            return value


def _latin_of(written: str) -> str:
    """Write a text in Latin letters; the names of values, in braces, stay."""
    parts = written.split("{")
    made = [latin(parts[0])]
    for part in parts[1:]:
        name, brace, rest = part.partition("}")
        made.append(f"{{{name}{brace}{latin(rest)}")
    return "".join(made)


def in_language(values: Mapping[str, str], language: Language) -> str:
    """Return the text that the maker of a release wrote in this language, or in the nearest one; ""
    without any text. Serbian text in Latin letters is made of the Cyrillic text if need be."""
    if language in values:
        return values[language]
    if language == "sr-Latn" and "sr-Cyrl" in values:
        return latin(values["sr-Cyrl"])
    nearest = ("en", "sr-Latn", "sr-Cyrl") if language == "en" else ("sr-Latn", "en", "sr-Cyrl")
    return next((values[one] for one in nearest if one in values), "")
