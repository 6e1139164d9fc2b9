"""An advance of another system is refunded by hand here, and finished by a sale that refers to it.

Source: fiscal.md 6.2, 6.3 and 6.6.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from pos_app.documents.receipt import ShopPaper, layout
from pos_app.fiscalization.issuing.results import find_receipt
from tests.integration.local_api import wronged
from tests.integration.local_api.wires import Running, running
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
    | wronged.BUYER
    | wronged.DELIVERED
)
SALE: dict[str, Any] = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 50},
    "items": [{"quantity": 1, "unitPrice": 100, "article": TABLE}],
} | wronged.DELIVERED


async def refunded(server: Running) -> dict[str, Any]:
    """Return the sale that refers to a refund which was just signed."""
    answer = await server.issue(REFUND)
    assert answer.status_code == 200, answer.text
    return SALE | {"referentDocumentNumber": answer.json()["invoiceNumber"].lower()}


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
        told = wronged.error_of(again)
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


async def test_a_sale_that_was_not_sent_may_be_sent_again(folder: Path) -> None:
    async with running(folder) as server:
        sale = await refunded(server)
        server.shop.fault("refuse", code="1500")
        away = await server.issue(sale, headers=KEYED)
        assert (away.status_code, away.json()["class"]) == (400, "cure")
        done = await server.issue(sale, headers=KEYED)
        assert done.status_code == 200, done.text
        refund, sold = (json.loads(entry.request) for entry in server.shop.ledger())
        assert sold["referentDocumentNumber"] == server.shop.ledger()[0].number
        assert [one["amount"] for one in refund["payment"] + sold["payment"]] == [60, 50]


async def test_what_was_sold_so_is_refunded_by_its_own_operation(folder: Path) -> None:
    async with running(folder) as server:
        sold = (await server.issue(await refunded(server))).json()
        path = f"{wronged.RECEIPTS}/{sold['invoiceNumber']}/refund"
        back = {"payments": {"card": 100}} | wronged.BUYER | wronged.DELIVERED
        (refund,) = (await server.ask("POST", path, json=back)).json()
        assert refund["totalAmount"] == 100
        again = await server.ask("POST", path, json=back)
        assert "nothing of it is left" in wronged.error_of(again)["message"]
