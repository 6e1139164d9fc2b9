"""The text of an NBS IPS QR code: pay this account, this amount, with this reference.

Sources: NBS "Preporuke" for the preparation of the IPS QR code (ips.nbs.rs): tags in one row
without blanks, separated by |, none of them empty, no | after the last; fiscal.md 6.15.

| tag | what                                    | how                                     |
| K   | PR: on a printed bill                   | fixed                                   |
| V C | version 01, letters in UTF-8            | fixed                                   |
| R   | account of the payee                    | 18 digits                               |
| N   | payee and seat                          | 1 to 70 characters, up to three lines   |
| I   | RSD and the amount                      | decimal comma, no thousands, 5 to 18    |
| SF  | code of payment                         | three digits, 221 = goods and services  |
| S   | purpose                                 | at most 35 characters, one line         |
| RO  | model and reference of the payee        | model of two digits, at most 25 in all  |
"""

from __future__ import annotations

import re

from pos_app.domain.money.bank_account import BankAccount, mod_97_10_holds
from pos_app.domain.money.money import Money
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

GOODS_AND_SERVICES = "221"
"""Cashless (2), trade in goods and services for final consumption (21)."""
LONGEST_NAME, MOST_NAME_LINES = 70, 3
LONGEST_PURPOSE = 35
LONGEST_REFERENCE = 25

_SIGNS = frozenset(" !(/@}):[~#*;]$+<^%,=_\"&->`.?{'")
"""The signs that the NBS allows beside letters and digits; | separates the tags."""
_REFERENCE = re.compile(r"[0-9]{2}[0-9-]+")
_REFERENCE_97 = re.compile(r"97[0-9]{2}[0-9A-Z]+")


@dataclass(frozen=True, slots=True)
class IpsPayee:
    """name: with the seat, on further lines. Raises Invalid naming the field."""

    account: BankAccount
    name: str
    code: str = GOODS_AND_SERVICES

    def __post_init__(self) -> None:
        text_lines = self.name.split("\n")
        if not 1 <= len(self.name) <= LONGEST_NAME or len(text_lines) > MOST_NAME_LINES:
            raise Invalid("payee", field="name")
        for text_line in text_lines:
            _check_words(text_line, "name")
        if not re.fullmatch("[0-9]{3}", self.code):
            raise Invalid("payment_code", field="code")


@dataclass(frozen=True, slots=True)
class IpsPayment:
    """reference: with its model ("97…", "00…"), or "". Raises Invalid naming the field."""

    payee: IpsPayee
    amount: Money
    purpose: str = ""
    reference: str = ""

    def __post_init__(self) -> None:
        if self.amount <= Money.ZERO:
            raise Invalid("payment_amount", field="amount")
        if self.purpose:
            _check_words(self.purpose, "purpose")
        if len(self.purpose) > LONGEST_PURPOSE:
            raise Invalid("purpose", field="purpose")
        if self.reference:
            _check_reference(self.reference)

    @property
    def text(self) -> str:
        """The code's text: "K:PR|V:01|C:1|R:840000000095584510|N:…|I:RSD1025,12|SF:221"."""
        tags = [
            ("K", "PR"),
            ("V", "01"),
            ("C", "1"),
            ("R", self.payee.account.digits),
            ("N", self.payee.name),
            ("I", f"RSD{self.amount}".replace(".", ",")),
            ("SF", self.payee.code),
            ("S", self.purpose),
            ("RO", self.reference),
        ]
        return "|".join(f"{tag}:{value}" for tag, value in tags if value)


def reference_97(number: str) -> str:
    """A reference in model 97: the model, two check digits, the number. Raises Invalid.
    "3220000111111111000" -> "97163220000111111111000"."""
    if not re.fullmatch("[0-9A-Z]+", number):
        raise Invalid("model_97", field="reference")
    control = 98 - int(_as_digits(number) + "00") % 97
    reference = f"97{control:02}{number}"
    _check_reference(reference)
    return reference


def tag_text(text: str) -> str:
    """`text` with a blank in place of each character that a tag may not hold, and without blanks at
    its ends."""
    return "".join(letter if _is_allowed(letter) else " " for letter in text).strip()


def _check_reference(reference: str) -> None:
    if len(reference) > LONGEST_REFERENCE:
        raise Invalid("reference_length", field="reference")
    if not reference.startswith("97"):
        if not _REFERENCE.fullmatch(reference):
            raise Invalid("reference", field="reference")
    elif not _REFERENCE_97.fullmatch(reference) or not mod_97_10_holds(
        _as_digits(reference[4:]) + reference[2:4]
    ):
        raise Invalid("check.reference", field="reference")


def _as_digits(number: str) -> str:
    """Replace letters by two digits: A = 10, B = 11 … Z = 35 (ISO 7064)."""
    return "".join(str(int(letter, 36)) for letter in number)


def _check_words(text_line: str, field: str) -> None:
    if text_line != text_line.strip() or not text_line or not all(map(_is_allowed, text_line)):
        raise Invalid("ips_character", field=field)


def _is_allowed(letter: str) -> bool:
    return letter.isalnum() or letter in _SIGNS
