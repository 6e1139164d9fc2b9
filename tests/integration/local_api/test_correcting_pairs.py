"""The second receipt of a pair, corrected by a person: over HTTP, at the development processor.

Source: exactly-once.md step 9 and invariants I4, I5, I8; platform-contract.md 3.
"""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import apsw
import pytest

from pos_app.domain.money.money import Money
from pos_app.local_api.receipt_response import DRAW_WITHIN
from tests.integration.local_api import test_pairs
from tests.integration.local_api.half_pairs import (
    WHO,
    corrected,
    doubts,
    kinds,
    refused,
    refused_closing,
    refused_refund,
    said,
)
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import BUYER, DELIVERED, error_of

CASH = {"payments": {"cash": 500}, "additionalText": "Хвала"} | BUYER | DELIVERED
"""The closing with another payment: 489.90 remain."""


def asked_of_processor(server: Running) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(server.shop.ledger()[-1].request)
    return found


async def test_a_corrected_closing_is_answered_with_both_receipts(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        before = await test_pairs.look(server, server.shop.ledger()[1].number)
        whole = await corrected(server, receipt_id, CASH)
        assert kinds(whole) == ["АР", "ПП"]
        sent = asked_of_processor(server)
        assert sent["buyerId"] == BUYER["buyerId"]
        assert [one["amount"] for one in sent["payment"]] == [500]
        assert sent["referentDocumentNumber"] == before.json()["invoiceNumber"]
        assert whole.json()[0] == before.json()
        assert (await test_pairs.look(server, receipt_id)).json() == whole.json()
        assert await doubts(server) == []
        assert len(server.shop.ledger()) == 3


async def test_the_key_stands_for_what_was_asked_and_for_its_correction(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        number = server.shop.ledger()[0].number
        server.shop.fault("refuse", code="2805")
        wrong = await corrected(server, receipt_id, CASH | {"additionalText": "прво"})
        assert (wrong.status_code, wrong.json()["state"]) == (200, "needs_human")
        for body in (test_pairs.REST, CASH | {"additionalText": "прво"}):
            test_pairs.half_done(await test_pairs.act(server, "close", number, body), server)
        whole = await corrected(server, receipt_id, CASH)
        for body in (test_pairs.REST, CASH):
            assert (await test_pairs.act(server, "close", number, body)).json() == whole.json()
        other = await test_pairs.act(server, "close", number, CASH | {"additionalText": "прво"})
        assert (other.status_code, error_of(other)["code"]) == (409, 40900001)
        assert len(server.shop.ledger()) == 3


async def test_a_correction_tells_what_of_it_was_ignored(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        delivery = {"receiptDelivery": {"pdf": False, "email": "kupac@example.rs"}}
        whole = await corrected(server, receipt_id, CASH | delivery | {"aditionalText": "a"})
        first, second = whole.json()
        assert "warnings" not in first
        assert [one["field"] for one in second["warnings"]] == [
            "aditionalText",
            "receiptDelivery.email",
        ]
        assert (await test_pairs.look(server, receipt_id)).json() == whole.json()


async def test_the_correction_has_a_request_id_of_its_own_and_is_kept(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        _, second = server.shop.journal.requests_of(receipt_id)
        await corrected(server, receipt_id, CASH)
        _, signed = server.shop.journal.requests_of(receipt_id)
        assert signed.pfr_request_id != second.pfr_request_id
        assert server.shop.ledger()[-1].request_id == signed.pfr_request_id
        assert (second.attempt, signed.attempt) == (1, 2)
        assert signed.document.total == Money("589.90")
    journal = apsw.Connection(str(folder / "journal" / "journal.db"))
    assert list(journal.execute("SELECT what, words FROM notes")) == [("corrected", "Милан")]
    assert list(journal.execute("SELECT count(*), max(attempt) FROM corrections")) == [(1, 2)]
    journal.close()


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"payments": {"card": 489.89}} | DELIVERED, "payments"),
    ({"payments": {"card": 589.9}} | DELIVERED, "payments"),
    ({"payments": {"card": 489.9}}, "receiptDelivery"),
    (
        {"payments": {"card": 489.9}, "receiptDelivery": {"a4Printer": True}},
        "receiptDelivery.a4Printer",
    ),
    (test_pairs.REST | {"items": [{"sku": 1, "quantity": 9, "unitPrice": 58.99}]}, "items"),
    (test_pairs.REST | {"items": [{"sku": 77, "quantity": 9, "unitPrice": 58.99}]}, "items[0].sku"),
    (
        test_pairs.REST | {"items": [{"sku": "1", "quantity": 9, "unitPrice": 58.99}]},
        "items[0].sku",
    ),
    (test_pairs.REST | {"buyerId": "10:1"}, "buyerId"),
    (test_pairs.REST | {"buyerCostCenterId": "20:AB"}, "buyerCostCenterId"),
    ({}, "payments"),
]


async def test_a_wrong_correction_names_its_member_and_changes_nothing(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        for body, key in WRONG:
            wrong = await corrected(server, receipt_id, body)
            problem = error_of(wrong)
            assert (wrong.status_code, problem["code"]) == (400, 40090001), body
            assert key in problem["validation"]["body"]["keys"]
            (doubt,) = await doubts(server)
            assert doubt["pair"]["ways"] == ["again", "correct", "reverse"]
            assert len(server.shop.ledger()) == 2
        assert kinds(await corrected(server, receipt_id, test_pairs.REST)) == ["АР", "ПП"]


@pytest.mark.parametrize("request_", [None, [], "x", 7])
async def test_what_is_no_body_at_all(folder: Path, request_: Any) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        wrong = await said(server, receipt_id, "correct", WHO | {"request": request_})
        assert (wrong.status_code, error_of(wrong)["validation"]["body"]["keys"]) == (
            400,
            ["request"],
        )


@pytest.mark.parametrize(
    ("changed", "key"),
    [
        ({"payments": {"cash": 58.99}, "items": [{"sku": 1, "quantity": 1}]}, "payments"),
        ({"payments": {"card": 589.9}}, "payments"),
        ({"buyerId": "11:0101990710006"}, "buyerId"),
        ({"buyerCostCenterId": "20:AB1"}, "buyerCostCenterId"),
    ],
)
async def test_a_copy_tells_the_same_as_its_refund(
    folder: Path, changed: dict[str, Any], key: str
) -> None:
    async with running(folder) as server:
        receipt_id = await refused_refund(server)
        wrong = await corrected(server, receipt_id, test_pairs.BACK | changed)
        problem = error_of(wrong)
        assert (wrong.status_code, problem["validation"]["body"]["keys"]) == (400, [key])
        assert len(server.shop.ledger()) == 2


async def test_a_copy_may_have_another_cashier_and_delivery(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_refund(server)
        body = test_pairs.BACK | {"receiptDelivery": {"pdf": True}}
        whole = await corrected(server, receipt_id, body, X_Cashier="%D0%91")
        assert kinds(whole) == ["ПР", "КР"]
        assert asked_of_processor(server)["cashier"] == "Б"
        assert "pdf" in whole.json()[1]
        assert "pdf" not in whole.json()[0]


async def test_the_copy_of_a_refund_by_issue_is_corrected_alike(folder: Path) -> None:
    """It refunds a receipt of another system: the answer of the operation is the one receipt."""
    by_hand = (
        test_pairs.SALE
        | BUYER
        | {
            "transactionType": "refund",
            "referentDocumentNumber": "XYZW1234-XYZW1234-8652",
            "referentDocumentDT": "2026-01-05T10:00:00+01:00",
        }
    )
    async with running(folder) as server:
        server.shop.fault("late_answer")
        server.shop.fault("refuse", code="2805")
        told = error_of(await server.issue(by_hand, headers=test_pairs.KEYED))
        wrong = await corrected(server, told["receiptId"], by_hand | {"transactionType": "sale"})
        assert error_of(wrong)["validation"]["body"]["keys"] == ["transactionType"]
        other = by_hand | {"referentDocumentNumber": "XYZW1234-XYZW1234-8653"}
        wrong = await corrected(server, told["receiptId"], other)
        assert error_of(wrong)["validation"]["body"]["keys"] == ["referentDocumentNumber"]
        done = await corrected(server, told["receiptId"], by_hand | {"additionalText": "x"})
        assert done.json()["invoiceCounterExtension"] == "ПР"
        assert len(server.shop.ledger()) == 2
        assert (await test_pairs.look(server, f"key:{test_pairs.KEY}")).json() == done.json()


async def test_the_server_finishes_a_corrected_pair_by_itself(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        server.shop.fault("refuse", code="1500")
        waits = await corrected(server, receipt_id, CASH)
        assert (waits.status_code, waits.json()["state"]) == (200, "released")
        await test_pairs.finished(server)
        assert kinds(await test_pairs.look(server, receipt_id)) == ["АР", "ПП"]
        assert asked_of_processor(server)["buyerId"] == BUYER["buyerId"]


async def test_a_correction_survives_the_server(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        server.shop.fault("refuse", code="1500", count=None)
        await corrected(server, receipt_id, CASH)
    async with running(folder) as server:
        await test_pairs.finished(server)
        assert asked_of_processor(server)["buyerId"] == BUYER["buyerId"]
        whole = await test_pairs.look(server, receipt_id)
        number = server.shop.ledger()[0].number
        assert (await test_pairs.act(server, "close", number, CASH)).json() == whole.json()


async def test_an_unknown_amount_may_come_to_another_sum(folder: Path) -> None:
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.ADVANCE | {"unknownAmountAdvance": True})
        receipt_id = await refused(server, "close", number, test_pairs.REST)
        less = {"payments": {"card": 200}} | DELIVERED
        whole = await corrected(server, receipt_id, less)
        assert [one["totalAmount"] for one in whole.json()] == [100, 300]


@pytest.mark.parametrize("way", ["again", "correct"])
async def test_a_pdf_holds_no_answer_to_a_person_up(
    folder: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """A PDF has only the time that is left after the receipt was signed."""
    monkeypatch.setattr("pos_app.local_api.pair_routes.WHOLE_WAY", 0.0)
    drawn = test_pairs.REST | {"receiptDelivery": {"base64pdf": True}}
    go_on = threading.Event()
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.ADVANCE)
        receipt_id = await refused(server, "close", number, drawn)
        server.pdf.wait_for = go_on
        began = time.monotonic()
        try:
            told = await said(
                server, receipt_id, way, WHO | ({"request": drawn} if way == "correct" else {})
            )
        finally:
            go_on.set()
        assert time.monotonic() - began < DRAW_WITHIN
        one = told.json() if way == "again" else told.json()[1]
        assert one["base64pdf"] is None
