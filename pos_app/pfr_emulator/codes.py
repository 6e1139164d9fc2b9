"""The codes a PFR answers with (protocol v3), and the refusal that carries them."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from pos_app.errors import PosError
from pos_app.lazy_dataclass import dataclass


class Code(StrEnum):
    ALL_RIGHT = "0000"
    PIN_ACCEPTED = "0100"
    INTERNET_AVAILABLE = "0210"
    INTERNET_UNAVAILABLE = "0220"
    STORAGE_NEARLY_FULL = "1100"
    CARD_ABSENT = "1300"
    AUDIT_NEEDED = "1400"
    PIN_NEEDED = "1500"
    UNDEFINED_WARNING = "1999"
    PIN_WRONG = "2100"
    CARD_BLOCKED = "2110"
    ELEMENT_LOCKED = "2210"
    ELEMENT_UNREACHABLE = "2220"
    ELEMENT_MISMATCH = "2230"
    INVALID_LABELS = "2310"
    NOT_CONFIGURED = "2400"
    REQUIRED = "2800"
    TOO_LONG = "2801"
    TOO_SHORT = "2802"
    WRONG_LENGTH = "2803"
    OUT_OF_RANGE = "2804"
    INVALID_VALUE = "2805"
    INVALID_FORMAT = "2806"
    LIST_TOO_SHORT = "2807"
    LIST_TOO_LONG = "2808"


_LOCKED_STATUS = 423
_BAD_REQUEST = 400


def status_of(code: str) -> int:
    """Return the HTTP status of a code: 423 for a PIN fault, else 400."""
    return _LOCKED_STATUS if code in (Code.PIN_WRONG, Code.CARD_BLOCKED) else _BAD_REQUEST


@dataclass(frozen=True, slots=True)
class Problem:
    """One code about one property (`items[0].name`), or about the whole request ("")."""

    where: str
    code: str


class Refusal(PosError):
    """The processor refuses: nothing was signed. A refusal has at least one problem."""

    def __init__(self, *, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        codes = ", ".join(f"{p.where or 'request'}: {p.code}" for p in self.problems)
        super().__init__(codes=codes)

    @classmethod
    def of(cls, code: str, where: str = "") -> Refusal:
        return cls(problems=[Problem(where, code)])
