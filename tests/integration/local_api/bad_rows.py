"""Rows of bad input: the changed member, its value, and the member that the answer must name.

The tables here cover members that several operations have; each operation adds its own.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MISSING = object()
"""A value that stands for the member's absence."""
_PART = re.compile(r"[^.\[\]]+")


@dataclass(frozen=True)
class Bad:
    """The good body with the member `at` set to `value`: answered 400, naming `key`.

    key is "" where the answer names `at`. words: a part of the message. beside: other members, set
    first. on: the receipt of the operation, "" for its usual one.
    """

    at: str
    value: Any
    words: str
    key: str = ""
    beside: Mapping[str, Any] = field(default_factory=dict)
    on: str = ""

    @property
    def named(self) -> str:
        return self.key or self.at

    def body(self, good: Mapping[str, Any]) -> dict[str, Any]:
        made = copy.deepcopy(dict(good))
        for path, value in {**self.beside, self.at: self.value}.items():
            put(made, path, value if value is MISSING else copy.deepcopy(value))
        return made

    def __str__(self) -> str:
        shown = "missing" if self.value is MISSING else repr(self.value)
        return f"{self.at}={shown[:40]}{'+' if self.beside else ''}{self.on and f'@{self.on}'}"


def put(body: Any, path: str, value: Any) -> None:
    """Set, or remove, the member at a path like items[0].article.name."""
    *way, last = (int(part) if part.isdigit() else part for part in _PART.findall(path))
    for part in way:
        body = body[part] if isinstance(part, int) else body.setdefault(part, {})
    if value is MISSING:
        body.pop(last, None)
    else:
        body[last] = value


def wrong(at: str, words: str, *values: Any, **more: Any) -> list[Bad]:
    """Return a row for each of these values of one member, all with one answer."""
    return [Bad(at, value, words, **more) for value in values]


OBJECT, ARRAY = "must be of type object", "must be an array"
STRING, NUMBER, BOOLEAN = "must be a string", "must be a number", "must be a boolean"
REQUIRED, EMPTY = "is required", "is not allowed to be empty"
DECIMALS, TOO_MUCH = "has too many decimal places", "must be less than or equal to"
NOT_NEGATIVE = "must be greater than or equal to 0"

NO_NUMBERS = ("5", "", True, [5], {"amount": 5})
NO_TEXTS = (5, 1.5, True, ["x"], {"x": "y"})
NO_BOOLEANS: tuple[Any, ...] = ("true", "", 0, 1, [True], {})

PAYMENTS = [
    *wrong("payments", REQUIRED, MISSING, None),
    *wrong("payments", OBJECT, "cash", 200, [], [{"cash": 200}], True),
    *wrong("payments.cash", NUMBER, *NO_NUMBERS),
    Bad("payments.card", "100", NUMBER),
    Bad("payments.cash", -1, NOT_NEGATIVE),
    Bad("payments.other", -0.01, NOT_NEGATIVE),
    Bad("payments.cash", 117.985, DECIMALS),
    *wrong("payments.cash", TOO_MUCH, 1_000_000_000_000, 1e30),
]

NO_PAYMENTS = wrong(
    "payments", "must have at least 1 key", {}, {"gold": 200}, {"cash": None}, {"Cash": 200}
)
"""For operations where something must be paid; names differ by case."""

DELIVERY = [
    *wrong("receiptDelivery", REQUIRED, MISSING, None),
    *wrong("receiptDelivery", OBJECT, "pdf", 1, [], True),
    *wrong("receiptDelivery", "must have at least 1 key", {}, {"pdf": None}, {"fax": True}),
    *[
        row
        for member in ("thermalPrinter", "a4Printer", "pdf", "base64pdf")
        for row in wrong(f"receiptDelivery.{member}", BOOLEAN, *NO_BOOLEANS)
    ],
    *wrong("receiptDelivery.email", STRING, *NO_TEXTS),
    Bad("receiptDelivery.thermalPrinter", True, "is not offered"),
    Bad("receiptDelivery.a4Printer", True, "is not offered"),
]

BUYER = [
    *wrong("buyerId", STRING, *NO_TEXTS),
    Bad("buyerId", "", EMPTY),
    *wrong("buyerId", "is not valid", " ", "123456789", "PIB:123456789"),
    *wrong("buyerId", "code of the codebook", "99:1", ":123456789", "1:123456789", " 10:123456789"),
    *wrong("buyerId", "has a value", "10:", "20:"),
    *wrong("buyerId", "PIB has 9 digits", "10:12345678", "10:1234567890", "14:1"),
    *wrong("buyerId", "PIB has digits only", "10:12345678A", "10:1234 6789"),
    *wrong("buyerId", "JMBG has 13 digits", "11:123456789", "15:12345678901234"),
    *wrong("buyerId", "PIB:JBKJS", "12:123456789", "12:123456789:12345:1"),
    *wrong(
        "buyerId",
        "characters that are not allowed",
        "20:лк",
        "10:١٢٣٤٥٦٧٨٩",
        "30:A\tB",
        "40: 1",
        "40:1 ",
    ),
    Bad("buyerId", "40:" + "1" * 18, "at most 20 characters"),
]

_WITH_BUYER = {"buyerId": "10:123456788"}

CENTRE = [
    *wrong("buyerCostCenterId", STRING, *NO_TEXTS),
    Bad("buyerCostCenterId", "", EMPTY),
    *wrong("buyerCostCenterId", "is not valid", "20", "snpdv", " "),
    *wrong("buyerCostCenterId", "has a value after its code", "10:\u0301", "10:\u200b"),
    *wrong("buyerCostCenterId", "code of the codebook", "99:1", ":1", beside=_WITH_BUYER),
    Bad("buyerCostCenterId", "20:", "has a value", beside=_WITH_BUYER),
    *wrong("buyerCostCenterId", "not allowed", "20:a\nb", "20: a", beside=_WITH_BUYER),
    Bad("buyerCostCenterId", "20:" + "1" * 48, "at most 50 characters", beside=_WITH_BUYER),
    Bad("buyerCostCenterId", "50:1", "paid by voucher alone", beside=_WITH_BUYER),
    *wrong(
        "buyerCostCenterId",
        "a period",
        *("60:x", "60:01012026", "60:01012026_31022026", "60:02012026_01012026"),
        beside=_WITH_BUYER,
    ),
]

CENTRE_OF_NO_REFUND = [
    Bad("buyerCostCenterId", "20:1", "together with a buyer", beside={"buyerId": MISSING}),
    Bad("buyerCostCenterId", "60:01012026_31012026", "only on a refund", beside=_WITH_BUYER),
]

TEXT = [
    *wrong("additionalText", STRING, *NO_TEXTS),
    Bad("additionalText", "а" * 4001, "less than or equal to 4000 characters"),
    *wrong("additionalText", "control characters", "хвала\x07", "\x1b@", "a\x00b", "a\u2028b"),
]

SPECIFICATION = [
    *wrong("advanceSpecification", OBJECT, "Е", 100, [], True),
    *wrong("advanceSpecification.Е", NUMBER, *NO_NUMBERS),
    Bad("advanceSpecification.Е", -1, NOT_NEGATIVE),
    Bad("advanceSpecification.Е", 1.234, DECIMALS),
    Bad("advanceSpecification.Е", 10**12, TOO_MUCH),
    *[
        Bad(f"advanceSpecification.{label}", 100, "is not allowed")
        for label in ("E", "A", "Ж", "10")
    ],
]
"""The unknown labels: Latin look-alikes, one of the sandbox's, and no label."""
