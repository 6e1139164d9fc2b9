"""What a GS1 message on goods says: the article, and of this pack its weight, price, count, dates,
batch and serial number.

A scanner sends it as element strings ("01" and a GTIN, "3103" and a weight…), which an FNC1 parts,
or as an address (GS1 Digital Link). Sources: GS1 General Specifications 3 (the elements), 5.10 and
7.8 (FNC1, symbology identifiers), GS1 Digital Link URI Syntax.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal

from pos_app.lazy_dataclass import dataclass

FNC1 = "\x1d"
"""The sign that scanners send where an element of no fixed length ends."""
DINAR = "941"
"""The number of the dinar in ISO 4217."""

_AIM = re.compile(r"\][A-Za-z][0-9A-Za-z]")
_AIM_OF_MESSAGES = frozenset({"]C1", "]e0", "]e1", "]e2", "]d2", "]Q3", "]J1"})
_IN_BRACKETS = re.compile(r"\((?:.*\()?0[12]\) ?[0-9]{14}")
_ELEMENT_IN_BRACKETS = re.compile(r" ?\(([0-9]{2,4})\) ?|\(([0-9]{1,4})$")
_ARTICLE_FIRST = re.compile(r"0[12]([0-9]{14})")
_ADDRESS = re.compile(r"https?://\S+?/01/[0-9]{8,14}(?=[/?#]|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Gs1Message:
    """gtin: of the article or, where a box is labelled, of what it holds; "" if it names none.
    weight: net, in kilograms. price: of the whole pack, in dinars. count: of pieces in it. None for
    what it does not say. good_until: the last day, of use or else of best quality."""

    gtin: str
    weight: Decimal | None = None
    price: Decimal | None = None
    count: int | None = None
    good_until: date | None = None
    batch: str = ""
    serial: str = ""

    @property
    def code(self) -> str:
        """The GTIN as it stands below a bar code: with 8, 13 or 14 digits."""
        zeros = len(self.gtin) - len(self.gtin.lstrip("0"))
        return self.gtin[6:] if zeros >= 6 else self.gtin[1:] if zeros else self.gtin


def trimmed(text: str) -> str:
    """A scan without the blanks around it; an FNC1 in front stays, for it says what the scan is."""
    return text.rstrip().lstrip(" \t\r\n")


def without_aim(text: str) -> str:
    """A code without the symbology identifier that some scanners put before it.

    | scanned            | code             |
    | ]E08600123450144   | 8600123450144    |
    | ]d20104006381333931| 0104006381333931 |
    """
    return text[3:] if _AIM.match(text) else text


def names_message(text: str) -> bool:
    """Whether the symbology identifier before a code says that it is a GS1 message."""
    return text[:3] in _AIM_OF_MESSAGES


def is_surely_message(text: str) -> bool:
    """Whether a scan says itself that it is a message: by its symbology identifier, an FNC1,
    elements in brackets of which one is a GTIN, or as an address with a GTIN."""
    bare = without_aim(text)
    has_sign = names_message(text) or FNC1 in text
    return has_sign or is_in_brackets(bare) or is_address(bare)


def first_gtin(text: str) -> str:
    """The 14 digits of an article with which a scan without such a sign begins, "" for none. It is
    a message if they are a GTIN or the whole of it can be read: other codes begin so, too."""
    found = _ARTICLE_FIRST.match(text)
    return found[1] if found is not None else ""


def is_address(text: str) -> bool:
    return _ADDRESS.match(text) is not None


def is_in_brackets(text: str) -> bool:
    return _IN_BRACKETS.match(text) is not None


def without_brackets(text: str) -> str:
    """Elements in brackets as a scanner sends them without.

    | text                      | elements                         |
    | (01)08600123450144(10)A/7 | FNC1 0108600123450144 FNC1 10A/7 |
    """
    return _ELEMENT_IN_BRACKETS.sub(rf"{FNC1}\1\2", text)


_MOST_LACKING = 16
_GOES_ON = ("", "/", "0/")
"""An address may break off in its path, before a value or within the number of an element."""


def is_cut(text: str, read: Callable[[str], Gs1Message | None]) -> bool:
    """Whether a message that `read` can't read is the beginning of one that it can."""
    is_bracketed = is_in_brackets(without_aim(text))
    begun = without_brackets(text).removesuffix("(") if is_bracketed else text
    return any(
        read(f"{begun}{mark}{sign * many}") is not None
        for mark in (_GOES_ON if is_address(text) else ("",))
        for many in range(_MOST_LACKING + 1)
        for sign in "01"
    )
