"""The list of receipts over HTTP: an ERP fetches a day without keeping numbers."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest

from pos_app.adapters.data_folder import RECEIPT_INDEX
from pos_app.adapters.sqlite.receipt_index import feeding, index_file
from pos_app.domain.text.instant import day_of
from tests.integration.described_answers import Described
from tests.integration.fiscalization.shop import unreachable
from tests.integration.local_api.test_bad_input import ON_A_RECEIPT, OPERATIONS
from tests.integration.local_api.test_finished_advances import Altered
from tests.integration.local_api.test_openapi import described
from tests.integration.local_api.test_pairs import BACK
from tests.integration.local_api.test_pairs import SALE as LOAVES
from tests.integration.local_api.test_receipts import SALE
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

DESCRIBED = Described.of(described())
FIRM = {"buyerId": "10:104982316"}
PERSON = {"buyerId": "11:0101990710006"}
BY_TRANSFER = {"payments": {"wiretransfer": 117.98}}


async def fetched(server: Running, **query: str | int) -> list[dict[str, Any]]:
    rows, after = list[dict[str, Any]](), dict[str, str]()
    while True:
        answer = await server.ask("GET", RECEIPTS, params=query | after)
        assert answer.status_code == 200, answer.text
        DESCRIBED.check(answer)
        page = answer.json()
        assert len(page["receipts"]) <= int(query.get("limit", 50))
        rows += page["receipts"]
        if page["next"] is None:
            return rows
        after = {"after": page["next"]}


async def a_day(server: Running) -> list[str]:
    """Numbers of a sale, one of a firm by transfer, the two of a refund in cash, a proforma."""
    sale = await server.done(SALE)
    firm = await server.done(SALE | FIRM | BY_TRANSFER)
    back = {"payments": {"cash": 117.98}, "receiptDelivery": {"pdf": False}}
    pair = await server.done(back | PERSON, f"/{sale['id']}/refund")
    proforma = await server.done(SALE | {"invoiceType": "proforma"})
    return [each["invoiceNumber"] for each in (sale, firm, *pair, proforma)]


async def test_a_day_is_fetched_page_by_page(folder: Path) -> None:
    async with running(folder) as server:
        numbers = await a_day(server)
        day = day_of(server.shop.service.clock.now())
        before, after = (str(day + timedelta(days=one)) for one in (-1, 1))
        sale, firm, refund, copy, proforma = numbers
        rows = list[dict[str, Any]]()
        for limit in (1, 2, 50):
            rows = await fetched(server, since=str(day), until=str(day), limit=limit)
            assert [row["invoiceNumber"] for row in reversed(rows)] == numbers
        newest = rows[0]["sdcDateTime"]
        table: dict[tuple[tuple[str, str], ...], list[str]] = {
            (("since", after),): [],
            (("until", before),): [],
            (("until", newest),): numbers[:-1],
            (("since", newest),): [proforma],
            (("invoiceType", "normal"),): [sale, firm, refund],
            (("invoiceType", "copy,proforma"),): [copy, proforma],
            (("transactionType", "refund"),): [refund, copy],
            (("invoiceType", "normal"), ("transactionType", "refund")): [refund],
            (("payment", "wiretransfer"),): [firm],
            (("payment", "wiretransfer,card"), ("invoiceType", "proforma")): [],
            (("buyerId", FIRM["buyerId"]),): [firm],
            (("number", firm.lower()),): [firm],
            (("number", sale.rpartition("-")[2]),): [sale],
            (("words", "хлеб"),): [sale, firm, refund, copy, proforma],
            (("words", "104982316"),): [firm],
            (("words", "hleb 104982316"),): [firm],
            (("cashier", "Нико"),): [],
            (("program", "local"),): numbers,
            (("program", "web"),): [],
            (("clientId", "1"), ("words", "nothing is called so")): [],
        }
        for query, expected in table.items():
            rows = await fetched(server, **dict(query))
            assert [row["invoiceNumber"] for row in reversed(rows)] == expected, query


async def test_the_next_page_is_one_of_the_same_list(folder: Path) -> None:
    async with running(folder) as server:
        await a_day(server)
        asked = {"invoiceType": "normal", "limit": "1"}
        after = (await server.ask("GET", RECEIPTS, params=asked)).json()["next"]
        for query, status in (
            (asked, 200),
            (asked | {"limit": "2"}, 200),
            ({"limit": "1"}, 400),
            (asked | {"invoiceType": "copy"}, 400),
        ):
            answer = await server.ask("GET", RECEIPTS, params=query | {"after": after})
            assert answer.status_code == status, query
        cut = await server.ask("GET", RECEIPTS, params=asked | {"after": after[:-1]})
        assert cut.json()["validation"]["query"]["keys"] == ["after"]


async def test_a_row_has_what_an_erp_books(folder: Path) -> None:
    async with running(folder) as server:
        numbers = await a_day(server)
        rows = {row["invoiceNumber"]: row for row in await fetched(server)}
        sale, firm, refund, copy, _ = (rows[number] for number in numbers)
        looked_up = (await server.ask("GET", f"{RECEIPTS}/{numbers[1]}")).json()
        assert firm["id"] == looked_up["id"]
        assert firm["taxItems"] == looked_up["taxItems"]
        assert firm["totalAmount"] == 117.98
        assert firm["payments"] == {"wiretransfer": 117.98}
        assert firm["items"] == [
            {
                "sku": 1,
                "name": sale["items"][0]["name"],
                "taxRateLabel": "Е",
                "quantity": 2,
                "unitPrice": 58.99,
                "totalAmount": 117.98,
                "gtin": sale["items"][0]["gtin"],
            }
        ]
        assert sale["payments"] == {"cash": 117.98}, "the cash is without its change"
        assert refund["buyerId"] == copy["buyerId"] == "11", "a person's number is not told"
        assert refund["referentDocumentNumber"] == numbers[0]
        assert copy["referentDocumentNumber"] == numbers[2]


@pytest.mark.parametrize(
    ("query", "member"),
    [
        ("from=2026-11-27", "from"),
        ("since=2026-11-27&since=2026-11-28", "since"),
        ("since=yesterday", "since"),
        ("since=2026-13-01", "since"),
        ("until=2026-02-30", "until"),
        ("invoiceType=normal,Sale", "invoiceType"),
        ("payment=gold", "payment"),
        ("since=", "since"),
        ("payment=&since=2026-11-01", "payment"),
        ("buyerId=%20", "buyerId"),
        ("since=2026-11-02&until=2026-11-01", "until"),
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=ten", "limit"),
        ("after=3", "after"),
        ("after=1795959575215.", "after"),
        ("after=1795959575215.3", "after"),
        ("buyerId=123456788", "buyerId"),
        ("invoiceType=normal,", "invoiceType"),
        ("words=" + 201 * "a", "words"),
    ],
)
async def test_a_wrong_member_of_the_query_is_named(folder: Path, query: str, member: str) -> None:
    async with running(folder) as server:
        answer = await server.ask("GET", f"{RECEIPTS}?{query}")
        body = answer.json()
        assert answer.status_code == 400
        assert body["class"] == "fix"
        told = body["validation"]["query"]
        assert told["keys"] == [member]
        assert member in body["message"]


async def test_no_list_is_told_that_may_lack_receipts(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(folder) as server:
        numbers = await a_day(server)
    async with running(folder, pfr=await unreachable()) as server:
        answer = await server.ask("GET", RECEIPTS)
        assert (answer.status_code, answer.json()["class"]) == (400, "wait"), answer.text
    shutil.rmtree((folder / RECEIPT_INDEX).parent, ignore_errors=True)
    monkeypatch.setattr(feeding, "AT_ONCE", 2)
    monkeypatch.setattr(index_file, "CATCH_UP_SECONDS", 0.0)
    async with running(folder) as server:
        answer = await server.ask("GET", RECEIPTS)
        assert (answer.status_code, answer.json()["class"]) == (400, "wait"), answer.text
        assert f" of {len(numbers)} are in it" in answer.json()["message"]
        while (answer := await server.ask("GET", RECEIPTS)).status_code == 400:
            assert answer.json()["class"] == "wait"
        rows = answer.json()["receipts"]
        assert [row["invoiceNumber"] for row in reversed(rows)] == numbers


# --- the `Id` of a path (platform-contract.md 1 and 2.18) ---
BY_CARD = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"card": 117.98},
    "items": [{"sku": 1, "quantity": 2, "unitPrice": 58.99}],
} | DELIVERED
KEY = "0123456789abcdef"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wronged]:
    with wronged(tmp_path_factory.mktemp("shop")) as made:
        answer = made.send("issue", BY_CARD, headers={"Idempotency-Key": KEY})
        made.receipts["sale"] = answer.json()
        yield made


NAMES = {
    "number in small letters": lambda number, _: number.lower(),
    "id": lambda _, receipt_id: receipt_id,
    "id in capitals": lambda _, receipt_id: receipt_id.upper(),
    "upper-case percent": lambda number, _: number.replace("-", "%2D"),
    "all encoded": lambda number, _: "".join(f"%{ord(letter):02x}" for letter in number),
    "id encoded": lambda _, receipt_id: receipt_id.replace("-", "%2D"),
    "slash behind it": lambda number, _: f"{number}/",
}


def test_a_receipt_is_named_by(shop: Wronged) -> None:
    sale, before = shop.receipts["sale"], len(shop.entries())
    number = sale["invoiceNumber"]
    headers = {"Idempotency-Key": "a-copy-by-any-name"}
    copy = shop.send("copy", DELIVERED, on=number, headers=headers).json()
    assert copy["invoiceCounterExtension"] == "КП"
    for name, spelt in NAMES.items():
        path = f"{RECEIPTS}/{spelt(number, sale['id'])}".removesuffix("/")
        again = shop.ask("POST", f"{path}/copy", json=DELIVERED, headers=headers)
        assert (again.status_code, again.json()) == (200, copy), name
        assert shop.ask("GET", path).json() == sale, name
    assert len(shop.entries()) == before + 1


def test_a_key_names_a_receipt_when_it_is_looked_up_only(shop: Wronged) -> None:
    for key in (f"key:{KEY}", quote(f"key:{KEY}", safe="")):
        assert shop.ask("GET", f"{RECEIPTS}/{key}").json() == shop.receipts["sale"]
    for operation in ON_A_RECEIPT:
        refused = shop.ask(
            "POST", f"{RECEIPTS}/key:{KEY}/{operation}", json=OPERATIONS[operation][0]
        )
        assert refused.status_code == 404


NOBODY = [
    *("ABCD1234-ABCD1234-1", "00000000-0000-5000-8000-000000000000", "A/B", "A%2FB", "…"),
    *("%00", "%27%20OR%201=1", "x" * 201, "x" * 5000, "copy", " ", "key:", "key:another-key-0001"),
]


@each("reference", NOBODY)
@each("operation", ["", *ON_A_RECEIPT])
def test_nobody_s_name(shop: Wronged, operation: str, reference: str) -> None:
    if (reference, operation) == ("copy", ""):
        return  # that path takes another method
    before = shop.kept()
    if operation:
        good = OPERATIONS[operation][0]
        answer = shop.ask("POST", f"{RECEIPTS}/{reference}/{operation}", json=good)
    else:
        answer = shop.ask("GET", f"{RECEIPTS}/{reference}")
    body = error_of(answer)
    assert (answer.status_code, body["code"]) == (404, 40400001)
    assert (body["name"], body["class"]) == ("NotFoundError", "fix")
    assert (body["message"], body["validation"]) == ("Receipt not found", {})
    assert shop.kept() == before


METHODS = [
    *[("GET", f"/{{}}/{operation}", "POST") for operation in ON_A_RECEIPT],
    *[("DELETE", "/{}/refund", "POST"), ("PATCH", "/{}/advance", "POST")],
    *[(method, "/{}", "GET, HEAD") for method in ("POST", "DELETE", "PUT")],
    *[(method, "", "GET, HEAD, POST") for method in ("PUT", "PATCH", "DELETE")],
]


@each(("method", "path", "allowed"), METHODS)
def test_a_wrong_method_is_told(shop: Wronged, method: str, path: str, allowed: str) -> None:
    before = shop.kept()
    path = RECEIPTS + path.format(shop.receipts["sale"]["invoiceNumber"])
    answer = shop.ask(method, path, headers={"Content-Type": "application/json"})
    assert (answer.status_code, error_of(answer)["code"]) == (405, 40500001)
    assert sorted(answer.headers["Allow"].split(", ")) == allowed.split(", ")
    assert shop.kept() == before


@each("operation", ["reverse", "Refund", "close/close/x", "refunds"])
def test_an_operation_that_does_not_exist(shop: Wronged, operation: str) -> None:
    before = shop.kept()
    number = shop.receipts["sale"]["invoiceNumber"]
    answer = shop.ask("POST", f"{RECEIPTS}/{number}/{operation}", json=DELIVERED)
    assert (answer.status_code, error_of(answer)["code"]) == (404, 40400001)
    assert shop.kept() == before


# --- receipts that are none, or not yet ----------------------------------------------------------
async def asked(server: Running, receipt_id: str, operation: str) -> tuple[int, int, str]:
    path = f"{RECEIPTS}/{quote(receipt_id)}/{operation}"
    answer = await server.ask("POST", path, json=OPERATIONS[operation][0])
    body = error_of(answer)
    return answer.status_code, body["code"], body["class"]


async def test_a_receipt_that_was_refused_is_none_and_one_in_doubt_waits(folder: Path) -> None:
    async with running(folder) as server:
        server.shop.fault("refuse", code="2805")
        refused = await server.issue(BY_CARD, headers={"Idempotency-Key": KEY})
        assert (refused.status_code, refused.json()["code"]) == (400, 40012805)
        command = server.shop.journal.command_by_key("local", KEY)
        for operation in ON_A_RECEIPT:
            assert await asked(server, command.id, operation) == (404, 40400001, "fix")
        server.shop.fault("drop")
        server.shop.processor.change(unreachable={"lookup"})
        unknown = await server.issue(BY_CARD)
        assert unknown.status_code == 500
        for operation in ON_A_RECEIPT:
            told = await asked(server, unknown.json()["receiptId"], operation)
            assert told == (400, 40010001, "wait")
        assert len(server.shop.ledger()) == 0


# --- as others write them ------------------------------------------------------------------------
BY_HAND: dict[str, Any] = (
    {
        "invoiceType": "normal",
        "transactionType": "refund",
        "payments": {"card": 60},
        "items": [
            {"quantity": 1, "unitPrice": 60, "article": {"name": "Сто", "taxRateLabel": "Ђ"}}
        ],
    }
    | BUYER
    | DELIVERED
)


async def test_a_receipt_from_elsewhere_is_named_as_it_is_printed(folder: Path) -> None:
    async with running(folder) as server:
        for number, year in (
            ("XXXXXXXX-AB123456-17", 2015),
            ("XXXXXXXX-XXXXXXXX-17", 2015),
            ("F7CBZMLQ-Dt1Ov1o0-2109", 2026),
        ):
            time = f"{year}-03-01T10:00:00+01:00"
            body = BY_HAND | {"referentDocumentNumber": number, "referentDocumentDT": time}
            assert number in (await server.done(body))["journal"]
            sent = json.loads(server.shop.ledger()[-1].request)
            assert sent["referentDocumentNumber"] == number


def in_both_sizes(number: str) -> str:
    requested_by, signed_by, counter = number.split("-")
    letter = max(place for place, sign in enumerate(signed_by) if sign.isalpha())
    mixed = signed_by[:letter] + signed_by[letter].lower() + signed_by[letter + 1 :]
    return f"{requested_by}-{mixed}-{counter}"


def as_another_signer(answer: dict[str, Any]) -> None:
    """Change an answer into that of a V-PFR whose signer is named in letters of both sizes."""
    number = in_both_sizes(answer["invoiceNumber"])
    answer["journal"] = answer["journal"].replace(answer["invoiceNumber"], number)
    signer = number.split("-")[1]
    answer["invoiceNumber"], answer["signedBy"] = number, signer
    address, _, told = answer["verificationUrl"].partition("?vl=")
    sealed = base64.b64decode(unquote(told))[:-16]
    sealed = sealed[:9] + signer.encode() + sealed[17:]
    sealed += hashlib.md5(sealed, usedforsecurity=False).digest()
    answer["verificationUrl"] = f"{address}?vl={quote(base64.b64encode(sealed), safe='')}"


async def test_a_receipt_of_this_shop_is_found_in_letters_of_either_size(folder: Path) -> None:
    altered = Altered()
    async with running(folder, heard=altered.heard) as server:
        altered.receipt = as_another_signer
        sold = await server.done(LOAVES)
        number = sold["invoiceNumber"]
        assert number == in_both_sizes(server.shop.ledger()[0].number) != number.upper()
        for spelt in (number, number.upper(), number.lower(), f" {number} "):
            found = await server.ask("GET", f"{RECEIPTS}/{spelt}")
            assert found.status_code == 200, found.text
            assert found.json()["id"] == sold["id"]
        copy = await server.done({} | DELIVERED, f"/{number.upper()}/copy")
        assert copy["invoiceNumber"] != number
        by_hand = BACK | LOAVES | {"transactionType": "refund"}
        refund = by_hand | {"referentDocumentNumber": number.upper(), "buyerId": "10:123456788"}
        await server.done(refund)
        names = [json.loads(entry.request) for entry in server.shop.ledger()[1:3]]
        assert [one["referentDocumentNumber"] for one in names] == [number, number]
        again = await server.ask("POST", f"{RECEIPTS}/{number.lower()}/refund", json=BACK)
        assert "nothing of it is left" in error_of(again)["message"]
        assert (await server.status())["alarms"] == []
