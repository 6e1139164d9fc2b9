"""The list of receipts over HTTP: an ERP fetches a day without keeping numbers."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.data_folder import RECEIPT_INDEX
from pos_app.adapters.sqlite.receipt_index import feeding, index_file
from pos_app.domain.text.instant import day_of
from tests.integration.described_answers import Described
from tests.integration.fiscalization.shop import unreachable
from tests.integration.local_api.test_openapi import described
from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.wires import Running, running

DESCRIBED = Described.of(described())
RECEIPTS = "/fiscalization/receipts"
FIRM = {"buyerId": "10:104982316"}
PERSON = {"buyerId": "11:0101990710006"}
BY_TRANSFER = {"payments": {"wiretransfer": 117.98}}


async def fetched(server: Running, **query: str | int) -> list[dict[str, Any]]:
    """Follow the pages to the end, as an ERP does."""
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
            (("cashier", "Нико"),): [],
            (("program", "local"),): numbers,
            (("program", "web"),): [],
            (("clientId", "1"), ("words", "nothing is called so")): [],
        }
        for query, expected in table.items():
            rows = await fetched(server, **dict(query))
            assert [row["invoiceNumber"] for row in reversed(rows)] == expected, query


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
