"""Ignored members that are reported: slips, members known elsewhere; no name sent on purpose."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.operations import Operation
from pos_app.wire.fiscal import issue_request_from_json, issue_request_to_json
from pos_app.wire.misspelt_members import noticed
from pos_app.wire.openapi.examples import EXAMPLES
from pos_app.wire.strict_json import loads
from tests.sweep import each
from tests.unit.wire.test_fiscal import FULL, numbers

SALE: dict[str, Any] = dict(EXAMPLES[Operation.ISSUE]["sale"])
ITEM = SALE["items"][0]


def fields(operation: Operation, document: object) -> list[str]:
    return [one.field for one in noticed(operation, document)]


@each("operation", Operation)
def test_a_body_as_it_is_described_has_nothing_to_tell(operation: Operation) -> None:
    for body in EXAMPLES[operation].values():
        assert noticed(operation, body) == ()
    sent = issue_request_to_json(issue_request_from_json(numbers(FULL)))
    assert noticed(Operation.ISSUE, loads(sent)) == (), "nor what the till sends"


@each(
    "name",
    ["quantty", "Quantity", "QUANTITY", "unit_price", "UnitPrice", "unitPrise", "total_amount"],
)
def test_a_slip_in_an_item_is_told(name: str) -> None:
    body = SALE | {"items": [ITEM, ITEM | {name: 1}]}
    assert fields(Operation.ISSUE, body) == [f"items[1].{name}"]


@each(
    "name",
    ["unit", "name", "gtin", "taxRateLabel", "quantityUnit", "unitPriceNet", "price", "vat", "id"],
)
def test_a_name_of_another_program_is_not(name: str) -> None:
    assert fields(Operation.ISSUE, SALE | {"items": [ITEM | {name: 1}]}) == []


DISCOUNTS = [
    *("Discount", "discount", "DISCOUNT", "discounts", "discountAmount", "discount_percent"),
    *("discountRate", "lineDiscount", "rabat", "Rabat", "rabatProcenat", "popust", "iznosPopusta"),
    *("рабат", "Попуст", "discountPercent" + "x" * 5000),
]


@each("name", DISCOUNTS)
def test_a_discount_by_any_name_in_an_item_or_beside_them_is_told(name: str) -> None:
    (warning,) = noticed(Operation.ISSUE, SALE | {"items": [ITEM, ITEM | {name: 10}]})
    assert warning.field.startswith(f"items[1].{name[:20]}")
    assert len(warning.message) < 300
    assert "totalAmount" in warning.message
    for operation in (Operation.ISSUE, Operation.CLOSE, Operation.REFUND):
        if name != "discount":
            (field,) = fields(operation, {name: 10})
            assert field.startswith(name[:20])


@each("name", ["store_id", "ClientID"])
def test_what_is_sent_on_purpose_may_be_written_otherwise_too(name: str) -> None:
    assert fields(Operation.ISSUE, {name: 1}) == []
    assert fields(Operation.ISSUE, {"items": [ITEM | {"Unit": 1, "tax_rate_label": 1}]}) == []
    assert fields(Operation.REFUND, {"items": [{"Quantity": 1}]}) == ["items[0].Quantity"]


@each("name", ["instant", "mobile", "bank", "kartica", "x" * 5000])
@each("amount", [50, Decimal("0.01"), "50", "50,00", -1, {"amount": 50}, [50]])
def test_money_by_a_method_that_is_none_is_told(name: str, amount: object) -> None:
    (warning,) = noticed(Operation.ISSUE, SALE | {"payments": {"cash": 1, name: amount}})
    assert warning.field.startswith(f"payments.{name[:20]}")
    assert len(warning.message) < 300
    assert all(f'"{method}"' in warning.message for method in PaymentMethod)


@each("amount", [0, Decimal("0.00"), "0", "0,00", "", None, False, {}, [], "x"])
def test_no_money_by_a_method_that_is_none_is_not(amount: object) -> None:
    assert fields(Operation.ISSUE, SALE | {"payments": {"cash": 1, "instant": amount}}) == []


@each(
    ("operation", "body", "told"),
    [
        (Operation.CLOSE, {"discount": 10}, ["discount"]),
        (Operation.CLOSE, {"items": [ITEM | {"discount": 10}]}, ["items[0].discount"]),
        (Operation.REFUND, {"items": [ITEM | {"article": {}, "totalAmount": 1}]}, []),
        (Operation.REFUND, {"items": [{"sku": 1, "quantity": 1, "lines": 0}]}, ["items[0].lines"]),
        (Operation.ADVANCE, {"payments": {"cash": 1, "Card": 1}}, ["payments.Card"]),
        (Operation.ADVANCE, {"payments": {"cash": 1, "Card": None}}, []),
        (Operation.COPY, {"thermalPrinter": True}, ["thermalPrinter"]),
        (Operation.COPY, {"receiptDelivery": {"rabat": 5}}, ["receiptDelivery.rabat"]),
        (Operation.ISSUE, {"items": [{"article": {"Discount": 5}}]}, ["items[0].article.Discount"]),
        (
            Operation.ISSUE,
            {"Cash": 1, "E_Mail": 1, "unitprice": 1},
            ["Cash", "E_Mail", "unitprice"],
        ),
        (Operation.ISSUE, {"buyerName": "1", "cashierId": "1", "x" * 5000: "1", "": "1"}, []),
    ],
)
def test_each_operation_has_words_of_its_own(
    operation: Operation, body: dict[str, Any], told: list[str]
) -> None:
    assert fields(operation, body) == told
