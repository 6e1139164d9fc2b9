"""A scanned or typed code means an article, perhaps with its weight or price, a receipt, or an
identity card.

Sources: till.md (The scanner, Cart: weight and price codes), GS1 General Specifications 7.9
(check digit), ICAO Doc 9303 part 5 (TD1: three lines of 30 signs on the back of an identity card).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field, replace
from enum import StrEnum

from pos_app.domain.article import gs1
from pos_app.domain.article.gs1 import Gs1Message
from pos_app.domain.article.scale_labels import (
    PriceCode,
    ScaleLayout,
    ScaleRules,
    WeightCode,
    read_label,
)
from pos_app.domain.receipt.verification import Verification, decode, looks_like_verification
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

GTIN_LENGTHS = (8, 12, 13, 14)
"""EAN-8, UPC-A, EAN-13, GTIN-14."""
GLN_LENGTH = _EAN_LENGTH = 13
_SUPPLEMENT_LENGTHS = (2, 5)
LONGEST_ARTICLE_CODE = 64
_LONGEST_CONTENT = 1_000
"""More characters than any symbol on goods has."""
_NO_SIGN = "\ufffd"
"""Stands for bytes that are no text."""


_ZERO = ord("0")


def check_digit(digits: str) -> str:
    """The check digit that follows these digits; from the right they weigh 3, 1, 3….

    | digits        | check digit |
    | 860012345014  | 4           |
    | 400638133393  | 1           |
    | 9638507       | 4           |
    | 03600029145   | 2           |
    """
    signs = digits.encode("ascii")  # each byte is its digit plus _ZERO, which `zeros` takes away
    weighed = 3 * sum(signs[::-2]) + sum(signs[-2::-2])
    zeros = _ZERO * (3 * len(signs[::-2]) + len(signs[-2::-2]))
    return str((zeros - weighed) % 10)


def check_digit_fits(code: str) -> bool:
    return _is_digits(code) and len(code) > 1 and check_digit(code[:-1]) == code[-1]


def is_gtin(code: str) -> bool:
    return len(code) in GTIN_LENGTHS and check_digit_fits(code)


def is_gln(code: str) -> bool:
    """Whether this can be the number of a place, GS1's GLN."""
    return len(code) == GLN_LENGTH and check_digit_fits(code)


def code_key(code: str) -> str:
    """The form in which codes are compared: a GTIN padded with zeros to 14 digits, else the code
    itself."""
    return code.zfill(14) if is_gtin(code) else code


def is_whole(code: str) -> bool:
    """Whether a check digit or checksum proves that the code is complete.

    | code                                        | whole |
    | 8600123450144, 96385074                     | yes   |
    | 86001234501, 2088, LOT-17                   | no    |
    | a receipt's address with its whole checksum | yes   |
    | R/113892                                    | yes   |
    """
    if looks_like_verification(code):
        return isinstance(_receipt(code), ReceiptCode)
    return is_gtin(code) or _short(code) is not None


@dataclass(frozen=True, slots=True)
class ArticleCode:
    """A code to look up: article code, EAN, further barcode or manufacturer code."""

    code: str

    @property
    def sku(self) -> int | None:
        return int(self.code) if _is_digits(self.code) and len(self.code) <= 15 else None


@dataclass(frozen=True, slots=True)
class EditionCode:
    """An EAN-13 with the two or five digits that stand beside it: the edition of a paper, or
    the price of a book. asks_price: each edition has its own price, which the cashier types."""

    ean: str
    supplement: str
    asks_price: bool = False

    @property
    def is_printed_matter(self) -> bool:
        """Whether the number is a serial's or a book's (ISSN, ISBN). Other goods seldom have such
        digits, and the whole may as well be a code of somebody's own."""
        return self.ean.startswith(("977", "978", "979"))


@dataclass(frozen=True, slots=True)
class ReceiptCode:
    """The QR code of a fiscal receipt."""

    verification: Verification

    @property
    def reference(self) -> str:
        return str(self.verification.number)


LONGEST_COUNTER = 10
"""The most digits of a receipt's counter, which has 32 bits."""
_SHORT_PREFIX = "R/"


@dataclass(frozen=True, slots=True)
class ShortReceiptCode:
    """The Code 128 below this product's receipts. counter: the last part of the number."""

    counter: int

    @property
    def reference(self) -> str:
        """The end of the number, for a query of the journal."""
        return f"-{self.counter}"


_CARD_LINES = re.compile(r"([A-Z0-9<]{30}){1,3}")
_CARD_NUMBER = re.compile(r"I.SRB([0-9]{9})([0-9])")
_CARD_WEIGHTS = (7, 3, 1)


@dataclass(frozen=True, slots=True)
class IdentityCard:
    """Lines of an identity card, as a scanner that reads letters types them.

    number: the 9 digits of a Serbian card; "" if the lines have none, or its check digit does not
    fit. The personal number beside it, the birthday and the name are not read.
    """

    number: str = field(default="", repr=False)


CodeOfReceipt = ReceiptCode | ShortReceiptCode


def short_receipt_code(counter: int) -> str:
    """The content of the Code 128: signs that begin no article's code, the counter, a check digit.

    | counter | code     |
    | 11389   | R/113892 |
    """
    return f"{_SHORT_PREFIX}{counter}{check_digit(str(counter))}"


class WhyUnknown(StrEnum):
    EMPTY = "empty"
    CHARACTERS = "characters"
    TOO_LONG = "too_long"
    CHECK_DIGIT = "check_digit"
    """A weight or price code was misread; nothing is sold on a guess."""
    CUT = "cut"
    """The scanner sent only a part of the code."""
    NOISE = "noise"
    """Signs that no code has, or far too many of them: a scanner at a serial port sends such where
    its speed is another than the port's."""
    KEY_HELD = "key_held"
    """The cashier held Ctrl, Alt or the like, so that the keys of the scanner were commands."""
    NOTHING_WEIGHED = "nothing_weighed"
    GS1 = "gs1"
    """A GS1 message that cannot be read, or that names no article."""
    ID_CARD = "id_card"
    """The code is of an identity card, which is no article; none of its data are kept."""
    RECEIPT = "receipt"
    """A receipt's QR code was misread; `fault` is the kind that `decode` raised."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A code without a meaning. `repr()` hides it, because a receipt's code may hold a buyer."""

    code: str = field(repr=False)
    why: WhyUnknown
    fault: str = ""


ScannedCode = (
    ArticleCode
    | EditionCode
    | WeightCode
    | PriceCode
    | Gs1Message
    | ReceiptCode
    | ShortReceiptCode
    | IdentityCard
    | Unknown
)


def _reads_none(text: str) -> Gs1Message | None:
    return None


@dataclass(frozen=True, slots=True)
class CodeRules:
    """How a shop reads codes. scale: the labels of its scales. read_gs1: returns what a GS1 message
    says, or None if it cannot be read to its end. asks_edition_price: the price of each edition
    of a paper is typed. keeps_batch: batch and serial number of a piece are kept."""

    scale: ScaleRules
    read_gs1: Callable[[str], Gs1Message | None] = _reads_none
    asks_edition_price: bool = False
    keeps_batch: bool = False


def classify(code: str, rules: CodeRules) -> ScannedCode:
    """The meaning of a scanned or typed code; nothing is looked up.

    | code                            | with the usual rules                        |
    | 2088                            | ArticleCode                                 |
    | 8600123450144, ]E08600123450144 | ArticleCode                                 |
    | 2100094014124                   | WeightCode, article 94, 1.412 kg            |
    | 2600094003505                   | PriceCode, article 94, 350.00               |
    | 2100094014125                   | Unknown, check_digit                        |
    | 977123456789805                 | EditionCode, 05 of 9771234567898              |
    | (01)08600123450144(3103)001412  | Gs1Message, 1.412 kg of that article        |
    | R/113892                        | ShortReceiptCode, 11389                     |

    The check digit of an article's code is not checked: the catalogue is searched for the code
    itself.
    """
    text = gs1.trimmed(code)
    if looks_like_verification(text):
        return _receipt(text)
    if (known := _short(text) or _identity_card(text) or _message(text, rules)) is not None:
        return known
    text = gs1.without_aim(text)
    if fault := _fault(text):
        return Unknown(text, fault)
    if (layout := rules.scale.layout_of(text)) is not None:
        return _from_scale(text, rules.scale, layout)
    ean, supplement = text[:_EAN_LENGTH], text[_EAN_LENGTH:]
    if len(supplement) in _SUPPLEMENT_LENGTHS and _is_digits(text) and check_digit_fits(ean):
        return EditionCode(ean, supplement, rules.asks_edition_price)
    return ArticleCode(text)


def other_meaning(
    code: str, rules: CodeRules
) -> WeightCode | PriceCode | EditionCode | Gs1Message | None:
    """What a code would mean if no article had it: the label of a scale, an EAN with its
    supplement, or a GS1 message. None for a code that means nothing else."""
    meant = classify(code, rules)
    return meant if isinstance(meant, WeightCode | PriceCode | EditionCode | Gs1Message) else None


def may_be_stored(code: str) -> bool:
    """Whether an article may have this code: neither empty, nor too long, nor of signs that nobody
    can print, nor an address, such as that in a receipt's QR code, however a scanner spelled it.

    | code                               | may be stored |
    | 8600123450144, LOT-17, R/113892    | yes           |
    | https://suf.purs.gov.rs/v/?vl=A1   | no            |
    | 27.11.2026.HTTP://SUF.PURS.GOV.RS/ | no            |
    | httpsČ--suf.purs.gov.rs-v-_vl0A1   | no            |
    """
    return _fault(code) is None


_NAMED_FIRST = re.compile(r"\(?0[12]\)? ?([0-9]{14})")


def shown_code(code: str) -> str:
    """A code as people know it from the pack: the EAN of a GS1 message that begins with it, else
    without the symbology identifier and the signs that nobody sees.

    | code                           | shown         |
    | ]d201086099511017301727123110  | 8609951101730 |
    | (01)08609951101730(17)27123110 | 8609951101730 |
    | ]d210LOT                       | 10LOT         |
    """
    bare = gs1.without_aim(code)
    named = _NAMED_FIRST.match(bare)
    if named is not None and check_digit_fits(named[1]):
        return Gs1Message(named[1]).code
    return "".join(sign if sign.isprintable() else " " for sign in bare).strip()


_ADDRESS = re.compile(r"://|https?[^a-z0-9]{2}|хттпс?[^а-я0-9]{2}|[?&]vl=", re.IGNORECASE)


def names_address(code: str) -> bool:
    """Whether a text has an address in it, also as a scanner types it that is set to another
    keyboard than the till's."""
    return _ADDRESS.search(code) is not None


def _fault(text: str) -> WhyUnknown | None:
    if not text:
        return WhyUnknown.EMPTY
    if _NO_SIGN in text or len(text) > _LONGEST_CONTENT:
        return WhyUnknown.NOISE
    if names_address(text):
        return WhyUnknown.CHARACTERS
    if len(text) > LONGEST_ARTICLE_CODE:
        return WhyUnknown.TOO_LONG
    return None if text.isprintable() else WhyUnknown.CHARACTERS


def _message(text: str, rules: CodeRules) -> Gs1Message | Unknown | None:
    """The GS1 message that a text is, else None. A text that only begins with digits like one is
    one if the check digit of their GTIN fits."""
    is_sure, gtin = gs1.is_surely_message(text), gs1.first_gtin(text)
    if not is_sure and not gtin:
        return None
    read = rules.read_gs1(text)
    if read is None or not read.gtin:
        if not is_sure and not check_digit_fits(gtin):
            return None
        why = WhyUnknown.CUT if gs1.is_cut(text, rules.read_gs1) else WhyUnknown.GS1
        return Unknown(text.replace(gs1.FNC1, " ").strip(), why)
    if not check_digit_fits(read.gtin):
        return Unknown(read.code, WhyUnknown.CHECK_DIGIT) if is_sure else None
    if 0 in (read.weight, read.price, read.count):
        return Unknown(text, WhyUnknown.NOTHING_WEIGHED)
    return read if rules.keeps_batch else replace(read, batch="", serial="")


def _short(text: str) -> ShortReceiptCode | None:
    """The short code of a receipt, else None. Some scanners change the case of its letter."""
    digits = text[len(_SHORT_PREFIX) :]
    if text[: len(_SHORT_PREFIX)].upper() != _SHORT_PREFIX or digits.startswith("0"):
        return None
    is_short = check_digit_fits(digits) and len(digits) <= LONGEST_COUNTER + 1
    return ShortReceiptCode(int(digits[:-1])) if is_short else None


def _identity_card(text: str) -> IdentityCard | None:
    lines = "".join(text.split())
    if "<" not in lines or not _CARD_LINES.fullmatch(lines):
        return None
    found = _CARD_NUMBER.match(lines)
    if found is None or _card_check_digit(found[1]) != found[2]:
        return IdentityCard()
    return IdentityCard(found[1])


def _card_check_digit(digits: str) -> str:
    """The check digit of an identity card: weights 7, 3, 1, modulo 10.

    | digits    | check digit |
    | 008412357 | 4           |
    """
    weighed = (int(digit) * _CARD_WEIGHTS[index % 3] for index, digit in enumerate(digits))
    return str(sum(weighed) % 10)


def _receipt(text: str) -> ReceiptCode | Unknown:
    try:
        return ReceiptCode(decode(text))
    except Invalid as error:
        return Unknown(text, WhyUnknown.RECEIPT, error.kind)


def _from_scale(
    code: str, rules: ScaleRules, layout: ScaleLayout
) -> WeightCode | PriceCode | Unknown:
    if not check_digit_fits(code) or not rules.is_verified(layout, code):
        return Unknown(code, WhyUnknown.CHECK_DIGIT)
    return read_label(code, layout) or Unknown(code, WhyUnknown.NOTHING_WEIGHED)


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()
