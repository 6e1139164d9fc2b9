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

import httpx
import pytest
from starlette.types import ASGIApp

from pos_app.documents import blocks
from pos_app.documents.receipt import ShopPaper, layout
from pos_app.fiscalization.issuing.results import find_receipt
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.processor import Processor
from pos_app.pfr_emulator.rates import PRODUCTION_RATES, RateGroup
from pos_app.wire.strict_json import dumps
from tests.integration.fiscalization.foreign_answers import Respelled
from tests.integration.local_api.test_receipts import SALE as FOR_CASH
from tests.integration.local_api.test_receipts import is_sending, keyed
from tests.integration.local_api.test_token_routes import in_doubt, post, reachable_again
from tests.integration.local_api.wires import Running, running, until
from tests.integration.local_api.wronged import BUYER, DELIVERED, RECEIPTS, error_of

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


def shown(block: object) -> tuple[str, ...]:
    match block:
        case blocks.PaymentCode(caption=caption):
            return caption
        case blocks.Lines(text) | blocks.Heading(text) | blocks.FramedNotice(text):
            return text
        case _:
            return ()


async def refunded(server: Running) -> dict[str, Any]:
    refund = await server.done(REFUND)
    return SALE | {"referentDocumentNumber": refund["invoiceNumber"].lower()}


def paper_of(server: Running, number: str) -> list[str]:
    journal = server.shop.journal
    request = find_receipt(journal, number)
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
    """Lose a receipt's answer, let a person confirm it by its paper, and return its number."""
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


# --- the forms in which real processors write an answer: each receipt is signed ---
FIRM = {"buyerId": "10:100000024"}
PDF = {"receiptDelivery": {"pdf": False}}
TABLE_ITEM = {
    "quantity": 1,
    "unitPrice": 12000,
    "article": {"name": "Сто", "taxRateLabel": "Ђ", "unit": "ком"},
}
ADVANCE = {
    "invoiceType": "advance",
    "transactionType": "sale",
    "payments": {"cash": 6000},
    "items": [TABLE_ITEM],
    **FIRM,
    **PDF,
}
FORMS: list[dict[str, Any]] = [
    {},
    {"buyer": "nul_left", "base64": "plain", "internal_bytes": 512, "zone": "none"},
    {"buyer": "nul_right", "base64": "percent_lower", "zone": "utc", "fraction_digits": 0},
    {"buyer": "blanks", "fraction_digits": 7, "journal_header": "centred"},
    {"optional": "null", "fraction_digits": 2},
    {"optional": "absent", "fraction_digits": 6, "journal_header": "centred"},
]
OTHERS = {
    "invoiceType": 0,
    "transactionType": 0,
    "payment": [{"amount": 1, "paymentType": 1}],
    "items": [{"name": "x", "quantity": 1, "unitPrice": 1, "totalAmount": 1, "labels": ["Ђ"]}],
}
LOST = "lost-0123456789ab"


async def all_of_them(server: Running) -> None:
    sale = await server.done(FOR_CASH | FIRM | {"payments": {"cash": 20, "wiretransfer": 97.98}})
    number = sale["invoiceNumber"]
    assert (await server.done(PDF, f"/{number}/copy"))["invoiceNumber"]
    back = {"payments": {"cash": 117.98}, **FIRM, **PDF}
    assert len(await server.done(back, f"/{number}/refund")) == 2
    advance = (await server.done(ADVANCE))["invoiceNumber"]
    await server.done({"payments": {"card": 1000}, **PDF}, f"/{advance}/advance")
    await server.done({"payments": {"card": 5000}, **PDF}, f"/{advance}/close")


async def found_after_a_lost_answer(server: Running, key: str = LOST) -> None:
    server.shop.fault("sign_then_drop")
    assert (await server.issue(FOR_CASH | FIRM, headers=keyed(key))).status_code == 500
    await server.shop.until(key, "signed")
    again = await server.issue(FOR_CASH | FIRM, headers=keyed(key))
    assert again.json()["invoiceNumber"] == server.shop.ledger()[-1].number


async def brought_by_a_person(server: Running, key: str) -> None:
    receipt_id = await in_doubt(server, key)
    url = json.loads(server.shop.ledger()[-1].answer)["verificationUrl"]
    body = {"verificationUrl": url, "by": "Мика"}
    status, told = await post(server, f"/till/doubts/{receipt_id}/found", body)
    assert (status, told.get("invoiceNumber")) == (200, server.shop.ledger()[-1].number)
    reachable_again(server)


@pytest.mark.deadline(120)
async def test_each_form_ends_signed(folder: Path) -> None:
    async with running(folder) as server:
        journal = server.shop.journal
        for place, forms in enumerate(FORMS):
            before, lost = len(server.shop.ledger()), f"{LOST}-{place}"
            server.shop.processor.change(forms=forms)
            await all_of_them(server)
            await found_after_a_lost_answer(server, lost)
            await brought_by_a_person(server, f"doubted-{place:08}")
            signed = server.shop.ledger()[before:]
            assert (journal.open_requests(), journal.findings.alarms()) == ((), ()), forms
            assert all(journal.request_of_number(one.number) for one in signed), forms
            assert len(signed) == 10


async def test_what_differs_is_an_alarm_beside_a_signed_receipt(folder: Path) -> None:
    async with running(folder) as server:
        server.shop.fault("wrong_buyer", lasting=True)
        one = await server.done(FOR_CASH | FIRM)
        server.shop.processor.change(forms={"requested_by": "lower"})
        await server.done(FOR_CASH)
        last = await server.done(FOR_CASH)
        status = await server.status()
        told = [(a["what"], a["differs"], a["number"], a["receipts"]) for a in status["alarms"]]
        assert told == [
            ("echo", ["buyer"], one["invoiceNumber"], 1),
            ("echo", ["requestedBy"], last["invoiceNumber"], 2),
        ]
        for alarm in status["alarms"]:
            await post(server, f"/till/alarms/{alarm['id']}/seen", {"by": "Мика"})
        assert server.shop.journal.findings.alarms() == ()
        await found_after_a_lost_answer(server)
        (alarm,) = server.shop.journal.findings.alarms()
        assert (alarm.differs, alarm.receipts) == (("requestedBy",), 1)


async def lost_while_set_back(server: Running) -> tuple[str, str]:
    """Sell while the processor is set back, its answer lost; return id and address."""
    server.shop.processor.change(delay_ms=300, unreachable={"lookup"})
    server.shop.fault("sign_then_drop")
    sending = asyncio.create_task(server.issue(FOR_CASH | FIRM, headers=keyed(LOST)))
    await until(lambda: is_sending(server))
    server.shop.processor.restart_counters()
    lost = (await sending).json()["receiptId"]
    server.shop.processor.change(delay_ms=0, unreachable=set())
    return lost, json.loads(server.shop.ledger()[-1].answer)["verificationUrl"]


async def test_a_counter_that_was_set_back_is_no_reason_to_refuse_the_paper(folder: Path) -> None:
    async with running(folder) as server:
        for _ in range(2):  # another program's receipts, unknown to the journal
            async with httpx.AsyncClient(trust_env=False) as client:
                await client.post(f"{server.shop.url}/api/v3/invoices", json=OTHERS)
        await server.done(FOR_CASH)
        (alarm,) = server.shop.journal.findings.alarms()
        assert (alarm.counter_before, alarm.counter_now) == (0, 2)
        server.shop.journal.findings.see(alarm.id, by="Мика", now=alarm.at)
        lost, url = await lost_while_set_back(server)
        body = {"verificationUrl": url, "by": "Мика"}
        status, told = await post(server, f"/till/doubts/{lost}/found", body)
        assert (status, told.get("id")) == (200, lost)
        assert told["totalCounter"] == 1


async def test_a_number_of_another_sale_is_refused(folder: Path) -> None:
    async with running(folder) as server:
        await server.done(FOR_CASH | FIRM)
        lost, url = await lost_while_set_back(server)
        body = {"verificationUrl": url, "by": "Мика"}
        status, told = await post(server, f"/till/doubts/{lost}/found", body)
        assert (status, told["validation"]["body"]["keys"]) == (400, ["verificationUrl"])
        assert told["kind"] == "known_receipt"
