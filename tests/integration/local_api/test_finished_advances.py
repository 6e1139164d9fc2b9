"""Advances that a sale finishes: those of another system, refunded by hand here; and the tax in
advances, below a closing: it is known or the closing is refused, never silently 0.

Source: fiscal.md 2, 6.2, 6.3 and 6.6.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp

from pos_app.documents.receipt import ShopPaper, layout
from pos_app.fiscalization.issuing.results import find_receipt
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.processor import Processor
from pos_app.pfr_emulator.rates import PRODUCTION_RATES, RateGroup
from pos_app.wire.strict_json import dumps
from tests.integration.fiscalization.foreign_answers import Respelled
from tests.integration.local_api.wires import Running, running, until
from tests.integration.local_api.wronged import BUYER, DELIVERED, RECEIPTS, error_of
from tests.unit.documents.test_esir_on_paper import shown

KEYED = {"Idempotency-Key": "finish-0123456789"}
TABLE = {"name": "Сто", "taxRateLabel": "Ђ"}
REFUND: dict[str, Any] = (
    {
        "invoiceType": "advance",
        "transactionType": "refund",
        "referentDocumentNumber": "XYZW1234-XYZW1234-8652",
        "referentDocumentDT": "2026-03-01T10:00:00+01:00",
        "payments": {"card": 60},
        "items": [{"quantity": 1, "unitPrice": 60, "article": TABLE}],
    }
    | BUYER
    | DELIVERED
)
SALE: dict[str, Any] = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 50},
    "items": [{"quantity": 1, "unitPrice": 100, "article": TABLE}],
} | DELIVERED


async def refunded(server: Running) -> dict[str, Any]:
    """Return the sale that refers to a refund which was just signed."""
    refund = await server.done(REFUND)
    return SALE | {"referentDocumentNumber": refund["invoiceNumber"].lower()}


def paper_of(server: Running, number: str) -> list[str]:
    journal = server.shop.journal
    request = find_receipt(journal, number)
    assert request is not None
    receipt = journal.receipt(request.id)
    assert receipt is not None
    made = layout(
        receipt=receipt,
        document=request.document,
        esir=request.planned.esir,
        shop=ShopPaper(not_fiscal=False),
    )
    return [line for block in made.blocks for line in shown(block)]


async def test_it_is_finished_once(folder: Path) -> None:
    async with running(folder) as server:
        sale = await refunded(server)
        first = await server.issue(sale, headers=KEYED)
        assert first.status_code == 200, first.text
        assert (await server.issue(sale, headers=KEYED)).json() == first.json()
        again = await server.issue(sale | {"additionalText": "опет"})
        told = error_of(again)
        assert (again.status_code, told["class"]) == (400, "fix")
        assert told["validation"]["body"]["keys"] == ["referentDocumentNumber"]
        assert first.json()["invoiceNumber"] in told["message"]
        assert len(server.shop.ledger()) == 2
        lines = paper_of(server, first.json()["invoiceNumber"])
        for words in (
            "Плаћено авансом:                   60,00",
            "ПДВ на авансу:                     10,00",
            "Преостало за плаћање:              40,00",
            "                  XYZW1234-XYZW1234-8652",
            "                    01.03.2026. 10:00:00",
            "Повраћај:                          10,00",
        ):
            assert words in lines


async def test_two_sales_at_once_finish_it_once(folder: Path) -> None:
    async with running(folder) as server:
        sale = await refunded(server)
        bodies = [sale | {"additionalText": text} for text in "абвг"]
        answers = await asyncio.gather(*map(server.issue, bodies))
        assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400]
        assert len(server.shop.ledger()) == 2


# --- the tax in advances -------------------------------------------------------------------------

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
    | BUYER
    | DELIVERED
)
MORE = {"payments": {"cash": 240}} | DELIVERED
REST = {"payments": {"card": 2040}} | DELIVERED
PAID_TAX = "ПДВ на авансу:                     {}"
Change = Callable[[dict[str, Any]], None]


class Altered:
    """A processor whose answers and status are changed on their way by `receipt` and `status`."""

    def __init__(self) -> None:
        self.receipt: Change = lambda answer: None
        self.status: Change = lambda answer: None

    def heard(self, processor: Processor) -> ASGIApp:
        return Respelled(create_app(processor), self._changed)

    def _changed(self, answer: dict[str, Any]) -> bytes:
        change = self.status if "currentTaxRates" in answer else self.receipt
        change(answer)
        return dumps(answer)


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


async def confirmed(server: Running, body: dict[str, Any], path: str = "") -> str:
    """Lose a receipt's answer, let a person confirm the receipt by its paper, and return its
    number."""
    processor = server.shop.processor
    server.shop.fault("sign_then_drop")
    processor.change(unreachable={"lookup"})
    lost = await server.ask("POST", f"{RECEIPTS}{path}", json=body)
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
    _, sold = await server.done(REST, f"/{number}/close")
    return paper_of(server, sold["invoiceNumber"])


async def test_advances_that_a_person_confirmed_add_up_with_the_others(folder: Path) -> None:
    """60 of Ђ and 60 of Е, then 120 and 120: 180 × 20/120 + 180 × 10/110. A confirmed one has the
    rates of its own time."""
    async with running(folder) as server:
        for first, second in ((True, False), (False, True), (True, True)):
            order = ORDER | {"additionalText": f"{first} {second}"}
            if first:
                number = await confirmed(server, order)
            else:
                number = (await server.done(order))["invoiceNumber"]
            path = f"/{number}/advance"
            await (confirmed(server, MORE, path) if second else server.done(MORE, path))
            assert PAID_TAX.format("46,36") in await closed(server, number)
        number = await confirmed(server, ORDER | {"payments": {"cash": 360}})
        processor, last = server.shop.processor, PRODUCTION_RATES[-1]
        higher = tuple(
            replace(one, rates={label: rate + 2 for label, rate in one.rates.items()})
            for one in last.categories
        )
        changed = (*PRODUCTION_RATES, RateGroup(9, datetime.now(UTC), higher))
        processor.options = replace(processor.options, rates=changed)
        assert PAID_TAX.format("46,36") in await closed(server, number)


async def test_an_answer_that_does_not_tell_its_tax_is_taxed_all_the_same(folder: Path) -> None:
    """What its journal prints needs no rates."""
    altered = Altered()
    async with running(folder, heard=altered.heard) as server:
        for change in (without_taxes, without_taxes_and_journal, numbers_as_text):
            altered.receipt = change
            number = (await server.done(ORDER))["invoiceNumber"]
            altered.receipt = lambda answer: None
            await server.done(MORE, f"/{number}/advance")
            assert PAID_TAX.format("46,36") in await closed(server, number)
        altered.status, altered.receipt = without_rates, without_taxes
        await until(lambda: not rates_of(server))
        number = (await server.done(ORDER | {"payments": {"cash": 360}}))["invoiceNumber"]
        assert PAID_TAX.format("46,36") in await closed(server, number)


def rates_of(server: Running) -> object:
    status = server.shop.lane.status
    return status is None or status.rates


async def test_a_closing_waits_for_a_processor_that_told_no_rates_yet(folder: Path) -> None:
    async with running(folder) as server:
        number = await confirmed(server, ORDER | {"payments": {"cash": 360}})
    altered = Altered()
    async with running(folder, heard=altered.heard, until_compared=False) as server:
        server.shop.processor.change(unreachable={"status"})
        await until(lambda: server.shop.lane.closed() is not None)
        answer = await server.ask("POST", f"{RECEIPTS}/{number}/close", json=REST)
        assert (answer.status_code, error_of(answer)["class"]) == (400, "wait")
        server.shop.processor.change(unreachable=set())
        await until(server.shop.lane.is_compared)
        assert PAID_TAX.format("46,36") in await closed(server, number)


async def test_the_refund_of_another_systems_advance_is_taxed_so_too(folder: Path) -> None:
    altered = Altered()
    async with running(folder, heard=altered.heard) as server:
        number = await confirmed(server, REFUND)
        sale = SALE | {"referentDocumentNumber": number}
        altered.status = without_rates
        await until(lambda: not rates_of(server))
        answer = await server.issue(sale)
        told = error_of(answer)
        assert (answer.status_code, told["class"]) == (400, "fix")
        assert told["validation"]["body"]["keys"] == ["referentDocumentNumber"]
        altered.status = lambda answer: None
        await until(lambda: bool(server.shop.lane.status and server.shop.lane.status.rates))
        sold = await server.done(sale)
        assert PAID_TAX.format("10,00") in paper_of(server, sold["invoiceNumber"])
