"""The issue request: every field, its values, and the name of a bad one in the fault."""

from __future__ import annotations

import copy
import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity, UnitPrice
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import (
    FrozenArticle,
    InvoiceType,
    ReceiptDelivery,
    TransactionType,
)
from pos_app.errors import Invalid
from pos_app.wire.fiscal import issue_request_from_json, issue_request_to_json
from pos_app.wire.strict_json import loads
from tests.sweep import each

ARTICLE = {"name": "Хлеб", "taxRateLabel": "Е", "unit": "ком", "gtin": "8600000000018"}
LEAST: dict[str, Any] = {
    "invoiceType": "normal", "transactionType": "sale", "payments": {"cash": 100},
    "items": [{"sku": 1, "quantity": 1, "unitPrice": 100}],
    "receiptDelivery": {"pdf": False},
}  # fmt: skip
FULL: dict[str, Any] = LEAST | {
    "buyerId": "10:123456788",
    "buyerCostCenterId": "50:123",
    "payments": {"cash": 50, "voucher": "50.25"},
    "referentDocumentNumber": "ABCD1234-ABCD1234-17",
    "referentDocumentDT": "2026-11-20T10:00:00+01:00",
    "posTime": "2026-11-19T10:00:00",
    "items": [
        {"sku": 7, "quantity": "1.560", "unitPrice": "189.99", "totalAmount": "296.38"},
        {"quantity": 1, "unitPrice": 0, "article": ARTICLE},
    ],
    "unknownAmountAdvance": True,
    "advanceSpecification": {"Ђ": 10, "Е": "0.5", "Г": 0},
    "discount": "12.5",
    "additionalText": "Хвала на поверењу",
    "receiptDelivery": {
        "thermalPrinter": True,
        "a4Printer": False,
        "email": "mika@example.rs",
        "pdf": True,
        "base64pdf": False,
    },
    "totalAmount": "296.38",
    "storeId": "ignored",
    "clientId": "ignored",
}
MISSING = object()


def document(body: Any) -> Any:
    """A body as it is received: texts that are numbers in FULL become JSON numbers."""
    return loads(json.dumps(body, ensure_ascii=False))


def numbers(value: Any) -> Any:
    """The value with JSON numbers for the decimals that FULL writes as texts."""
    if isinstance(value, dict):
        return {name: numbers(item) for name, item in value.items()}
    if isinstance(value, list):
        return [numbers(item) for item in value]
    if isinstance(value, str) and value.replace(".", "", 1).isdigit() and "." in value:
        return Decimal(value)
    return value


def changed(path: str, value: Any) -> Any:
    """The full body with another value at `path`, or without it."""
    body = copy.deepcopy(numbers(FULL))
    *way, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    holder: Any = body
    for part in way:
        holder = holder[part]
    if value is MISSING:
        del holder[last]
    else:
        holder[last] = value
    return body


def told(path: str) -> str:
    """The name of items/0/sku in an answer: items[0].sku."""
    name = ""
    for part in path.split("/"):
        name += f"[{part}]" if part.isdigit() else f".{part}" if name else part
    return name


REQUIRED, TEXT, NUMBER, BOOLEAN = (
    "is required", "must be a string", "must be a number", "must be a boolean",
)  # fmt: skip
OBJECT, ARRAY, EMPTY = "must be of type object", "must be an array", "is not allowed to be empty"
LARGE, DECIMALS = "must be less than or equal to 999999999999.99", "has too many decimal places"
NEGATIVE, ABOVE_ZERO = "must be greater than or equal to 0", "must be greater than 0"
HUGE = Decimal(1000000000000)

NUMBER_FAULTS: list[tuple[Any, str]] = [("1", NUMBER), (True, NUMBER), ([], NUMBER), ({}, NUMBER)]
TEXT_FAULTS: list[tuple[Any, str]] = [(5, TEXT), (True, TEXT), ([], TEXT), ({}, TEXT)]
DATE = "must be a valid ISO 8601 date and time"

FAULTS: dict[str, list[tuple[Any, str]]] = {
    "invoiceType": [(MISSING, REQUIRED), (None, REQUIRED), *TEXT_FAULTS, ("", EMPTY),
     ("copy", "must be one of [normal, advance, proforma, training]"),
     ("Normal", "must be one of [normal, advance, proforma, training]")],
    "transactionType": [(MISSING, REQUIRED), (None, REQUIRED), *TEXT_FAULTS, ("", EMPTY),
     ("Sale", "must be one of [sale, refund]")],
    "buyerId": [*TEXT_FAULTS, ("", EMPTY), ("123456788", "code"), ("99:123456788", "codebook"),
     ("10:", "value"), ("10:12345678", "9 digits"), ("10:12345678x", "digits only"),
     ("40:" + "x" * 18, "at most 20"), ("40:a\u0007b", "characters")],
    "buyerCostCenterId": [*TEXT_FAULTS, ("", EMPTY), ("50", "code"), ("99:1", "codebook"),
     ("50:", "value"), ("50:" + "x" * 48, "at most 50"), ("60:01012026", "ddmmyyyy")],
    "payments": [(MISSING, REQUIRED), (None, REQUIRED), ([], OBJECT), ("cash", OBJECT),
     (5, OBJECT), ({}, "must have at least 1 key"), ({"gold": 5}, "must have at least 1 key")],
    "payments/cash": [*NUMBER_FAULTS, (-1, NEGATIVE), (Decimal("0.001"), DECIMALS), (HUGE, LARGE),
     (Decimal("1e30"), LARGE)],
    "payments/voucher": [("1", NUMBER), (Decimal("-0.01"), NEGATIVE)],
    "referentDocumentNumber": [*TEXT_FAULTS, ("", EMPTY), ("ABCD1234-17", "two groups"),
     ("ABCD1234-ABCD1234-", "two groups"), ("ABCD1234-ABCD1234-017", "never begins with 0"),
     ("ABCD1234-ABCD1234-" + "1" * 33, "at most 50")],
    "referentDocumentDT": [*TEXT_FAULTS, ("", EMPTY), ("yesterday", DATE),
     ("2026-02-30T10:00:00", DATE), ("0001-01-01T00:00:00+14:00", DATE)],
    "posTime": [*TEXT_FAULTS, ("", EMPTY), ("20.11.2026. 10:00", DATE)],
    "items": [(MISSING, REQUIRED), (None, REQUIRED), ([], "must contain at least 1 items"),
     ({}, ARRAY), ("x", ARRAY),
     ([{"sku": 1, "quantity": 1, "unitPrice": 1}] * 501, "less than or equal to 500 items")],
    "items/0": [(5, OBJECT), (None, OBJECT), ([], OBJECT), ("x", OBJECT)],
    "items/0/sku": [(MISSING, REQUIRED), (None, REQUIRED), *NUMBER_FAULTS,
     (0, "must be a positive integer"), (-1, "must be a positive integer"),
     (Decimal("1.5"), "must be a positive integer"), (10**16, "must be a positive integer")],
    "items/0/quantity": [(MISSING, REQUIRED), (None, REQUIRED), *NUMBER_FAULTS, (0, ABOVE_ZERO),
     (-1, ABOVE_ZERO), (Decimal("0.0001"), DECIMALS), (HUGE, LARGE)],
    "items/0/unitPrice": [(MISSING, REQUIRED), (None, REQUIRED), *NUMBER_FAULTS,
     (Decimal("-0.01"), NEGATIVE), (HUGE, LARGE)],
    "items/0/totalAmount": [*NUMBER_FAULTS, (Decimal("-0.01"), NEGATIVE),
     (Decimal("0.001"), DECIMALS), (HUGE, LARGE)],
    "items/1/article": [("Хлеб", OBJECT), (5, OBJECT), ([], OBJECT)],
    "items/1/article/name": [(MISSING, REQUIRED), (None, REQUIRED), *TEXT_FAULTS, ("", EMPTY),
     ("x" * 2001, "2000 characters")],
    "items/1/article/taxRateLabel": [(MISSING, REQUIRED), (None, REQUIRED), *TEXT_FAULTS,
     ("", EMPTY),
     ("A", 'must be one of [Ђ, Е, Г, А]: "A" is Latin, the label is the Cyrillic А (U+0410)'),
     ("E", 'must be one of [Ђ, Е, Г, А]: "E" is Latin, the label is the Cyrillic Е (U+0415)'),
     ("B", "must be one of [Ђ, Е, Г, А]"), ("ђ", "must be one of [Ђ, Е, Г, А]")],
    "items/1/article/unit": [*TEXT_FAULTS, ("x" * 41, "40 characters")],
    "items/1/article/gtin": [*TEXT_FAULTS, ("", EMPTY), ("1234567", "8 to 14 digits"),
     ("123456789012345", "8 to 14 digits"), ("1234567x", "8 to 14 digits"),
     ("١٢٣٤٥٦٧٨", "8 to 14 digits")],
    "unknownAmountAdvance": [("true", BOOLEAN), (1, BOOLEAN), ([], BOOLEAN)],
    "advanceSpecification": [([], OBJECT), (5, OBJECT), ("Ђ", OBJECT)],
    "advanceSpecification/Ђ": [*NUMBER_FAULTS, (Decimal("-0.01"), NEGATIVE),
     (Decimal("0.001"), DECIMALS), (HUGE, LARGE)],
    "advanceSpecification/A": [(5, "is not allowed")],
    "discount": [*NUMBER_FAULTS,
     (-5, "must be greater than or equal to 0 and less than or equal to 100"),
     (Decimal("100.01"), "must be greater than or equal to 0 and less than or equal to 100"),
     (Decimal("1.00001"), DECIMALS)],
    "additionalText": [*TEXT_FAULTS, ("x" * 4001, "4000 characters")],
    "receiptDelivery": [(MISSING, REQUIRED), (None, REQUIRED), ({}, "must have at least 1 key"),
     ({"fax": True}, "must have at least 1 key"), ([], OBJECT), (True, OBJECT)],
    "receiptDelivery/thermalPrinter": [("true", BOOLEAN), (1, BOOLEAN)],
    "receiptDelivery/a4Printer": [("true", BOOLEAN), (0, BOOLEAN)],
    "receiptDelivery/pdf": [("true", BOOLEAN), ({}, BOOLEAN)],
    "receiptDelivery/base64pdf": [("true", BOOLEAN), ([], BOOLEAN)],
    "receiptDelivery/email": [(5, "must be a string"), (True, "must be a string")],
    "totalAmount": [*NUMBER_FAULTS, (Decimal("0.001"), DECIMALS), (HUGE, LARGE)],
}  # fmt: skip

ROWS = [
    pytest.param(
        path, value, words, id=f"{path}={value!r:.30}" if value is not MISSING else f"no {path}"
    )
    for path, faults in FAULTS.items()
    for value, words in faults
]


@each(("path", "value", "words"), ROWS)
def test_a_bad_field_is_named(path: str, value: Any, words: str) -> None:
    with pytest.raises(Invalid) as refusal:
        issue_request_from_json(changed(path, value))
    name = told(path)
    assert refusal.value.field == name
    assert refusal.value.what.startswith(f'"{name}" ')
    assert words in refusal.value.what


def test_several_faults_are_all_named_the_first_in_words() -> None:
    with pytest.raises(Invalid) as refusal:
        issue_request_from_json(document(LEAST | {"payments": 5, "items": [{"quantity": "1"}]}))
    assert refusal.value.values["keys"] == ("payments", "items[0].quantity", "items[0].unitPrice")
    assert refusal.value.what.startswith('"payments" ')
    bodies: tuple[Any, ...] = (None, [], "x", 5, True)
    for body in bodies:
        with pytest.raises(Invalid, match="must be of type object"):
            issue_request_from_json(body)


def test_the_full_body() -> None:
    request = issue_request_from_json(numbers(FULL))
    assert (str(request.buyer), str(request.cost_centre)) == ("10:123456788", "50:123")
    seen = request.payments.by_method
    assert seen == ((PaymentMethod.CASH, Money(50)), (PaymentMethod.VOUCHER, Money("50.25")))
    assert request.referent_number == "ABCD1234-ABCD1234-17"
    assert request.referent_time == datetime(2026, 11, 20, 9, tzinfo=UTC)
    assert request.pos_time == datetime(2026, 11, 19, 9, tzinfo=UTC)
    weighed, free = request.items
    assert (weighed.sku, weighed.quantity) == (7, Quantity("1.56"))
    assert (weighed.unit_price, weighed.total) == (UnitPrice("189.99"), Money("296.38"))
    assert free.article == FrozenArticle("Хлеб", TaxLabel.E, "ком", "8600000000018")
    assert (free.sku, free.unit_price) == (None, UnitPrice(0))
    assert request.unknown_amount_advance
    assert request.advance_specification == {TaxLabel.DJ: Money(10), TaxLabel.E: Money("0.5")}
    assert request.discount == Percent(Decimal("12.5"))
    assert request.delivery == ReceiptDelivery(thermal=True, email="mika@example.rs", pdf=True)
    assert request.total == Money("296.38")
    least = issue_request_from_json(document(LEAST))
    there = (least.invoice_type, least.transaction_type)
    assert there == (InvoiceType.NORMAL, TransactionType.SALE)
    assert (least.buyer, least.total, least.discount) == (None, None, None)
    assert (least.additional_text, least.delivery) == ("", ReceiptDelivery())


NULLABLE = [
    "buyerId", "buyerCostCenterId", "referentDocumentNumber", "referentDocumentDT", "posTime",
    "unknownAmountAdvance", "advanceSpecification", "discount", "additionalText", "totalAmount",
    "items/0/totalAmount", "items/1/article/unit", "items/1/article/gtin", "items/1/sku",
    "receiptDelivery/email", "receiptDelivery/pdf", "payments/voucher",
]  # fmt: skip


@each("path", NULLABLE)
def test_null_is_as_good_as_absent_and_unknown_members_are_ignored(path: str) -> None:
    was_there = path != "items/1/sku"
    without = changed(path, MISSING) if was_there else numbers(FULL)
    assert issue_request_from_json(changed(path, None)) == issue_request_from_json(without)
    unknown = {
        "invented": {"any": ["thing"]}, "items/0/taxRateLabel": "Е",
        "items/1/article/colour": "red", "payments/gold": 5, "receiptDelivery/fax": True,
    }  # fmt: skip
    whole = issue_request_from_json(numbers(FULL))
    for name, value in unknown.items():
        assert issue_request_from_json(changed(name, value)) == whole, name


@each(
    ("value", "expected"),
    [
        (Decimal("0.125"), Money("0.13")),
        (Decimal("8.333333333333334"), Money("8.33")),
        (Decimal("999999999999.99"), Money("999999999999.99")),
        (Decimal("1e2"), Money(100)),
        (0, Money.ZERO),
    ],
)
def test_a_unit_price_keeps_its_digits_and_is_printed_half_up(value: Any, expected: Money) -> None:
    price = issue_request_from_json(changed("items/0/unitPrice", value)).items[0].unit_price
    assert (price.amount, price.printed) == (value, expected)


FREE = LEAST | {"payments": {"cash": 0}, "items": [{"sku": 1, "quantity": 1, "unitPrice": 0}]}
BY_ALL = LEAST | {"payments": dict.fromkeys(PaymentMethod, 100)}


@each("body", [LEAST, FULL, FREE, BY_ALL])
def test_what_the_till_writes_is_what_the_server_reads(body: dict[str, Any]) -> None:
    request = issue_request_from_json(numbers(body))
    written = issue_request_to_json(request)
    assert issue_request_from_json(loads(written)) == request
    assert issue_request_to_json(issue_request_from_json(loads(written))) == written
