"""The `Id` of a path: the names of a receipt, and the answer where it names none.

Source: platform-contract.md 1 and 2.18.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.integration.local_api.bad_operations import OPERATIONS
from tests.integration.local_api.test_bad_input import good_for
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import (
    BUYER,
    DELIVERED,
    RECEIPTS,
    Wronged,
    error_of,
    wronged,
)
from tests.sweep import each

SALE = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"card": 117.98},
    "items": [{"sku": 1, "quantity": 2, "unitPrice": 58.99}],
} | DELIVERED
KEY = "0123456789abcdef"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wronged]:
    with wronged(tmp_path_factory.mktemp("shop")) as made:
        answer = made.send("issue", SALE, headers={"Idempotency-Key": KEY})
        made.receipts["sale"] = answer.json()
        yield made


NAMES = {
    "number": lambda number, _: number,
    "number in small letters": lambda number, _: number.lower(),
    "id": lambda _, receipt_id: receipt_id,
    "id in capitals": lambda _, receipt_id: receipt_id.upper(),
    "upper-case percent": lambda number, _: number.replace("-", "%2D"),
    "lower-case percent": lambda number, _: number.replace("-", "%2d"),
    "all encoded": lambda number, _: "".join(f"%{ord(letter):02x}" for letter in number),
    "id encoded": lambda _, receipt_id: receipt_id.replace("-", "%2D"),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_receipt_is_named_by(shop: Wronged, name: str) -> None:
    sale = shop.receipts["sale"]
    reference = NAMES[name](sale["invoiceNumber"], sale["id"])
    before = len(shop.entries())
    copied = shop.ask("POST", f"{RECEIPTS}/{reference}/copy", json=DELIVERED)
    assert copied.status_code == 200
    assert copied.json()["invoiceCounterExtension"] == "КП"
    assert len(shop.entries()) == before + 1
    assert shop.ask("GET", f"{RECEIPTS}/{reference}").json() == sale


@pytest.mark.parametrize("member", ["invoiceNumber", "id"])
def test_letters_of_either_size_name_the_same_receipt_to_the_same_key(
    shop: Wronged, member: str
) -> None:
    name = shop.receipts["sale"][member]
    headers = {"Idempotency-Key": f"either-size-of-{member}"}
    before = len(shop.entries())
    answers = [
        shop.ask("POST", f"{RECEIPTS}/{one}/copy", json=DELIVERED, headers=headers).json()
        for one in (name.upper(), name.lower())
    ]
    assert answers[0] == answers[1]
    assert len(shop.entries()) == before + 1


def test_a_copy_names_the_chain_of_its_advance(shop: Wronged) -> None:
    """The copy's number serves for payments and for the closing; a refund needs the receipt
    itself."""
    bought = {"invoiceType": "advance", "payments": {"card": 17.98}}
    advance = shop.send("issue", SALE | bought).json()["invoiceNumber"]
    copy = shop.send("copy", DELIVERED, on=advance).json()["invoiceNumber"]
    paid = shop.send("advance", DELIVERED | {"payments": {"card": 50}}, on=copy.lower())
    assert paid.status_code == 200, paid.text
    refused = shop.send("refund", DELIVERED | BUYER | {"payments": {"card": 50}}, on=copy)
    assert "is a copy" in error_of(refused)["message"]
    closed = shop.send("close", DELIVERED | {"payments": {"card": 50}}, on=copy)
    assert [one["totalAmount"] for one in closed.json()] == [67.98, 117.98]
    told = [json.loads(entry.request) for entry in shop.entries()[-3:]]
    assert [one["referentDocumentNumber"] for one in told[:2]] == [
        advance,
        paid.json()["invoiceNumber"],
    ]


def test_a_key_names_a_receipt_when_it_is_looked_up_only(shop: Wronged) -> None:
    assert shop.ask("GET", f"{RECEIPTS}/key:{KEY}").status_code == 200
    for operation in OPERATIONS:
        good, _ = good_for(operation)
        refused = shop.ask("POST", f"{RECEIPTS}/key:{KEY}/{operation}", json=good)
        assert refused.status_code == 404


NOBODY = [
    "ABCD1234-ABCD1234-1",
    "00000000-0000-5000-8000-000000000000",
    "A/B",
    "A%2FB",
    "…",
    "%00",
    "%27%20OR%201=1",
    "x" * 201,
    "x" * 5000,
    "copy",
    " ",
]


@each("reference", NOBODY)
@each("operation", OPERATIONS)
def test_nobody_s_name(shop: Wronged, operation: str, reference: str) -> None:
    good, _ = good_for(operation)
    before = shop.kept()
    answer = shop.ask("POST", f"{RECEIPTS}/{reference}/{operation}", json=good)
    body = error_of(answer)
    assert (answer.status_code, body["code"]) == (404, 40400001)
    assert (body["name"], body["class"]) == ("NotFoundError", "fix")
    assert (body["message"], body["validation"]) == ("Receipt not found", {})
    assert shop.kept() == before


METHODS = [
    *[("GET", f"/{operation}", "POST") for operation in OPERATIONS],
    *[("PUT", f"/{operation}", "POST") for operation in OPERATIONS],
    ("DELETE", "/refund", "POST"),
    ("PATCH", "/advance", "POST"),
    ("POST", "", "GET, HEAD"),
    ("DELETE", "", "GET, HEAD"),
    ("PUT", "", "GET, HEAD"),
]


@each(("method", "path", "allowed"), METHODS)
def test_a_wrong_method_is_told_the_right_one(
    shop: Wronged, method: str, path: str, allowed: str
) -> None:
    before = shop.kept()
    number = shop.receipts["sale"]["invoiceNumber"]
    answer = shop.ask(
        method, f"{RECEIPTS}/{number}{path}", headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, error_of(answer)["code"]) == (405, 40500001)
    assert sorted(answer.headers["Allow"].split(", ")) == allowed.split(", ")
    assert shop.kept() == before


def test_the_issue_path_takes_post_alone(shop: Wronged) -> None:
    for method in ("GET", "PUT", "PATCH", "DELETE"):
        answer = shop.ask(method, RECEIPTS, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.headers["Allow"]) == (405, "POST"), method


@pytest.mark.parametrize("operation", ["reverse", "Refund", "close/close/x", "refunds"])
def test_an_operation_that_does_not_exist(shop: Wronged, operation: str) -> None:
    before = shop.kept()
    number = shop.receipts["sale"]["invoiceNumber"]
    answer = shop.ask("POST", f"{RECEIPTS}/{number}/{operation}", json=DELIVERED)
    assert (answer.status_code, error_of(answer)["code"]) == (404, 40400001)
    assert shop.kept() == before


# --- receipts that are none, or not yet ----------------------------------------------------------


async def asked(server: Running, receipt_id: str, operation: str) -> tuple[int, int, str]:
    good, _ = good_for(operation)
    path = f"{RECEIPTS}/{quote(receipt_id)}/{operation}"
    answer = await server.ask("POST", path, json=good)
    body = error_of(answer)
    return answer.status_code, body["code"], body["class"]


async def test_a_receipt_in_doubt_waits(folder: Path) -> None:
    async with running(folder) as server:
        server.shop.fault("drop_then_sign", seconds=5)
        unknown = await server.issue(SALE)
        assert unknown.status_code == 500
        receipt_id = unknown.json()["receiptId"]
        for operation in OPERATIONS:
            assert await asked(server, receipt_id, operation) == (400, 40010001, "wait")
        assert len(server.shop.ledger()) == 0


async def test_a_receipt_that_was_refused_is_none(folder: Path) -> None:
    async with running(folder) as server:
        server.shop.fault("refuse", code="2805")
        refused = await server.issue(SALE, headers={"Idempotency-Key": KEY})
        assert (refused.status_code, refused.json()["code"]) == (400, 40012805)
        command = server.shop.journal.command_by_key("local", KEY)
        assert command is not None
        for operation in OPERATIONS:
            assert await asked(server, command.id, operation) == (404, 40400001, "fix")
