"""The number of a fiscal receipt, and the number in place of it before e-fiscalization.

A number keeps the case of its letters. Two numbers that differ in case alone are the same.
Sources: fiscal.md 1 (InvoiceResult, referentDocumentNumber ≤ 50, errors of its numeric part), 6.3
(receipts older than e-fiscalization), platform-api.md (referentDocumentNumber).
"""

from __future__ import annotations

import re
from datetime import datetime

from pos_app.domain.text.instant import E_FISCALIZATION_BEGAN, VAT_BEGAN
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

LONGEST = 50
UNKNOWN_UID = "XXXXXXXX"
"""Stands for the first UID on a receipt that no secure element has signed; the second is the number
of the cash register's fiscal module, or the same again."""

_UID = re.compile(r"[0-9A-Za-z]{8}")
_NUMBER = re.compile(r"([0-9A-Za-z]{8})-([0-9A-Za-z]{8})-([0-9]+)")


@dataclass(frozen=True, slots=True, eq=False)
class FiscalNumber:
    """A receipt's number; `str()` is "ABCD1234-ABCD1234-8652", at most 50 characters.

    requested_by, signed_by: UIDs, 8 letters and digits. counter: the total counter, from 1.
    Raises Invalid (kind: form, counter, length).
    """

    requested_by: str
    signed_by: str
    counter: int

    def __post_init__(self) -> None:
        if not (_UID.fullmatch(self.requested_by) and _UID.fullmatch(self.signed_by)):
            raise _wrong_form()
        if self.counter < 1:
            raise Invalid("counter.least")
        if self.counter >= 10 ** (LONGEST - 18):
            raise Invalid("length.receipt", longest=LONGEST)

    @classmethod
    def parse(cls, text: str) -> FiscalNumber:
        """A number as it is printed or typed, without outer blanks. One without any capital was
        typed by hand and gets capitals. Raises Invalid, also for a counter that begins with 0,
        which processors refuse (2804)."""
        found = _NUMBER.fullmatch(text.strip())
        if found is None:
            raise _wrong_form()
        requested_by, signed_by, digits = found.groups()
        if digits.startswith("0"):
            raise Invalid("counter.zeros")
        if (requested_by + signed_by).islower():
            requested_by, signed_by = requested_by.upper(), signed_by.upper()
        return cls(requested_by, signed_by, _counter(digits))

    @property
    def is_before_efiscalization(self) -> bool:
        return self.requested_by.upper() == UNKNOWN_UID

    @property
    def earliest(self) -> datetime:
        """No receipt of such a number is older."""
        return VAT_BEGAN if self.is_before_efiscalization else E_FISCALIZATION_BEGAN

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FiscalNumber) and same_number(str(self), str(other))

    def __hash__(self) -> int:
        return hash(str(self).upper())

    def __str__(self) -> str:
        return f"{self.requested_by}-{self.signed_by}-{self.counter}"


def same_number(number: str, other: str) -> bool:
    """Whether two numbers, or UIDs, are the same."""
    return number.upper() == other.upper()


def _counter(digits: str) -> int:
    if len(digits) > LONGEST - 18:
        raise Invalid("length.receipt", longest=LONGEST)
    return int(digits)


def _wrong_form() -> Invalid:
    return Invalid("form.receipt")


def kept_reference(reference: str) -> str:
    """A receipt's id or number in the spelling that is stored: some databases show ids in capitals,
    and people type blanks."""
    try:
        return str(FiscalNumber.parse(reference))
    except Invalid:  # an id, or a number of another form of some processor
        return reference.strip().lower()
