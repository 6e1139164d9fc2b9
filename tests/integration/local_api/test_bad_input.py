"""Members of every operation, wrong in each way: 400 naming it, and nothing is signed.

`tests/unit/wire/test_fiscal.py` has every value that has the wrong shape; here is one of each
rule, and what only the journal can tell. Source: platform-contract.md 3.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.integration.local_api.wronged import Wronged, error_of, fill, wronged
from tests.sweep import each

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


def rows(*told: tuple[Any, ...], **more: Any) -> list[Bad]:
    """Return the rows of tuples: member, words, and its values, each of which is a row. more: what
    all of them have in common."""
    return [Bad(at, value, words, **more) for at, words, *values in told for value in values]


REQUIRED, TOO_MUCH = "is required", "must be less than or equal to"
STRING, NUMBER, BOOLEAN = "must be a string", "must be a number", "must be a boolean"
DECIMALS, NOT_NEGATIVE = "has too many decimal places", "must be greater than or equal to 0"
_HUGE = 999_999_999_999.99

# --- members of several operations ---------------------------------------------------------------

DELIVERY = rows(
    ("receiptDelivery", REQUIRED, MISSING),
    ("receiptDelivery", "must have at least 1 key", {"fax": True}),
    ("receiptDelivery.thermalPrinter", BOOLEAN, "true"),
    ("receiptDelivery.base64pdf", BOOLEAN, "true"),
    ("receiptDelivery.email", STRING, 5),
    ("receiptDelivery.thermalPrinter", "is not offered", True),
    ("receiptDelivery.a4Printer", "is not offered", True),
)
_WITH_BUYER = {"buyerId": "10:123456788"}
COMMON = [
    *DELIVERY,
    *rows(
        ("payments", REQUIRED, MISSING),
        ("payments.card", NUMBER, "100"),
        ("payments.cash", NOT_NEGATIVE, -1),
        ("payments.cash", DECIMALS, 117.985),
        ("payments.cash", TOO_MUCH, 1_000_000_000_000, 1e30),
        ("buyerId", STRING, 5),
        ("buyerId", "code of the codebook", "99:1"),
        ("buyerId", "PIB has 9 digits", "10:12345678"),
        ("buyerCostCenterId", "is not valid", "20"),
        ("buyerCostCenterId", "has a value after its code", "10:\u200b"),
        ("additionalText", "less than or equal to 4000 characters", "а" * 4001),
        ("additionalText", "control characters", "\x1b@"),
    ),
    *rows(
        ("buyerCostCenterId", "code of the codebook", "99:1"),
        ("buyerCostCenterId", "paid by voucher alone", "50:1"),
        ("buyerCostCenterId", "a period", "60:x", "60:01012026_31022026"),
        beside=_WITH_BUYER,
    ),
]
CENTRE_OF_NO_REFUND = [
    Bad("buyerCostCenterId", "20:1", "together with a buyer", beside={"buyerId": MISSING}),
    Bad("buyerCostCenterId", "60:01012026_31012026", "only on a refund", beside=_WITH_BUYER),
]
SOMETHING_PAID = rows(("payments", "must have at least 1 key", {}, {"gold": 200}, {"Cash": 200}))
SPECIFICATION = [
    *rows(("advanceSpecification.Е", NUMBER, "5"), ("advanceSpecification.Е", NOT_NEGATIVE, -1)),
    # Latin look-alikes, one of the sandbox's, and no label
    *[Bad(f"advanceSpecification.{one}", 100, "is not allowed") for one in ("E", "A", "Ж", "10")],
]

# --- issue ---------------------------------------------------------------------------------------

GOOD: dict[str, Any] = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 200},
    "items": [{"sku": 1, "quantity": 2, "unitPrice": 58.99}],
    "receiptDelivery": {"pdf": False},
}
ARTICLE = {"name": "Сто", "taxRateLabel": "Ђ", "unit": "ком", "gtin": "8600000000018"}
_ADVANCE = {"invoiceType": "advance", "payments": {"cash": 100}}
_BY_TRANSFER = _ADVANCE | {"payments": {"wiretransfer": 100}}
_COFFEE = {"sku": 2, "quantity": 1, "unitPrice": 100}
_TWO_LABELS = _ADVANCE | {"items": [*GOOD["items"], _COFFEE]}
_ONE = [{"sku": 1, "quantity": 1, "unitPrice": 58.99}]
_REFUND = _WITH_BUYER | {"transactionType": "refund", "payments": {"card": 58.99}, "items": _ONE}
_ADVANCE_REFUND = _REFUND | {"invoiceType": "advance", "payments": {"card": 10}}
_NUMBER, _TIME = "referentDocumentNumber", "referentDocumentDT"
UNKNOWN, TIME = "ABCD1234-ABCD1234-12", "2026-03-01T10:00:00+01:00"


def of(number: str, beside: Mapping[str, Any] = _REFUND, **members: Any) -> dict[str, Any]:
    """Return what stands beside a reference: a receipt's name in braces stands for its number."""
    return {**beside, _NUMBER: number, **members}


def priced(price: float, **more: Any) -> list[dict[str, Any]]:
    return [{"sku": 1, "quantity": 1, "unitPrice": price, **more}] * 2


ITEMS = [
    *rows(
        ("items", "must contain at least 1 items", []),
        ("items", "less than or equal to 500 items", GOOD["items"] * 501),
        ("items[0]", "must be of type object", None),
        ("items[0].sku", "must be a positive integer", 0, 1.5, 10**16),
        ("items[0].sku", "does not exist", 90, 10**15),
        ("items[0].quantity", "must be greater than 0", 0),
        ("items[0].quantity", DECIMALS, 1.0005),
        ("items[0].quantity", TOO_MUCH, 10**12),
        ("items", "12 digits", [{"sku": 1, "quantity": 10**11, "unitPrice": 10**11}]),
        ("items[0].unitPrice", NOT_NEGATIVE, -0.01),
        ("items[0].unitPrice", TOO_MUCH, 10**12),
        ("items[0].totalAmount", NOT_NEGATIVE, -1),
        ("items[0].totalAmount", DECIMALS, 117.985),
    ),
    Bad("items", priced(9 * 10**11), "12 digits", beside={"discount": 100}),
    Bad(  # the sum that they save is too large
        "items", priced(_HUGE, totalAmount=100), "12 digits", beside={"payments": {"card": 200}}
    ),
    *rows(
        ("items[0].article.name", "empty", "\u200b"),
        ("items[0].article.taxRateLabel", "must be one of [Ђ, Е, Г, А]", "E"),
        beside={"items[0].article": ARTICLE},
    ),
]

ISSUE = [
    *COMMON,
    *SOMETHING_PAID,
    *CENTRE_OF_NO_REFUND,
    *SPECIFICATION,
    *ITEMS,
    *rows(
        ("invoiceType", "must be one of [normal, advance, proforma, training]", "copy"),
        ("transactionType", "must be one of [sale, refund]", "SALE"),
        ("payments", "must cover the total", {"cash": 100}, {"cash": 0, "card": 117.97}),
        ("payments", "by other methods than cash", {"card": 200}, {"card": 150, "cash": 10}),
        ("payments", "payments", dict.fromkeys(("cash", "card", "voucher"), _HUGE)),
        ("totalAmount", "differs from the sum of the items 117.98", 117.97, 200, 0),
        (
            "discount",
            "greater than or equal to 0 and less than or equal to 100",
            -5,
            100.01,
            10**20,
        ),
        ("discount", DECIMALS, 1.23456),
        (_TIME, f'allowed only with "{_NUMBER}"', TIME),
        (_NUMBER, "of another kind", "{sale}", "{training}", "{copy}", "{refund}", "{advance}"),
        (_NUMBER, "operation on that advance", "{closed_refund}"),
        ("posTime", "ISO 8601", "yesterday", "9999-12-31T23:30:00Z"),
        ("posTime", "only on an advance", TIME),
        ("unknownAmountAdvance", BOOLEAN, 1),
        ("advanceSpecification", "on an advance only", {"Е": 117.98}, {"Ђ": 1}),
    ),
    Bad("totalAmount", 117.98, "differs from the sum", beside={"discount": 10}),
    *rows(
        ("items[0].article", "must cover what is given away", ARTICLE | {"name": "00: узорак"}),
        ("items[0].article", "must cover what is given away", ARTICLE | {"name": " 00: узорак"}),
        key="payments.other",
    ),
    # references
    *rows(
        (_NUMBER, "is not valid", "12", "ABCD1234-ABCD1234-012"),
        (_NUMBER, "is required on a refund", MISSING),
        (_NUMBER, "of another kind", "{advance}", "{proforma}", "{training}", "{copy}", "{refund}"),
        (_NUMBER, "is refunded already", "{returned}"),
        beside=_REFUND,
    ),
    Bad(_NUMBER, UNKNOWN, "is not in this journal", key=_TIME, beside=_REFUND),
    *rows(
        (_TIME, "ISO 8601", "yesterday", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59+14:00"),
        (_TIME, "must not be in the future", "2999-01-01T10:00:00", "{tomorrow}"),
        (_TIME, "before e-fiscalization began, 2021-11-01", "0001-01-05T00:00:00Z"),
        (_TIME, "before e-fiscalization began, 2021-11-01", "2021-10-31T23:59:59.999+01:00"),
        beside=of(UNKNOWN),
    ),
    *rows(
        (_TIME, "before VAT began, 2005-01-01", "2004-12-31T23:59:59"),
        beside=of("XXXXXXXX-XXXXXXXX-1234"),
    ),
    *[
        Bad(_TIME, "2999-01-01T10:00:00", "must not be in the future", beside=of(UNKNOWN, beside))
        for beside in (_ADVANCE_REFUND, {})
    ],
    Bad(
        _NUMBER,
        UNKNOWN,
        "is not allowed on a proforma sale: by law only its refund refers",
        beside={"invoiceType": "proforma"},
    ),
    Bad(_NUMBER, UNKNOWN, "is not allowed on a training sale", beside={"invoiceType": "training"}),
    *rows(
        (_NUMBER, "of another kind", "{sale}", "{closing}"),
        (_NUMBER, "is closed", "{closed}"),
        beside=_REFUND | _ADVANCE,
    ),
    *rows(
        (_NUMBER, "this advance sale may refer to: advance sale", "{sale}"),
        (_NUMBER, "operation on that advance", "{advance}"),
        beside=_ADVANCE,
    ),
    # refunds
    *rows(
        ("buyerId", "is required on a refund", MISSING),
        (_TIME, "not the time of that receipt", TIME),
        ("items[0].sku", "is not on the receipt", 90),
        ("items[0].quantity", "can still be refunded: 3", 4),
        ("payments", "exactly what is refunded", {"card": 58.98}, {"card": 59}, {"cash": 100}),
        ("totalAmount", "what is refunded", 58.98),
        ("items[0].totalAmount", "what is refunded is 58.99", 0, 117.98),
        ("discount", "what is refunded", 0.1, 100),
        beside=of("{sale}"),
    ),
    Bad("items[0].sku", 2, "is not on the receipt", beside=of("{plain}")),
    Bad("items[0].quantity", 2, "can still be refunded: 1", beside=of("{partly}")),
    *[
        Bad(
            "items[0].article.taxRateLabel",
            "Ђ",
            words,
            beside=beside | {"items[0].article": ARTICLE},
        )
        for words, beside in (
            ("is not that of the receipt: Е", of("{sale}")),
            ("is none of this advance: Е", of("{advance}", _ADVANCE_REFUND)),
        )
    ],
    *rows(
        ("payments", "must cover", {"card": 58}),
        ("payments", "exactly", {"cash": 59}),
        beside={**of(UNKNOWN), _TIME: TIME},
    ),
    Bad("payments", {"card": 101}, "exceed", beside=of("{advance}", _REFUND | _ADVANCE)),
    # advances
    *rows(("posTime", "only on an advance", TIME), beside={"payments": {"wiretransfer": 117.98}}),
    Bad("posTime", TIME, "only on an advance", beside={"invoiceType": "training"}),
    *rows(
        ("posTime", "of an earlier day", "2999-01-01T10:00:00", "{today}", "{tomorrow}"),
        ("posTime", "before e-fiscalization began, 2021-11-01", "0001-01-05T00:00:00Z"),
        ("posTime", "before e-fiscalization began, 2021-11-01", "2021-10-31T23:59:59+01:00"),
        beside=_BY_TRANSFER,
    ),
    *[
        Bad("unknownAmountAdvance", True, "on an advance only", beside={"invoiceType": kind})
        for kind in ("normal", "proforma")
    ],
    *rows(
        ("unknownAmountAdvance", "is required when", True),
        key="advanceSpecification",
        beside=_TWO_LABELS,
    ),
    *rows(
        ("advanceSpecification", "must add up to the payments 100.00", {"Е": 99.99}),
        ("advanceSpecification", "must add up to the payments 100.00", {"Е": 100, "Ђ": 1}),
        ("advanceSpecification", "must add up to the payments 100.00", {"Е": 50, "Ђ": 49.99}),
        ("advanceSpecification.Г", "a label that no item has", 100),
        beside=_TWO_LABELS,
    ),
    *rows(
        ("advanceSpecification.Ђ", "exceeds what is left of it: 100.00", 100.01),
        beside=_TWO_LABELS | {"payments": {"cash": 100.01}},
    ),
    *rows(
        ("posTime", "paid by wire transfer", TIME),
        ("payments", "exceed its final amount 117.98", {"cash": 117.99}),
        ("payments", "must be greater than 0", {"cash": 0}, {"card": 0, "cash": 0}),
        beside=_ADVANCE,
    ),
    *rows(
        ("payments", "exceed its final amount 0.00", {"cash": 10}),
        beside=_ADVANCE | {"items": priced(0)},
    ),
]

# --- a further payment on an advance of 589.90 (Е), of which 100.00 is paid ----------------------

DELIVERED = {"receiptDelivery": {"pdf": False}}
PAYMENT: dict[str, Any] = {"payments": {"cash": 50}, **DELIVERED}

ADVANCE = [
    *COMMON,
    *SOMETHING_PAID,
    *CENTRE_OF_NO_REFUND,
    *SPECIFICATION,
    *rows(
        ("payments", "must be greater than 0", {"cash": 0}, {"card": 0, "other": 0}),
        ("payments", "exceed what remains of the advance: 489.90", {"cash": 489.91}),
        ("payments", "payments", dict.fromkeys(("cash", "card"), _HUGE)),
        ("posTime", "ISO 8601", "yesterday"),
        ("posTime", "paid by wire transfer", TIME),
        ("advanceSpecification", "must add up to the payments", {"Е": 49.99}, {"Е": 50.01}),
        ("advanceSpecification.Г", "a label that no item has", 50),
    ),
    *rows(
        ("posTime", "of an earlier day", "2999-01-01T10:00:00", "{today}", "{tomorrow}"),
        ("posTime", "before e-fiscalization began", "2020-06-01T10:00:00"),
        beside={"payments": {"wiretransfer": 50}},
    ),
    *rows(
        ("advanceSpecification", "exceeds what is left of it: 47.37", {"Ђ": 60}),
        key="advanceSpecification.Ђ",
        beside={"payments": {"cash": 60}},
        on="two_labels",
    ),
    Bad("payments", {"card": 41}, "is paid by", on="gift_in_advance"),
    *rows(
        ("advanceSpecification", "is required when", MISSING),
        ("advanceSpecification", "add up", {"Е": 20, "Ђ": 20}),
        on="unknown_two_labels",
    ),
]

# --- closing an advance of unknown amount, of which Е 60.00 and Ђ 40.00 are paid -----------------

CLOSING: dict[str, Any] = {
    "payments": {"card": 117.98},
    "items": [*GOOD["items"], _COFFEE],
    **DELIVERED,
}
_ALL = {"items": MISSING}
_REMAINS = "must be what remains after the advances: 117.98"

CLOSE = [
    *COMMON,
    *CENTRE_OF_NO_REFUND,
    *ITEMS,
    *rows(
        ("items", "it has several items", MISSING, None),
        ("items", "is paid in advance, more than", _ONE),
        ("payments", _REMAINS, {}, {"cash": 100}, {"card": 118}, {"card": 100, "voucher": 18}),
    ),
    Bad("items", GOOD["items"], "is not allowed: the final amount", on="advance"),
    *rows(
        ("payments", "must cover what is given away: 300.00", {"cash": 340}),
        ("payments", "must cover what is given away: 300.00", {"other": 299, "card": 41}),
        key="payments.other",
        beside=_ALL,
        on="gift_in_advance",
    ),
]

# --- refund of a sale: 3 of article 1 at 58.99 (Е) and 1 of article 2 at 100.00 (Ђ) --------------

REFUNDING: dict[str, Any] = {
    "buyerId": "10:123456788",
    "payments": {"card": 58.99},
    "items": [{"sku": 1, "quantity": 1}],
    **DELIVERED,
}
_OF_ADVANCE = {"items": MISSING, "payments": {"card": 50}}
_EXACTLY, _ON_A_CARD = "must be exactly what is refunded: ", "276.97 was paid by a corporate card"

REFUND = [
    *COMMON,
    *SPECIFICATION,
    *rows(
        ("buyerId", REQUIRED, MISSING),
        ("items", "must contain at least 1 items", []),
        ("items[0].sku", REQUIRED, MISSING),
        ("items[0].sku", "is not on the receipt", 90, 10**15),
        ("items[0].line", "must be the place of a line", -1, 0.5, 500),
        ("items[0].line", "is not on the receipt", 2),
        ("items[0].quantity", DECIMALS, 1.0005),
        ("items[0].quantity", "what can still be refunded: 3", 3.001, 4, 1000),
        ("payments", _EXACTLY + "58.99", {}, {"gold": 58.99}, {"card": 58.98}, {"cash": 59}),
        ("advanceSpecification", "refund of an advance only", {"Е": 58.99}, {"Ђ": 1}),
    ),
    Bad("items[0].line", 1, "1 is not the article of line 1", key="items[0].sku"),
    Bad("items[0].quantity", 2, "what can still be refunded: 1", on="partly"),
    *[
        Bad("items", [first, {"sku": 1, "quantity": more}], words, key="items[1].quantity")
        for first, more, words in (
            ({"sku": 1, "quantity": 2}, 2, "what can still be refunded: 1"),
            ({"line": 0, "quantity": 3}, 1, "what can still be refunded: 0"),
        )
    ],
    Bad("payments", {"card": 58.99}, _EXACTLY + "276.97", beside=_ALL),
    Bad("payments", {"card": 176.97}, _EXACTLY + "58.99", beside=_ALL, on="partly"),
    *rows(
        ("payments", "must cover what is given away: 300.00", {"cash": 400}, {"card": 400}),
        ("payments", "must cover what is given away: 300.00", {"other": 299, "cash": 101}),
        key="payments.other",
        beside=_ALL,
        on="gift",
    ),
    *rows(
        ("payments", "must cover what is given away: 0.01", {"cash": 60.01}),
        ("payments", "must cover what is given away: 0.01", {"card": 60, "voucher": 0.01}),
        key="payments.other",
        beside=_ALL,
        on="gift_paid_in_advance",
    ),
    *rows(
        ("payments", _ON_A_CARD, {"cash": 58.99}, {"card": 58.99}, {"voucher": 58, "cash": 0.99}),
        on="on_card",
    ),
    Bad("items", REFUNDING["items"], "not allowed on the refund of an advance", on="advance"),
    *rows(
        ("payments", "must be greater than 0", {}, {"card": 0}),
        ("payments", "exceed what is paid in advance: 100.00", {"card": 100.01}),
        ("advanceSpecification", "must add up to the payments", {"Е": 49}),
        ("advanceSpecification.Ђ", "a label that no item has", 50),
        beside=_OF_ADVANCE,
        on="advance",
    ),
    *rows(
        ("advanceSpecification.Ђ", "exceeds what is left of it: 40.00", 50),
        ("advanceSpecification", "is required when", MISSING),
        beside=_OF_ADVANCE,
        on="unknown_two_labels",
    ),
]

# --- operations on receipts of another kind ------------------------------------------------------

_IS_COPY, _IS_REFUND = "is a copy", "is a refund"
_NOT_OPEN = {
    **dict.fromkeys(
        ("sale", "refund", "proforma", "training", "closing", "copy", "copy_of_refund"),
        "is not an advance",
    ),
    **dict.fromkeys(("closed", "closed_refund"), "is closed already"),
    "given_back": "nothing of it is left",
    "foreign_refund": "belongs to an advance that began elsewhere",
}
WRONG_KIND = {
    "advance": _NOT_OPEN,
    "close": _NOT_OPEN,
    "copy": dict.fromkeys(("copy", "copy_of_refund"), _IS_COPY),
    "refund": {
        **dict.fromkeys(("refund", "closed_refund", "foreign_refund"), _IS_REFUND),
        **dict.fromkeys(("copy", "copy_of_refund"), _IS_COPY),
        "closed": "refund the sale of its closing",
        **dict.fromkeys(("returned", "given_back"), "nothing of it is left"),
    },
}
"""Operation -> receipt -> the reason for the refusal; each is a fault of the path's `Id`."""

OPERATIONS: dict[str, tuple[dict[str, Any], str, list[Bad]]] = {
    "issue": (GOOD, "", ISSUE),
    "advance": (PAYMENT, "advance", ADVANCE),
    "close": (CLOSING, "unknown_two_labels", CLOSE),
    "copy": (DELIVERED, "sale", DELIVERY),
    "refund": (REFUNDING, "sale", REFUND),
}
"""Operation -> good body, the receipt that it suits, the faults to try."""
ON_A_RECEIPT = [operation for operation in OPERATIONS if operation != "issue"]


# --- what is told of each ------------------------------------------------------------------------

ROWS = [(name, row) for name, (_, _, rows) in OPERATIONS.items() for row in rows]
KINDS = [
    (operation, receipt, words)
    for operation, receipts in WRONG_KIND.items()
    for receipt, words in receipts.items()
]
JSON = {"Content-Type": "application/json"}
NO_OBJECT = '"value" must be of type object'
BODIES: list[tuple[bytes, dict[str, str], int, str, list[str] | None]] = [
    *[(body, JSON, 40090001, NO_OBJECT, None) for body in (b"[]", b'"text"', b"null", b"[{}]")],
    (b"", JSON, 40090003, "malformed", []),
    (b"{", JSON, 40090003, "malformed", []),
    (b'{"a": 1} {"b": 2}', JSON, 40090003, "", []),
    (b'{"payments": {"cash": 1, "cash": 2}}', JSON, 40090003, "said twice", []),
    (b'{"items": NaN}', JSON, 40090003, "NaN", []),
    (b"[" * 40 + b"]" * 40, JSON, 40090003, "within one another", []),
    (b"\xef\xbb\xbf{}", JSON, 40090003, "byte order mark", []),
    (b"\xff", JSON, 40090003, "UTF-8", []),
    (b'{"a": "\\ud800"}', JSON, 40090003, "", []),
    (b'{"a": 1e999}', JSON, 40090001, "too large", ["a"]),
    (b'{"a": ' + b"1" * 65 + b"}", JSON, 40090001, "", ["a"]),
    (b'{"items": [{"quantity": 1}, {"quantity": 1e-999}]}', JSON, 40090001, "", [
        "items[1].quantity"
    ]),
    (b"{}", {}, 40090003, "Content-Type", ["Content-Type"]),
    (b"{}", {"Content-Type": "application/xml"}, 40090003, "Content-Type", ["Content-Type"]),
]  # fmt: skip
"""Body and headers -> code, words and the members that are named, or None for any."""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wronged]:
    with wronged(tmp_path_factory.mktemp("shop")) as made:
        fill(made)
        yield made


def filled_in(value: Any, shop: Wronged) -> Any:
    """Return the body with numbers and days in place of the names in braces."""
    if isinstance(value, dict):
        return {name: filled_in(member, shop) for name, member in value.items()}
    if isinstance(value, list):
        return [filled_in(member, shop) for member in value]
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    now = datetime.now(UTC)
    days = {"today": now, "tomorrow": now + timedelta(days=1)}
    name = value.strip("{}")
    return days[name].isoformat() if name in days else shop.receipts[name]["invoiceNumber"]


@each(("operation", "row"), ROWS)
def test_a_wrong_member_is_named(shop: Wronged, operation: str, row: Bad) -> None:
    good, receipt, _ = OPERATIONS[operation]
    answer = shop.send(operation, filled_in(row.body(good), shop), on=row.on or receipt)
    body = error_of(answer)
    assert (answer.status_code, body["code"], body["class"]) == (400, 40090001, "fix"), body
    assert body["name"] == "ValidationError"
    told = body["validation"]["body"]
    assert set(body["validation"]) == {"body"}
    assert told["source"] == "body"
    assert told["message"] == body["message"]
    assert row.named in told["keys"]
    assert row.words in body["message"]
    assert "receiptId" not in body
    assert shop.is_untouched()


@each(("operation", "receipt", "words"), KINDS)
def test_an_operation_on_a_receipt_of_another_kind(
    shop: Wronged, operation: str, receipt: str, words: str
) -> None:
    answer = shop.send(operation, OPERATIONS[operation][0], on=receipt)
    body = error_of(answer)
    assert (answer.status_code, body["code"], body["class"]) == (400, 40090001, "fix")
    assert words in body["message"]
    assert body["validation"] == {
        "params": {"source": "params", "keys": ["Id"], "message": body["message"]}
    }
    assert shop.is_untouched()


@each("operation", OPERATIONS)
@each(("body", "headers", "code", "words", "keys"), BODIES)
def test_a_body_that_is_none(
    shop: Wronged,
    operation: str,
    body: bytes,
    headers: dict[str, str],
    code: int,
    words: str,
    keys: list[str] | None,
) -> None:
    receipt = OPERATIONS[operation][1]
    path = "/fiscalization/receipts"
    if receipt:
        path += f"/{shop.receipts[receipt]['invoiceNumber']}/{operation}"
    answer = shop.ask("POST", path, content=body, headers=headers)
    told = error_of(answer)
    assert (answer.status_code, told["code"]) == (400, code)
    assert words in told["message"]
    named = [one for part in told["validation"].values() for one in part["keys"]]
    assert keys is None or named == keys
    assert shop.is_untouched()


@each("operation", OPERATIONS)
@each("key", ["", "short", "x" * 65, "with blanks in between", "а" * 16])
def test_a_bad_key_is_named(shop: Wronged, operation: str, key: str) -> None:
    good, receipt, _ = OPERATIONS[operation]
    headers = [(b"Idempotency-Key", key.encode())]
    answer = shop.send(operation, good, on=receipt, headers=headers)
    told = error_of(answer)
    assert (answer.status_code, told["code"]) == (400, 40090001)
    assert told["validation"]["headers"]["keys"] == ["Idempotency-Key"]
    assert shop.is_untouched()


@each("operation", OPERATIONS)
def test_several_faults_are_all_named(shop: Wronged, operation: str) -> None:
    good, receipt, _ = OPERATIONS[operation]
    answer = shop.send(operation, good | {"receiptDelivery": {"pdf": 1, "email": 5}}, on=receipt)
    keys = error_of(answer)["validation"]["body"]["keys"]
    assert keys == ["receiptDelivery.email", "receiptDelivery.pdf"]


STRANGE = {
    "storeId": 5,
    "clientId": "none",
    "cashierId": [],
    "note": {"deep": [1, {"er": None}]},
    "Payments": {"cash": "x"},
}


def test_unknown_members_are_ignored_and_the_good_bodies_are_good(folder: Path) -> None:
    """Otherwise a table of refusals would pass at a server that never signs."""
    with wronged(folder) as shop:
        fill(shop)
        for operation, (good, receipt, _) in OPERATIONS.items():
            items = [item | {"taxRateLabel": "Е", "vat": None} for item in good.get("items", ())]
            before = len(shop.entries())
            body = good | STRANGE | ({"items": items} if items else {})
            answer = shop.send(operation, body, on=receipt)
            assert answer.status_code == 200, (operation, answer.text)
            assert len(shop.entries()) > before
