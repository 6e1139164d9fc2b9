"""Which ignored members are told: slips, and what is known elsewhere; no name sent on purpose."""

from __future__ import annotations

from typing import Any

import pytest

from pos_app.domain.operations import Operation
from pos_app.wire.fiscal import issue_request_from_json, issue_request_to_json
from pos_app.wire.openapi.examples import EXAMPLES
from pos_app.wire.spelling import noticed
from pos_app.wire.strict_json import loads
from tests.unit.wire.test_fiscal import FULL, numbers

SALE = EXAMPLES[Operation.ISSUE]["sale"]
ITEM = SALE["items"][0]


def fields(operation: Operation, document: object) -> list[str]:
    return [one.field for one in noticed(operation, document)]


@pytest.mark.parametrize("operation", Operation)
def test_a_body_as_it_is_described_has_nothing_to_tell(operation: Operation) -> None:
    for body in EXAMPLES[operation].values():
        assert noticed(operation, body) == ()


def test_what_the_till_sends_has_nothing_to_tell() -> None:
    sent = issue_request_to_json(issue_request_from_json(numbers(FULL)))
    assert noticed(Operation.ISSUE, loads(sent)) == ()


@pytest.mark.parametrize(
    "name",
    ["quantty", "Quantity", "QUANTITY", "unit_price", "UnitPrice", "unitPrise", "total_amount"],
)
def test_a_slip_in_an_item_is_told(name: str) -> None:
    body = SALE | {"items": [ITEM, ITEM | {name: 1}]}
    assert fields(Operation.ISSUE, body) == [f"items[1].{name}"]


@pytest.mark.parametrize(
    "name",
    ["unit", "name", "gtin", "taxRateLabel", "quantityUnit", "unitPriceNet", "price", "vat", "id"],
)
def test_a_name_of_another_program_is_not(name: str) -> None:
    assert fields(Operation.ISSUE, SALE | {"items": [ITEM | {name: 1}]}) == []


@pytest.mark.parametrize(
    "name", ["cashierId", "storeId", "clientId", "transactionId", "buyerName", "x" * 5000, ""]
)
def test_a_name_of_another_program_beside_them_is_not_either(name: str) -> None:
    assert fields(Operation.ISSUE, SALE | {name: "1"}) == []


@pytest.mark.parametrize(
    ("operation", "body", "told"),
    [
        (Operation.CLOSE, {"discount": 10}, ["discount"]),
        (Operation.CLOSE, {"items": [ITEM | {"discount": 10}]}, ["items[0].discount"]),
        (Operation.REFUND, {"items": [ITEM | {"article": {}, "totalAmount": 1}]}, []),
        (Operation.REFUND, {"items": [{"sku": 1, "quantity": 1, "lines": 0}]}, ["items[0].lines"]),
        (Operation.ADVANCE, {"payments": {"cash": 1, "Card": 1}}, ["payments.Card"]),
        (Operation.ADVANCE, {"payments": {"cash": 1, "Card": None}}, []),
        (Operation.COPY, {"thermalPrinter": True}, ["thermalPrinter"]),
    ],
)
def test_each_operation_has_words_of_its_own(
    operation: Operation, body: dict[str, Any], told: list[str]
) -> None:
    assert fields(operation, body) == told
