"""Every visible word of the till, by key: Cyrillic and English are written, Latin is made.

`texts("sale.pay")` gives a text, `texts.count("items", 3)` one with the right plural. Values put
into a text stay as they are in every language: names, units, numbers, UIDs. A screen with its
own words teaches them once: `texts.learn(SERBIAN, ENGLISH)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Literal

from PySide6.QtCore import QObject, Signal

from pos_app.cashier.texts.acts import ACTS
from pos_app.cashier.texts.english import ENGLISH
from pos_app.cashier.texts.errors import ERRORS
from pos_app.cashier.texts.last_sale import LAST
from pos_app.cashier.texts.modes import MODES
from pos_app.cashier.texts.refusals import REFUSALS
from pos_app.cashier.texts.serbian import SERBIAN
from pos_app.cashier.texts.start import START
from pos_app.cashier.texts.trouble import SERVER
from pos_app.cashier.texts.typing import TYPING
from pos_app.domain.money import Money, Quantity
from pos_app.domain.number_text import amount_text, quantity_text
from pos_app.domain.transliteration import latin
from pos_app.errors import PosError

Language = Literal["sr-Cyrl", "sr-Latn", "en"]
LANGUAGES: tuple[Language, ...] = ("sr-Cyrl", "sr-Latn", "en")

TAUGHT = {**ACTS, **ERRORS, **LAST, **MODES, **REFUSALS, **START, **SERVER, **TYPING}
"""Texts that are written as pairs, and that every screen needs."""
FORMS = "|"
"""Between the forms of a plural: "{n} ставка|{n} ставке|{n} ставки", "{n} item|{n} items"."""


@dataclass(frozen=True, slots=True)
class NoticeText:
    """The three parts of a notice; the last two may be empty."""

    happened: str
    safe: str = ""
    press: str = ""


class Texts(QObject):
    """The words in the language of the moment, and the signal that it changed."""

    changed = Signal()

    def __init__(self, language: Language = "sr-Cyrl", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._language = language
        self._serbian = dict(SERBIAN)
        self._english = dict(ENGLISH)
        for key, (serbian, english) in TAUGHT.items():
            self._serbian[key], self._english[key] = serbian, english
        self._latin: dict[str, str] = {}

    @property
    def language(self) -> Language:
        """The language of the moment."""
        return self._language

    def change(self, language: Language) -> None:
        """Another language, from now on. Tells `changed` when it is another."""
        if language != self._language:
            self._language = language
            self.changed.emit()

    def learn(self, serbian: Mapping[str, str], english: Mapping[str, str]) -> None:
        """Words of a screen of its own; learning them again changes nothing."""
        self._serbian.update(serbian)
        self._english.update(english)

    def has(self, key: str) -> bool:
        """Whether there is a text for a key."""
        return key in self._serbian

    def __call__(self, key: str, /, **values: object) -> str:
        """The text of a key with its values, amounts and quantities written as people read them.

        KeyError for a key that nobody wrote: a bug.
        """
        text = self._text(key)
        return text.format_map(_readable(values)) if values else text

    def count(self, key: str, n: int, /, **values: object) -> str:
        """The text of a key for `n` things, `{n}` among its values."""
        forms = self._text(key).split(FORMS)
        return forms[plural(n, english=self._language == "en")].format_map(
            _readable({"n": n, **values})
        )

    def error(self, error: PosError) -> NoticeText:
        """An expected error in its three parts: by code and kind, by code, else its English.

        `error.not_allowed.hold` stands for NotAllowed with kind="hold"; the parts follow under
        `.safe` and `.do`. Words that name a value which the error does not carry are passed over.
        """
        kind = error.values.get("kind", "")
        for key in (f"error.{error.code}.{kind}", f"error.{error.code}"):
            if self._fits(key, error.values):
                return NoticeText(
                    self(key, **error.values),
                    self._part(f"{key}.safe", error.values) or self._safe(error),
                    self._part(f"{key}.do", error.values) or self._do(error),
                )
        return NoticeText(error.what, error.safe, error.do)

    def _fits(self, key: str, values: Mapping[str, object]) -> bool:
        parts = (key, f"{key}.safe", f"{key}.do")
        texts = (self._serbian[part] for part in parts if self.has(part))
        return self.has(key) and all(_names_in(text) <= values.keys() for text in texts)

    def _part(self, key: str, values: Mapping[str, object]) -> str:
        return self(key, **values) if self.has(key) else ""

    def _safe(self, error: PosError) -> str:
        return error.safe if self._language == "en" else ""

    def _do(self, error: PosError) -> str:
        return error.do if self._language == "en" else ""

    def _text(self, key: str) -> str:
        if self._language == "en":
            return self._english[key]
        if self._language == "sr-Cyrl":
            return self._serbian[key]
        written = self._serbian[key]
        made = self._latin.get(written)
        if made is None:
            made = self._latin[written] = _latin_of(written)
        return made


def plural(n: int, *, english: bool) -> int:
    """Which form of a plural a number takes.

    | n                  | Serbian     | English   |
    | 1, 21, 101         | 0 (ставка)  | 0 only 1  |
    | 2, 3, 4, 22, 104   | 1 (ставке)  | 1         |
    | 0, 5, 11, 12, 112  | 2 (ставки)  | 1         |
    """
    if english:
        return 0 if n == 1 else 1
    if n % 10 == 1 and n % 100 != 11:
        return 0
    if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14):
        return 1
    return 2


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
