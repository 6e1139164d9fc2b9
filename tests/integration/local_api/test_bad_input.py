"""Every member of every operation, wrong in each way: 400 naming it, and nothing is signed.

Source: platform-contract.md 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.integration.local_api import bad_issue
from tests.integration.local_api.bad_operations import OPERATIONS, WRONG_KIND
from tests.integration.local_api.bad_rows import Bad
from tests.integration.local_api.wronged import Wronged, error_of, fill, wronged
from tests.sweep import LONG, each

_ISSUED = {(row.at, row.words, repr(row.value)) for row in bad_issue.ROWS}


def _own_values() -> list[tuple[str, Bad]]:
    """Return the rows of the operations that an issue is not tried with, and one of the others for
    each member and word about it: the operations read these by the same shapes."""
    every = [(name, row) for name, (_, _, rows) in OPERATIONS.items() for row in rows]
    own = [one for one in every if (one[1].at, one[1].words, repr(one[1].value)) not in _ISSUED]
    others = {(row.at, row.words): (name, row) for name, row in every if (name, row) not in own}
    return [*own, *others.values()]


def _one_value(rows: list[Bad]) -> list[Bad]:
    """Return one row for each member and word about it."""
    return [*{(row.at, row.words): row for row in reversed(rows)}.values()]


ROWS = [*[("issue", row) for row in _one_value(bad_issue.ROWS)], *_own_values()]
EVERY_VALUE = [("issue", row) for row in bad_issue.ROWS]
EVERY_VALUE += [(name, row) for name, (_, _, rows) in OPERATIONS.items() for row in rows]
KINDS = [
    (operation, receipt, words)
    for operation, receipts in WRONG_KIND.items()
    for receipt, words in receipts.items()
]


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
    is_named(shop, operation, row)


@LONG
@each(("operation", "row"), EVERY_VALUE)
def test_so_is_each_wrong_value(shop: Wronged, operation: str, row: Bad) -> None:
    is_named(shop, operation, row)


def is_named(shop: Wronged, operation: str, row: Bad) -> None:
    good, receipt = good_for(operation)
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
    good, _, _ = OPERATIONS[operation]
    answer = shop.send(operation, good, on=receipt)
    body = error_of(answer)
    assert (answer.status_code, body["code"], body["class"]) == (400, 40090001, "fix")
    assert words in body["message"]
    assert body["validation"] == {
        "params": {"source": "params", "keys": ["Id"], "message": body["message"]}
    }
    assert shop.is_untouched()


@each("operation", ["issue", *OPERATIONS])
@each("body", ["[]", '"text"', "5", "null", "true", "[{}]"])
def test_a_body_that_is_no_object(shop: Wronged, operation: str, body: str) -> None:
    content = {"content": body.encode(), "headers": {"Content-Type": "application/json"}}
    answer = sent_raw(shop, operation, **content)
    told = error_of(answer)
    assert (answer.status_code, told["code"]) == (400, 40090001)
    assert told["message"] == '"value" must be of type object'
    assert shop.is_untouched()


NOT_JSON = [
    b"",
    b"{",
    b"{'a': 1}",
    b'{"payments": NaN}',
    b'{"payments": {"cash": 1, "cash": 2}}',
    b'{"payments": ' + b"[" * 40 + b"]" * 40 + b"}",
    b'{"a": 1} {"b": 2}',
    b'\xff\xfe{"a": 1}',
    b'{"a": "\\ud800"}',
    b'\xef\xbb\xbf{"a": 1}',
]
BEYOND = {
    b'{"a": ' + b"1" * 65 + b"}": "a",
    b'{"items": [{"quantity": 1e41}]}': "items[0].quantity",
    b'{"items": [{"quantity": 1}, {"quantity": 1e-999}]}': "items[1].quantity",
}


@each("operation", ["issue", *OPERATIONS])
@each("body", NOT_JSON)
def test_a_body_that_is_no_json(shop: Wronged, operation: str, body: bytes) -> None:
    answer = sent_raw(shop, operation, content=body, headers={"Content-Type": "application/json"})
    told = error_of(answer)
    assert (answer.status_code, told["code"], told["validation"]) == (400, 40090003, {})
    assert shop.is_untouched()


@each("operation", ["issue", *OPERATIONS])
@each("body", BEYOND)
def test_a_number_beyond_the_range_is_no_fault_of_the_json(
    shop: Wronged, operation: str, body: bytes
) -> None:
    answer = sent_raw(shop, operation, content=body, headers={"Content-Type": "application/json"})
    told = error_of(answer)
    assert (answer.status_code, told["code"]) == (400, 40090001)
    assert told["validation"]["body"]["keys"] == [BEYOND[body]]
    assert shop.is_untouched()


@each("operation", ["issue", *OPERATIONS])
@each("headers", [{}, {"Content-Type": "text/plain"}, {"Content-Type": "application/xml"}])
def test_a_body_that_is_not_said_to_be_json(
    shop: Wronged, operation: str, headers: dict[str, str]
) -> None:
    answer = sent_raw(shop, operation, content=b"{}", headers=headers)
    assert (answer.status_code, error_of(answer)["code"]) == (400, 40090003)
    assert shop.is_untouched()


@each("operation", ["issue", *OPERATIONS])
@each("key", ["", "short", "x" * 65, "with blanks in between", "а" * 16])
def test_a_bad_key_is_named(shop: Wronged, operation: str, key: str) -> None:
    good, receipt = good_for(operation)
    headers = [(b"Idempotency-Key", key.encode())]
    answer = shop.send(operation, good, on=receipt, headers=headers)
    told = error_of(answer)
    assert (answer.status_code, told["code"]) == (400, 40090001)
    assert told["validation"]["headers"]["keys"] == ["Idempotency-Key"]
    assert shop.is_untouched()


@each("operation", ["issue", *OPERATIONS])
def test_several_faults_are_all_named(shop: Wronged, operation: str) -> None:
    good, receipt = good_for(operation)
    answer = shop.send(operation, good | {"receiptDelivery": {"pdf": 1, "email": 5}}, on=receipt)
    keys = error_of(answer)["validation"]["body"]["keys"]
    assert keys == ["receiptDelivery.email", "receiptDelivery.pdf"]


def good_for(operation: str) -> tuple[dict[str, Any], str]:
    if operation == "issue":
        return bad_issue.GOOD, ""
    good, receipt, _ = OPERATIONS[operation]
    return good, receipt


def sent_raw(shop: Wronged, operation: str, **options: Any) -> Any:
    _, receipt = good_for(operation)
    path = "/fiscalization/receipts"
    if receipt:
        path += f"/{shop.receipts[receipt]['invoiceNumber']}/{operation}"
    return shop.ask("POST", path, **options)


UNKNOWN = {
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
        for operation in ("issue", *OPERATIONS):
            good, receipt = good_for(operation)
            items = [item | {"taxRateLabel": "Е", "vat": None} for item in good.get("items", ())]
            before = len(shop.entries())
            body = good | UNKNOWN | ({"items": items} if items else {})
            answer = shop.send(operation, body, on=receipt)
            assert answer.status_code == 200, (operation, answer.text)
            assert len(shop.entries()) > before
