"""The forms in which real processors write an answer: each receipt is signed, never doubted.

Everything goes over HTTP: the caller to the local API, and that to the development processor.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.integration.local_api.test_receipts import SALE, is_sending, keyed
from tests.integration.local_api.test_token_routes import in_doubt, post, reachable_again
from tests.integration.local_api.wires import Running, running, until

BUYER = {"buyerId": "10:100000024"}
PDF = {"receiptDelivery": {"pdf": False}}
TABLE = {
    "quantity": 1,
    "unitPrice": 12000,
    "article": {"name": "Сто", "taxRateLabel": "Ђ", "unit": "ком"},
}
ADVANCE = {
    "invoiceType": "advance",
    "transactionType": "sale",
    "payments": {"cash": 6000},
    "items": [TABLE],
    **BUYER,
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
    """Issue a sale, its copy and its refund, and an advance with what follows it."""
    sale = await server.done(SALE | BUYER | {"payments": {"cash": 20, "wiretransfer": 97.98}})
    number = sale["invoiceNumber"]
    assert (await server.done(PDF, f"/{number}/copy"))["invoiceNumber"]
    back = {"payments": {"cash": 117.98}, **BUYER, **PDF}
    assert len(await server.done(back, f"/{number}/refund")) == 2
    advance = (await server.done(ADVANCE))["invoiceNumber"]
    await server.done({"payments": {"card": 1000}, **PDF}, f"/{advance}/advance")
    await server.done({"payments": {"card": 5000}, **PDF}, f"/{advance}/close")


async def found_after_a_lost_answer(server: Running, key: str = LOST) -> None:
    server.shop.fault("sign_then_drop")
    assert (await server.issue(SALE | BUYER, headers=keyed(key))).status_code == 500
    await server.shop.until(key, "signed")
    again = await server.issue(SALE | BUYER, headers=keyed(key))
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
        one = await server.done(SALE | BUYER)
        server.shop.processor.change(forms={"requested_by": "lower"})
        await server.done(SALE)
        last = await server.done(SALE)
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
    """Sell while the processor is set back and its answer lost; return the receipt's id and the
    address on it."""
    server.shop.processor.change(delay_ms=300, unreachable={"lookup"})
    server.shop.fault("sign_then_drop")
    sending = asyncio.create_task(server.issue(SALE | BUYER, headers=keyed(LOST)))
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
        await server.done(SALE)
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
        await server.done(SALE | BUYER)
        lost, url = await lost_while_set_back(server)
        body = {"verificationUrl": url, "by": "Мика"}
        status, told = await post(server, f"/till/doubts/{lost}/found", body)
        assert (status, told["validation"]["body"]["keys"]) == (400, ["verificationUrl"])
        assert told["kind"] == "known_receipt"
