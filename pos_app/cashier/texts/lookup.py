"""Every visible word of the till, by key.

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
        """The text of a key with its values, amounts and quantities written as people read them.

        Raises TextsDamaged for a key that is not in the catalogue: a text was taken out of the
        file. KeyError for a value that is not given: a bug.
        """
        text = self._forms(key)[0]
        return text.format_map(_readable(values)) if values else text

    def count(self, key: str, n: int, /, **values: object) -> str:
        """The text of a key for `n` things, `{n}` among its values, as `number` writes it."""
        form = int(n != 1) if self._language == "en" else self._catalogue.plural(n)
        return self._forms(key)[form].format_map(_readable({"n": self.number(n), **values}))

    def number(self, n: int) -> str:
        """A count as people read it: 200.000, in English 200,000."""
        written = f"{n:,}"
        return written if self._language == "en" else written.replace(",", ".")

    def error(self, error: PosError) -> NoticeText:
        """An expected error in its three parts.

        In English as it was raised. In Serbian by code and kind, else by code: the parts of
        NotAllowed with kind="hold" are `error.not_allowed.hold`, and the same with `.safe` and
        `.do`; `{what}` is what happened in English, to be read out. The code of an error without
        words is that of the error which it is a kind of. Where all of these name a value that the
        error does not carry, as it was raised. The id of a request that failed stands at its end.
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
        """Whether there are words for an error, of any kind."""
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
    """Its code, then those of the errors that it is a kind of."""
    return tuple(one.code for one in kind.__mro__ if issubclass(one, PosError))


def as_raised(error: PosError) -> NoticeText:
    """An expected error in English, which needs no file of words."""
    return NoticeText(_headline(error.what), error.safe, error.do)


def _headline(what: str) -> str:
    """What happened as the first line of a notice: a capital letter, no full stop."""
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
    """In Latin letters; what stands in braces are names of values and stays."""
    parts = written.split("{")
    made = [latin(parts[0])]
    for part in parts[1:]:
        name, brace, rest = part.partition("}")
        made.append(f"{{{name}{brace}{latin(rest)}")
    return "".join(made)


def in_language(told: Mapping[str, str], language: Language) -> str:
    """What its maker wrote in this language, or in the nearest one; "" where there is nothing.

    Serbian in Latin letters is made of the Cyrillic where it was not written.
    """
    if language in told:
        return told[language]
    if language == "sr-Latn" and "sr-Cyrl" in told:
        return latin(told["sr-Cyrl"])
    nearest = ("en", "sr-Latn", "sr-Cyrl") if language == "en" else ("sr-Latn", "en", "sr-Cyrl")
    return next((told[one] for one in nearest if one in told), "")
