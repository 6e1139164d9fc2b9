"""Every visible text of the till, by id.

`texts("key.pay")` gives a text, `texts.count("att.items", 3)` one with the right plural. Values put
into a text stay as they are in every language: names, units, numbers, UIDs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from string import Formatter
from typing import Literal

from pos_app.cashier.texts.po_file import serbian, text_missing
from pos_app.domain.money import Money, Quantity
from pos_app.domain.number_text import amount_text, quantity_text
from pos_app.domain.transliteration import latin
from pos_app.errors import PosError
from pos_app.lazy_dataclass import dataclass

Language = Literal["sr-Cyrl", "sr-Latn", "en"]
LANGUAGES: tuple[Language, ...] = ("sr-Cyrl", "sr-Latn", "en")


@dataclass(frozen=True, slots=True)
class NoticeText:
    """The three parts of a notice; the last two may be empty."""

    happened: str
    safe: str = ""
    press: str = ""


class Texts:
    """The words in one language."""

    def __init__(self, language: Language = "sr-Cyrl") -> None:
        self._language = language
        self._catalogue = serbian()
        self._latin: dict[str, tuple[str, ...]] = {}

    @property
    def language(self) -> Language:
        return self._language

    def has(self, key: str) -> bool:
        return key in self._catalogue.translated

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text of an id with its values, amounts and quantities written as people read
        them.

        Raises TextsDamaged for an id that is not in the catalogue: somebody took a text out of the
        file. Raises KeyError for a missing value: a bug.
        """
        text = self._forms(key)[0]
        return text.format_map(_readable(values)) if values else text

    def count(self, key: str, n: int, /, **values: object) -> str:
        """Return the text of an id for `n` things; `{n}` is among its values, as `number` writes
        it."""
        form = int(n != 1) if self._language == "en" else self._catalogue.plural(n)
        return self._forms(key)[form].format_map(_readable({"n": self.number(n), **values}))

    def number(self, n: int) -> str:
        """Write a count as people read it: 200.000, in English 200,000."""
        written = f"{n:,}"
        return written if self._language == "en" else written.replace(",", ".")

    def error(self, error: PosError) -> NoticeText:
        """Return an expected error in its three parts.

        In English the parts are those that the error was raised with. In Serbian they are found by
        code and kind, else by code: the parts of NotAllowed with kind="hold" are
        `error.not_allowed.hold`, and the same with `.safe` and `.do`; `{what}` is the event in
        English, to be read out. An error whose code has no words takes the code of the error that
        it is a kind of. If all these texts name a value that the error lacks, the English parts are
        returned. The id of a failed request stands at the end.
        """
        told, request = self._told(error), error.values.get("request")
        if not request:
            return told
        asked = self("notice.request", request=request)
        return replace(told, press=f"{told.press} {asked}".strip())

    def _told(self, error: PosError) -> NoticeText:
        if self._language != "en":
            kind, values = error.values.get("kind", ""), {"what": error.what, **error.values}
            code = next(filter(self._tells, codes_of(type(error))), error.code)
            for key in (f"error.{code}.{kind}", f"error.{code}"):
                if self._fits(key, values):
                    parts = (key, f"{key}.safe", f"{key}.do")
                    return NoticeText(*(self._part(part, values) for part in parts))
        return as_raised(error)

    def _tells(self, code: str) -> bool:
        """Tell whether there are words for an error, of any kind."""
        told = self._catalogue.translated
        return any(f"{key}.".startswith(f"error.{code}.") for key in told)

    def _fits(self, key: str, values: Mapping[str, object]) -> bool:
        parts = (key, f"{key}.safe", f"{key}.do")
        texts = (self._forms(part)[0] for part in parts if self.has(part))
        return self.has(key) and all(_names_in(text) <= values.keys() for text in texts)

    def _part(self, key: str, values: Mapping[str, object]) -> str:
        return self(key, **values) if self.has(key) else ""

    def _forms(self, key: str) -> tuple[str, ...]:
        if not self.has(key):
            raise text_missing(key)
        if self._language == "en":
            return self._catalogue.english[key]
        written = self._catalogue.translated[key]
        if self._language == "sr-Cyrl":
            return written
        made = self._latin.get(key)
        if made is None:
            made = self._latin[key] = tuple(_latin_of(form) for form in written)
        return made


def codes_of(kind: type[PosError]) -> tuple[str, ...]:
    """Return its code, then those of the errors that it is a kind of."""
    return tuple(one.code for one in kind.__mro__ if issubclass(one, PosError))


def as_raised(error: PosError) -> NoticeText:
    """Return an expected error in English, which needs no file of words."""
    return NoticeText(_headline(error.what), error.safe, error.do)


def _headline(what: str) -> str:
    """Return the event as the first part of a notice: with a capital letter, without a full
    stop."""
    return what[:1].upper() + what[1:].removesuffix(".")


def _names_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


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
    """Write in Latin letters; names of values, in braces, stay."""
    parts = written.split("{")
    made = [latin(parts[0])]
    for part in parts[1:]:
        name, brace, rest = part.partition("}")
        made.append(f"{{{name}{brace}{latin(rest)}")
    return "".join(made)


def in_language(told: Mapping[str, str], language: Language) -> str:
    """Return its maker's text in this language, or in the nearest one; "" without any text.

    Serbian in Latin letters is made of the Cyrillic if it was not written.
    """
    if language in told:
        return told[language]
    if language == "sr-Latn" and "sr-Cyrl" in told:
        return latin(told["sr-Cyrl"])
    nearest = ("en", "sr-Latn", "sr-Cyrl") if language == "en" else ("sr-Latn", "en", "sr-Cyrl")
    return next((told[one] for one in nearest if one in told), "")
