"""The tax in advances, below a closing: it is known or the closing is refused, never silently 0.

Source: fiscal.md 2 and 6.2.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.processor import Processor
from pos_app.pfr_emulator.rates import PRODUCTION_RATES, RateGroup
from tests.integration.local_api import wronged
from tests.integration.local_api.test_foreign_advance import REFUND, SALE, paper_of
from tests.integration.local_api.wires import Running, running, until

TABLE = {"name": "Сто", "taxRateLabel": "Ђ"}
BOOK = {"name": "Књига", "taxRateLabel": "Е"}
ORDER: dict[str, Any] = (
    {
        "invoiceType": "advance",
        "transactionType": "sale",
        "payments": {"cash": 120},
        "items": [
            {"quantity": 1, "unitPrice": 1200, "article": TABLE},
            {"quantity": 1, "unitPrice": 1200, "article": BOOK},
        ],
    }
    | wronged.BUYER
    | wronged.DELIVERED
)
MORE = {"payments": {"cash": 240}} | wronged.DELIVERED
REST = {"payments": {"card": 2040}} | wronged.DELIVERED
PAID_TAX = "ПДВ на авансу:                     {}"
Change = Callable[[dict[str, Any]], None]


class Altered:
    """A processor whose answers and status are changed on their way by `receipt` and `status`."""

    def __init__(self) -> None:
        self.receipt: Change = lambda answer: None
        self.status: Change = lambda answer: None

    def heard(self, processor: Processor) -> ASGIApp:
        app = create_app(processor)

        async def changed(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            change = self.status if scope["path"].endswith("/status") else self.receipt
            told = list[Message]()

            async def keep(message: Message) -> None:
                told.append(message)

            await app(scope, receive, keep)
            if not told:
                return  # the connection was cut
            body = b"".join(one.get("body", b"") for one in told[1:])
            if told[0]["status"] == 200:
                answer = json.loads(body)
                change(answer)
                body = json.dumps(answer).encode()
            head = [pair for pair in told[0]["headers"] if pair[0] != b"content-length"]
            length = (b"content-length", str(len(body)).encode())
            await send({**told[0], "headers": [*head, length]})
            await send({"type": "http.response.body", "body": body})

        return changed


def without_taxes(answer: dict[str, Any]) -> None:
    answer.pop("taxItems", None)


def without_taxes_and_journal(answer: dict[str, Any]) -> None:
    answer.pop("taxItems", None)
    answer.pop("journal", None)


def numbers_as_text(answer: dict[str, Any]) -> None:
    for item in answer.get("taxItems", ()):
        item["rate"], item["amount"] = f"{item['rate']:.2f}", f"{item['amount']:.4f}"
    if "totalAmount" in answer:
        answer["totalAmount"] = f"{answer['totalAmount']:.2f}"


def without_rates(answer: dict[str, Any]) -> None:
    answer["currentTaxRates"], answer["allTaxRates"] = None, []


async def issued(server: Running, body: dict[str, Any], path: str = "") -> Any:
    answer = await server.ask("POST", f"{wronged.RECEIPTS}{path}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def confirmed(server: Running, body: dict[str, Any], path: str = "") -> str:
    """Lose a receipt's answer, let a person confirm the receipt by its paper, and return its
    number."""
    processor = server.shop.processor
    server.shop.fault("sign_then_drop")
    processor.change(unreachable={"lookup"})
    lost = await server.ask("POST", f"{wronged.RECEIPTS}{path}", json=body)
    assert lost.status_code == 500, lost.text
    entry = server.shop.ledger()[-1]
    paper = {"verificationUrl": json.loads(entry.answer)["verificationUrl"], "by": "Мика"}
    where = f"/till/doubts/{lost.json()['receiptId']}/found"
    found = await server.ask("POST", where, json=paper, headers=server.till)
    assert found.status_code == 200, found.text
    assert found.json()["taxItems"] is None
    processor.change(unreachable=set())
    return entry.number


async def closed(server: Running, number: str) -> list[str]:
    _, sold = await issued(server, REST, f"/{number}/close")
    return paper_of(server, sold["invoiceNumber"])


@pytest.mark.parametrize("lost", [(True, False), (False, True), (True, True)])
async def test_advances_that_a_person_confirmed_add_up_with_the_others(
    folder: Path, lost: tuple[bool, bool]
) -> None:
    """60 of Ђ and 60 of Е, then 120 and 120: 180 × 20/120 + 180 × 10/110."""
    async with running(folder) as server:
        first, second = lost
        if first:
            number = await confirmed(server, ORDER)
        else:
            number = (await issued(server, ORDER))["invoiceNumber"]
        path = f"/{number}/advance"
        await (confirmed(server, MORE, path) if second else issued(server, MORE, path))
        assert PAID_TAX.format("46,36") in await closed(server, number)


@pytest.mark.parametrize("change", [without_taxes, without_taxes_and_journal, numbers_as_text])
async def test_an_answer_that_does_not_tell_its_tax_is_taxed_all_the_same(
    folder: Path, change: Change
) -> None:
    altered = Altered()
    async with running(folder, heard=altered.heard) as server:
        altered.receipt = change
        number = (await issued(server, ORDER))["invoiceNumber"]
        altered.receipt = lambda answer: None
        await issued(server, MORE, f"/{number}/advance")
        assert PAID_TAX.format("46,36") in await closed(server, number)


async def test_what_its_journal_prints_needs_no_rates(folder: Path) -> None:
    altered = Altered()
    altered.status = without_rates
    altered.receipt = without_taxes
    async with running(folder, heard=altered.heard) as server:
        number = (await issued(server, ORDER | {"payments": {"cash": 360}}))["invoiceNumber"]
        assert PAID_TAX.format("46,36") in await closed(server, number)


async def test_a_confirmed_advance_has_the_rates_of_its_own_time(folder: Path) -> None:
    async with running(folder) as server:
        number = await confirmed(server, ORDER | {"payments": {"cash": 360}})
        processor, last = server.shop.processor, PRODUCTION_RATES[-1]
        higher = tuple(
            replace(one, rates={label: rate + 2 for label, rate in one.rates.items()})
            for one in last.categories
        )
        changed = (*PRODUCTION_RATES, RateGroup(9, datetime.now(UTC), higher))
        processor.options = replace(processor.options, rates=changed)
        assert PAID_TAX.format("46,36") in await closed(server, number)


def without_label(answer: dict[str, Any]) -> None:
    groups = [*answer["allTaxRates"], answer["currentTaxRates"]]
    for group in groups:
        for category in group["taxCategories"]:
            category["taxRates"] = [one for one in category["taxRates"] if one["label"] != "Е"]


@pytest.mark.parametrize(("change", "label"), [(without_rates, "Ђ"), (without_label, "Е")])
async def test_a_tax_that_nobody_tells_refuses_the_closing_before_anything_is_signed(
    folder: Path, change: Change, label: str
) -> None:
    altered = Altered()
    altered.status = change
    async with running(folder, heard=altered.heard) as server:
        number = await confirmed(server, ORDER)
        answer = await server.ask(
            "POST", f"{wronged.RECEIPTS}/{number}/close", json=REST | {"payments": {"card": 2280}}
        )
        told = wronged.error_of(answer)
        assert (answer.status_code, told["class"]) == (400, "fix")
        assert told["validation"]["params"]["keys"] == ["Id"]
        assert number in told["message"]
        assert f'"{label}"' in told["message"]
        assert [entry.number for entry in server.shop.ledger()] == [number]


async def test_a_closing_waits_for_a_processor_that_told_no_rates_yet(folder: Path) -> None:
    async with running(folder) as server:
        number = await confirmed(server, ORDER | {"payments": {"cash": 360}})
    altered = Altered()
    async with running(folder, heard=altered.heard, until_compared=False) as server:
        server.shop.processor.change(unreachable={"status"})
        await until(lambda: server.shop.lane.closed() is not None)
        answer = await server.ask("POST", f"{wronged.RECEIPTS}/{number}/close", json=REST)
        assert (answer.status_code, wronged.error_of(answer)["class"]) == (400, "wait")
        server.shop.processor.change(unreachable=set())
        await until(server.shop.lane.is_compared)
        assert PAID_TAX.format("46,36") in await closed(server, number)


async def test_the_refund_of_another_systems_advance_is_taxed_so_too(folder: Path) -> None:
    altered = Altered()
    async with running(folder, heard=altered.heard) as server:
        number = await confirmed(server, REFUND)
        sale = SALE | {"referentDocumentNumber": number}
        altered.status = without_rates
        await until(
            lambda: server.shop.lane.status is not None and not server.shop.lane.status.rates
        )
        answer = await server.issue(sale)
        told = wronged.error_of(answer)
        assert (answer.status_code, told["class"]) == (400, "fix")
        assert told["validation"]["body"]["keys"] == ["referentDocumentNumber"]
        altered.status = lambda answer: None
        await until(lambda: bool(server.shop.lane.status and server.shop.lane.status.rates))
        sold = await issued(server, sale)
        assert PAID_TAX.format("10,00") in paper_of(server, sold["invoiceNumber"])
