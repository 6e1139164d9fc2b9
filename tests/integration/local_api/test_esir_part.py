"""The ESIR's part below a receipt, as the journal keeps it: the achieved discounts of a closing,
and the remark on a refund that could not be checked. Source: fiscal.md 6.2, 6.6 and 6.10."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.esir_part import LoweredLine
from pos_app.fiscalization.issuing.results import find_receipt
from tests.integration.local_api.wires import running
from tests.integration.local_api.wronged import BUYER, DELIVERED, RECEIPTS

TABLE: dict[str, Any] = {
    "quantity": 1,
    "unitPrice": 12000,
    "article": {"name": "Сто", "taxRateLabel": "Ђ"},
}
ADVANCE = {
    "invoiceType": "advance",
    "transactionType": "sale",
    "payments": {"card": 1000},
    "items": [TABLE],
} | DELIVERED
STATED = TABLE | {"totalAmount": 10_000}


@pytest.mark.parametrize(
    ("begun", "closed", "saved", "percent"),
    [
        ({"discount": 10}, {"payments": {"card": 9800}}, "1200.00", "10"),
        ({"discount": 12.5}, {"payments": {"card": 9500}}, "1500.00", "12.5"),
        ({"items": [STATED]}, {"payments": {"card": 9000}}, "2000.00", None),
        (
            {"unknownAmountAdvance": True},
            {"payments": {"card": 9000}, "items": [STATED]},
            "2000.00",
            None,
        ),
    ],
)
async def test_a_discount_agreed_on_with_an_advance_is_told_with_its_closing(
    folder: Path, begun: dict[str, Any], closed: dict[str, Any], saved: str, percent: str | None
) -> None:
    async with running(folder) as server:
        advance = (await server.issue(ADVANCE | begun)).json()["invoiceNumber"]
        path = f"{RECEIPTS}/{advance}/close"
        answer = await server.ask("POST", path, json=closed | DELIVERED)
        assert answer.status_code == 200, answer.text
        _, sale = answer.json()
        kept = find_receipt(server.shop.journal, sale["invoiceNumber"])
        assert kept is not None
        (lowered,) = kept.planned.esir.lowered
        assert isinstance(lowered, LoweredLine)
        assert lowered.name == "Сто"
        assert lowered.before - lowered.after == Money(saved)
        assert lowered.percent == (Percent(percent) if percent else None)


@pytest.mark.parametrize("kind", ["normal", "advance", "proforma", "training"])
async def test_the_refund_of_another_systems_receipt_is_marked_with_its_copy(
    folder: Path, kind: str
) -> None:
    body = (
        ADVANCE
        | BUYER
        | {
            "invoiceType": kind,
            "transactionType": "refund",
            "payments": {"cash": 12000},
            "referentDocumentNumber": "XYZW1234-XYZW1234-8652",
            "referentDocumentDT": "2026-03-01T10:00:00+01:00",
        }
    )
    async with running(folder) as server:
        answer = await server.issue(body)
        assert answer.status_code == 200, answer.text
        journal = server.shop.journal
        command = journal.requests_of(answer.json()["id"])
        assert [one.planned.esir.is_unchecked for one in command] == [True] * len(command)
        assert len(command) == (2 if kind in ("normal", "advance") else 1)
        sold = await server.issue(ADVANCE | {"invoiceType": "normal", "payments": {"card": 12000}})
        path = f"{RECEIPTS}/{sold.json()['invoiceNumber']}/refund"
        back = {"payments": {"card": 12000}} | BUYER | DELIVERED
        (known,) = (await server.ask("POST", path, json=back)).json()
        (kept,) = journal.requests_of(known["id"])
        assert not kept.planned.esir.is_unchecked
