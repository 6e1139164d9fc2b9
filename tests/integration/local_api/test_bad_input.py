"""Members of every operation, wrong in each way: 400 naming it, and nothing is signed.

`tests/unit/wire/test_fiscal.py` has every value that has the wrong shape, and
`tests/unit/fiscalization/plans/` every contradiction; here is one of each rule, and what only the
journal can tell. Source: platform-contract.md 3.
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

from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.wronged import Wronged, error_of, fill, wronged
from tests.sweep import each

MISSING = object()
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
        ("payments.cash", DECIMALS, 117.985),
        ("payments.cash", TOO_MUCH, 1e30),
        ("buyerId", "PIB has 9 digits", "10:12345678"),
        ("buyerCostCenterId", "has a value after its code", "10:\u200b"),
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
SOMETHING_PAID = rows(("payments", "must have at least 1 key", {"Cash": 200}))
SPECIFICATION = [
    Bad("advanceSpecification.Е", "5", NUMBER),
    # a Latin look-alike, one of the sandbox's, and no label
    *[Bad(f"advanceSpecification.{one}", 100, "is not allowed") for one in ("E", "Ж", "10")],
]

# --- issue ---------------------------------------------------------------------------------------
GOOD = SALE
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
        ("items", "less than or equal to 500 items", GOOD["items"] * 501),
        ("items[0].sku", "must be a positive integer", 10**16),
        ("items[0].sku", "does not exist", 90, 10**16 - 1),
        ("items[0].quantity", DECIMALS, 1.0005),
        ("items", "12 digits", [{"sku": 1, "quantity": 10**11, "unitPrice": 10**11}]),
        ("items[0].unitPrice", TOO_MUCH, 10**12),
        ("items[0].totalAmount", NOT_NEGATIVE, -1),
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
        ("payments", "must cover the total", {"cash": 0, "card": 117.97}),
        ("payments", "by other methods than cash", {"card": 150, "cash": 10}),
        ("payments", "payments", dict.fromkeys(("cash", "card", "voucher"), _HUGE)),
        ("totalAmount", "differs from the sum of the items 117.98", 117.97),
        ("discount", "greater than or equal to 0 and less than or equal to 100", 10**20),
        (_NUMBER, "of another kind", "{copy}"),
        (_NUMBER, "operation on that advance", "{closed_refund}"),
        ("posTime", "ISO 8601", "9999-12-31T23:30:00Z"),
        ("posTime", "only on an advance", TIME),
    ),
    *rows(
        ("items[0].article", "must cover what is given away", ARTICLE | {"name": " 00: узорак"}),
        key="payments.other",
    ),
    # references
    *rows(
        (_NUMBER, "of another kind", "{advance}"),
        (_NUMBER, "is refunded already", "{returned}"),
        beside=_REFUND,
    ),
    Bad(_NUMBER, UNKNOWN, "is not in this journal", key=_TIME, beside=_REFUND),
    *rows(
        (_TIME, "ISO 8601", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59+14:00"),
        (_TIME, "must not be in the future", "{tomorrow}"),
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
    Bad(_NUMBER, "{closed}", "is closed", beside=_REFUND | _ADVANCE),
    Bad(_NUMBER, "{advance}", "operation on that advance", beside=_ADVANCE),
    # refunds
    *rows(
        (_TIME, "not the time of that receipt", TIME),
        ("items[0].quantity", "can still be refunded: 3", 4),
        ("payments", "exactly what is refunded", {"card": 58.98}),
        beside=of("{sale}"),
    ),
    Bad("payments", {"card": 101}, "exceed", beside=of("{advance}", _REFUND | _ADVANCE)),
    # advances
    *rows(
        ("posTime", "of an earlier day", "{today}", "{tomorrow}"),
        ("posTime", "before e-fiscalization began, 2021-11-01", "2021-10-31T23:59:59+01:00"),
        beside=_BY_TRANSFER,
    ),
    *rows(
        ("unknownAmountAdvance", "is required when", True),
        key="advanceSpecification",
        beside=_TWO_LABELS,
    ),
    *rows(
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
        ("payments", "must be greater than 0", {"card": 0, "cash": 0}),
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
        ("payments", "exceed what remains of the advance: 489.90", {"cash": 489.91}),
        ("payments", "payments", dict.fromkeys(("cash", "card"), _HUGE)),
        ("posTime", "ISO 8601", "yesterday"),
        ("advanceSpecification", "must add up to the payments", {"Е": 50.01}),
    ),
    *rows(
        ("posTime", "before e-fiscalization began", "2020-06-01T10:00:00"),
        beside={"payments": {"wiretransfer": 50}},
    ),
    Bad("payments", {"card": 41}, "is paid by", on="gift_in_advance"),
    Bad("advanceSpecification", MISSING, "is required when", on="unknown_two_labels"),
]

# --- closing an advance of unknown amount, of which Е 60.00 and Ђ 40.00 are paid -----------------
CLOSING: dict[str, Any] = {
    "payments": {"card": 117.98},
    "items": [*GOOD["items"], _COFFEE],
    **DELIVERED,
}
_ALL = {"items": MISSING}

CLOSE = [
    *COMMON,
    *CENTRE_OF_NO_REFUND,
    *ITEMS,
    *rows(
        ("items", "it has several items", MISSING, None),
        ("items", "is paid in advance, more than", _ONE),
        ("payments", "must be what remains after the advances: 117.98", {"card": 118}),
    ),
    Bad("items", GOOD["items"], "is not allowed: the final amount", on="advance"),
    *rows(
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
_EXACTLY = "must be exactly what is refunded: "

REFUND = [
    *COMMON,
    *SPECIFICATION,
    *rows(
        ("buyerId", REQUIRED, MISSING),
        ("items", "must contain at least 1 items", []),
        ("items[0].sku", REQUIRED, MISSING),
        ("items[0].sku", "is not on the receipt", 10**16 - 1),
        ("items[0].line", "must be the place of a line", -1, 0.5, 500),
        ("items[0].line", "is not on the receipt", 2),
        ("items[0].quantity", DECIMALS, 1.0005),
        ("items[0].quantity", "what can still be refunded: 3", 3.001),
        ("payments", _EXACTLY + "58.99", {}, {"gold": 58.99}),
    ),
    Bad("payments", {"card": 58.99}, _EXACTLY + "276.97", beside=_ALL),
    *rows(
        ("payments", "must cover what is given away: 0.01", {"card": 60, "voucher": 0.01}),
        key="payments.other",
        beside=_ALL,
        on="gift_paid_in_advance",
    ),
    Bad("payments", {"card": 58.99}, "276.97 was paid by a corporate card", on="on_card"),
    Bad("items", REFUNDING["items"], "not allowed on the refund of an advance", on="advance"),
    *rows(
        ("payments", "must be greater than 0", {}, {"card": 0}),
        ("payments", "exceed what is paid in advance: 100.00", {"card": 100.01}),
        beside={"items": MISSING, "payments": {"card": 50}},
        on="advance",
    ),
]

# --- operations on receipts of another kind ------------------------------------------------------
KINDS = [
    ("advance", "training", "is not an advance"),
    ("advance", "closed", "is closed already"),
    ("close", "given_back", "nothing of it is left"),
    ("close", "foreign_refund", "belongs to an advance that began elsewhere"),
    ("copy", "copy_of_refund", "is a copy"),
    ("refund", "closed_refund", "is a refund"),
    ("refund", "closed", "refund the sale of its closing"),
]
"""Operation, receipt and the reason for the refusal: some of those of
`tests/unit/fiscalization/plans/test_legal_life.py`. Each is a fault of the path's `Id`."""

OPERATIONS: dict[str, tuple[dict[str, Any], str, list[Bad]]] = {
    "issue": (GOOD, "", ISSUE),
    "advance": (PAYMENT, "advance", ADVANCE),
    "close": (CLOSING, "unknown_two_labels", CLOSE),
    "copy": (DELIVERED, "sale", DELIVERY),
    "refund": (REFUNDING, "sale", REFUND),
}
ON_A_RECEIPT = [operation for operation in OPERATIONS if operation != "issue"]


# --- what is told of each ------------------------------------------------------------------------
ROWS = [(name, row) for name, (_, _, rows) in OPERATIONS.items() for row in rows]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wronged]:
    with wronged(tmp_path_factory.mktemp("shop")) as made:
        fill(made)
        yield made


def filled_in(value: Any, shop: Wronged) -> Any:
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
def test_a_receipt_of_another_kind(shop: Wronged, operation: str, receipt: str, words: str) -> None:
    answer = shop.send(operation, OPERATIONS[operation][0], on=receipt)
    body = error_of(answer)
    assert (answer.status_code, body["code"], body["class"]) == (400, 40090001, "fix")
    assert words in body["message"]
    assert body["validation"] == {
        "params": {"source": "params", "keys": ["Id"], "message": body["message"]}
    }
    assert shop.is_untouched()


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
