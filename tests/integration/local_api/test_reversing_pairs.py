"""A person undoes the signed part of a half-done pair: over HTTP, at the development processor.

Source: exactly-once.md step 9; fiscal.md 6.6; platform-contract.md 3 (never 4xx once a receipt
exists).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from pos_app.adapters.api_client.decisions import DoubtHttp
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.domain.operations import Operation
from pos_app.domain.server_status import ReceiptInDoubt, ServerStatus
from pos_app.domain.tax import TaxLabel
from pos_app.errors import Refused
from pos_app.selling.server.answers import Issued
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
from tests.integration.local_api.test_pairs import (
    ADVANCE,
    BACK,
    KEY,
    KEYED,
    REST,
    SALE,
    act,
    begun,
    finished,
    look,
)
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import BUYER, DELIVERED, error_of

SELLER = "10:990000019"
"""The shop's own PIB, as the development processor signs it."""


def sent(server: Running, place: int) -> dict[str, Any]:
    """Return the request for the receipt at that position of the processor's ledger."""
    found: dict[str, Any] = json.loads(server.shop.ledger()[place].request)
    return found


def counters(server: Running) -> list[str]:
    answers = (json.loads(entry.answer) for entry in server.shop.ledger())
    return [one["invoiceCounterExtension"] for one in answers]


def reversed_error(answer: httpx.Response, server: Running) -> dict[str, Any]:
    """The error of a repeat names what is signed, and never says that nothing is."""
    body = error_of(answer)
    assert (answer.status_code, body["code"], body["class"]) == (500, 50010002, "unknown")
    assert (body["name"], body["state"]) == ("PairIncompleteError", "reversed")
    assert body["signed"] == [entry.number for entry in server.shop.ledger()[1:3]]
    assert all(number in body["message"] for number in body["signed"])
    return body


async def test_a_reversed_closing_leaves_the_advance_as_it_was(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        ended = await said(server, receipt_id, "reverse", WHO)
        numbers = [entry.number for entry in server.shop.ledger()]
        assert (ended.status_code, ended.json()) == (
            200,
            {"state": "reversed", "signed": numbers[1:]},
        )
        assert counters(server) == ["АП", "АР", "АП"]
        undone, reversal = sent(server, 1), sent(server, 2)
        assert reversal["referentDocumentNumber"] == numbers[1]
        assert reversal["buyerId"] == SELLER
        assert reversal["items"] == undone["items"]
        assert reversal["payment"] == undone["payment"]
        assert await doubts(server) == []

        more = await act(server, "advance", numbers[0], {"payments": {"card": 1}} | DELIVERED,
                         headers=None)  # fmt: skip
        assert more.status_code == 200, more.text
        assert sent(server, 3)["referentDocumentNumber"] == numbers[2]
        assert "buyerId" not in sent(server, 3)
        rest = {"payments": {"card": 488.9}} | DELIVERED
        assert kinds(await act(server, "close", numbers[0], rest, headers=None)) == ["АР", "ПП"]
        assert counters(server) == ["АП", "АР", "АП", "АП", "АР", "ПП"]


async def test_a_word_whose_answer_was_lost_is_answered_again(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        ended = await said(server, receipt_id, "reverse", WHO)
        for reference in (receipt_id, (await look(server, receipt_id)).json()["receiptId"]):
            again = await said(server, reference, "reverse", WHO)
            assert (again.status_code, again.json()) == (200, ended.json())
        other = await said(server, receipt_id, "again", WHO)
        assert (other.status_code, error_of(other)["state"]) == (409, "reversed")
        assert counters(server) == ["АП", "АР", "АП"]


async def test_its_key_and_its_look_up_tell_what_was_signed(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        number = server.shop.ledger()[0].number
        await said(server, receipt_id, "reverse", WHO)
        told = reversed_error(await act(server, "close", number, REST), server)
        assert told["receiptId"] == receipt_id
        for reference in (receipt_id, f"key:{KEY}"):
            found = await look(server, reference)
            assert found.status_code == 202
            assert found.json() == {
                "receiptId": receipt_id, "state": "reversed", "signed": told["signed"],
            }  # fmt: skip
        for one, extension in zip(told["signed"], ("АР", "АП"), strict=True):
            assert (await look(server, one)).json()["invoiceCounterExtension"] == extension
        other = await act(server, "close", number, REST | {"additionalText": "x"})
        assert (other.status_code, error_of(other)["code"]) == (409, 40900001)
        assert len(server.shop.ledger()) == 3
        again = await act(server, "close", number, REST, headers={"Idempotency-Key": "n" * 16})
        assert kinds(again) == ["АР", "ПП"]
        reversed_error(await act(server, "close", number, REST), server)


async def test_a_reversed_refund_lets_as_much_be_refunded_as_before(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_refund(server)
        number = server.shop.ledger()[0].number
        ended = await said(server, receipt_id, "reverse", WHO)
        assert ended.json()["state"] == "reversed"
        assert counters(server) == ["ПП", "ПР", "ПП"]
        reversal = sent(server, 2)
        assert reversal["referentDocumentNumber"] == server.shop.ledger()[1].number
        assert (reversal["buyerId"], reversal["items"]) == (SELLER, sent(server, 1)["items"])
        undoing = server.shop.ledger()[2].number
        wrong = await act(server, "refund", undoing, BACK, headers=None)
        assert (wrong.status_code, error_of(wrong)["code"]) == (400, 40090001)
        assert "undoes a refund" in error_of(wrong)["message"]
        whole = await act(server, "refund", number, BACK, headers=None)
        assert kinds(whole) == ["ПР", "КР"]
        late = await act(server, "refund", number, BACK | {"additionalText": "x"}, headers=None)
        assert "refunded already" in error_of(late)["message"]


async def test_a_reversed_refund_by_issue(folder: Path) -> None:
    by_hand = SALE | BUYER | {
        "transactionType": "refund",
        "referentDocumentNumber": "XYZW1234-XYZW1234-8652",
        "referentDocumentDT": "2026-01-05T10:00:00+01:00",
    }  # fmt: skip
    async with running(folder) as server:
        server.shop.fault("late_answer")
        server.shop.fault("refuse", code="2805")
        told = error_of(await server.issue(by_hand, headers=KEYED))
        ended = await said(server, told["receiptId"], "reverse", WHO)
        assert ended.json()["state"] == "reversed"
        assert counters(server) == ["ПР", "ПП"]
        repeated = await server.issue(by_hand, headers=KEYED)
        assert (repeated.status_code, error_of(repeated)["state"]) == (500, "reversed")


async def test_a_reversal_that_is_refused_waits_for_a_person_again(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        server.shop.fault("refuse", code="2806")
        ended = await said(server, receipt_id, "reverse", WHO)
        assert (ended.status_code, ended.json()["state"]) == (200, "needs_human")
        (doubt,) = await doubts(server)
        waiting = doubt["pair"]["waiting"]
        assert (waiting["isReversal"], waiting["invoiceType"]) == (True, "advance")
        assert (waiting["total"], waiting["code"]) == (100, "2806")
        assert kinds(await corrected(server, receipt_id, REST)) == ["АР", "ПП"]


async def test_the_same_reversal_is_tried_again(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        server.shop.fault("refuse", code="2806")
        await said(server, receipt_id, "reverse", WHO)
        ended = await said(server, receipt_id, "again", WHO)
        assert ended.json()["state"] == "reversed"
        assert counters(server) == ["АП", "АР", "АП"]


async def test_the_server_finishes_a_reversal_by_itself_also_after_a_restart(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        server.shop.fault("refuse", code="1500", count=None)
        ended = await said(server, receipt_id, "reverse", WHO)
        assert ended.json()["state"] == "released"
        number = server.shop.ledger()[0].number
        waits = await act(server, "close", number, REST | {"additionalText": "x"}, headers=None)
        assert (waits.status_code, error_of(waits)["class"]) == (400, "wait")
    async with running(folder) as server:
        await finished(server)
        assert counters(server) == ["АП", "АР", "АП"]
        reversed_error(await act(server, "close", number, REST), server)
    journal = apsw.Connection(str(folder / "journal" / "journal.db"))
    assert list(journal.execute("SELECT what, words FROM notes")) == [("reversed", "Милан")]
    journal.close()


async def test_a_keyless_request_hears_of_its_reversal_too(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server, headers=None)
        number = server.shop.ledger()[0].number
        await said(server, receipt_id, "reverse", WHO)
        reversed_error(await act(server, "close", number, REST, headers=None), server)
        assert len(server.shop.ledger()) == 3


async def test_two_labels_come_back_label_by_label(folder: Path) -> None:
    both = ADVANCE | {
        "items": [
            {"sku": 1, "quantity": 10, "unitPrice": 58.99},
            {"sku": 2, "quantity": 1, "unitPrice": 410.1},
        ]
    }
    async with running(folder) as server:
        number = await begun(server, both)
        rest = {"payments": {"card": 900}} | DELIVERED
        receipt_id = await refused(server, "close", number, rest)
        await said(server, receipt_id, "reverse", WHO)
        items = sent(server, 2)["items"]
        assert {one["labels"][0]: one["totalAmount"] for one in items} == {
            TaxLabel.E: 58.99,
            TaxLabel.DJ: 41.01,
        }


@pytest.mark.parametrize("way", ["sign_then_drop", "drop", "html_500"])
async def test_an_answer_to_a_reversal_that_is_lost_is_looked_up(folder: Path, way: str) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        server.shop.fault(way)
        await said(server, receipt_id, "reverse", WHO)
        await finished(server)
        assert counters(server) == ["АП", "АР", "АП"]


async def test_the_till_s_own_client_is_told_of_a_pair_and_ends_it(folder: Path) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        receipt_id = await refused_closing(server)
        desk = DoubtHttp(api)
        (doubt,) = await desk.listed(ReceiptInDoubt)
        assert doubt.pair is not None
        assert doubt.pair.operation is Operation.CLOSE
        assert doubt.pair.ways == ("again", "correct", "reverse")
        signed, waiting = doubt.pair.first, doubt.pair.waiting
        assert (signed.number, str(signed.total)) == (server.shop.ledger()[1].number, "100.00")
        assert (waiting.code, str(waiting.total)) == ("2805", "589.90")
        status = await FiscalHttp(api).status()
        assert isinstance(status, ServerStatus)
        assert [one.half_done for one in status.open] == [True]
        server.shop.fault("refuse", code="2805")
        assert await desk.pair_again(receipt_id, by="Ана") == "needs_human"
        assert await desk.reverse_pair(receipt_id, by="Ана") == "reversed"
        assert await desk.listed(ReceiptInDoubt) == ()
        assert await desk.reverse_pair(receipt_id, by="Ана") == "reversed"
        with pytest.raises(Refused):
            await desk.pair_again(receipt_id, by="Ана")


async def test_the_till_s_own_client_has_a_pair_finished(folder: Path) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        receipt_id = await refused_closing(server)
        done = await DoubtHttp(api).pair_again(receipt_id, by="Ана")
        assert isinstance(done, Issued)
        assert done.receipt.invoice_number == server.shop.ledger()[-1].number
