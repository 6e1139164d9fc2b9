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
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import ServerStatus
from pos_app.errors import Refused
from pos_app.selling.server.answers import Issued
from tests.integration.local_api import half_pairs, test_pairs
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
        receipt_id = await half_pairs.refused_closing(server)
        ended = await half_pairs.said(server, receipt_id, "reverse", half_pairs.WHO)
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
        assert await half_pairs.doubts(server) == []

        more = await test_pairs.act(
            server, "advance", numbers[0], {"payments": {"card": 1}} | DELIVERED, headers=None
        )
        assert more.status_code == 200, more.text
        assert sent(server, 3)["referentDocumentNumber"] == numbers[2]
        assert "buyerId" not in sent(server, 3)
        rest = {"payments": {"card": 488.9}} | DELIVERED
        assert half_pairs.kinds(
            await test_pairs.act(server, "close", numbers[0], rest, headers=None)
        ) == ["АР", "ПП"]
        assert counters(server) == ["АП", "АР", "АП", "АП", "АР", "ПП"]


async def test_a_word_whose_answer_was_lost_is_answered_again(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        ended = await half_pairs.said(server, receipt_id, "reverse", half_pairs.WHO)
        for reference in (
            receipt_id,
            (await test_pairs.look(server, receipt_id)).json()["receiptId"],
        ):
            again = await half_pairs.said(server, reference, "reverse", half_pairs.WHO)
            assert (again.status_code, again.json()) == (200, ended.json())
        other = await half_pairs.said(server, receipt_id, "again", half_pairs.WHO)
        assert (other.status_code, error_of(other)["state"]) == (409, "reversed")
        assert counters(server) == ["АП", "АР", "АП"]


async def test_its_key_and_its_look_up_tell_what_was_signed(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        number = server.shop.ledger()[0].number
        await half_pairs.said(server, receipt_id, "reverse", half_pairs.WHO)
        told = reversed_error(
            await test_pairs.act(server, "close", number, test_pairs.REST), server
        )
        assert told["receiptId"] == receipt_id
        for reference in (receipt_id, f"key:{test_pairs.KEY}"):
            found = await test_pairs.look(server, reference)
            assert found.status_code == 202
            assert found.json() == {
                "receiptId": receipt_id,
                "state": "reversed",
                "signed": told["signed"],
            }
        for one, extension in zip(told["signed"], ("АР", "АП"), strict=True):
            assert (await test_pairs.look(server, one)).json()[
                "invoiceCounterExtension"
            ] == extension
        other = await test_pairs.act(
            server, "close", number, test_pairs.REST | {"additionalText": "x"}
        )
        assert (other.status_code, error_of(other)["code"]) == (409, 40900001)
        assert len(server.shop.ledger()) == 3
        again = await test_pairs.act(
            server, "close", number, test_pairs.REST, headers={"Idempotency-Key": "n" * 16}
        )
        assert half_pairs.kinds(again) == ["АР", "ПП"]
        reversed_error(await test_pairs.act(server, "close", number, test_pairs.REST), server)


async def test_a_reversed_refund_lets_as_much_be_refunded_as_before(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_refund(server)
        number = server.shop.ledger()[0].number
        ended = await half_pairs.said(server, receipt_id, "reverse", half_pairs.WHO)
        assert ended.json()["state"] == "reversed"
        assert counters(server) == ["ПП", "ПР", "ПП"]
        reversal = sent(server, 2)
        assert reversal["referentDocumentNumber"] == server.shop.ledger()[1].number
        assert (reversal["buyerId"], reversal["items"]) == (SELLER, sent(server, 1)["items"])
        undoing = server.shop.ledger()[2].number
        wrong = await test_pairs.act(server, "refund", undoing, test_pairs.BACK, headers=None)
        assert (wrong.status_code, error_of(wrong)["code"]) == (400, 40090001)
        assert "undoes a refund" in error_of(wrong)["message"]
        whole = await test_pairs.act(server, "refund", number, test_pairs.BACK, headers=None)
        assert half_pairs.kinds(whole) == ["ПР", "КР"]
        late = await test_pairs.act(
            server, "refund", number, test_pairs.BACK | {"additionalText": "x"}, headers=None
        )
        assert "refunded already" in error_of(late)["message"]


async def test_a_reversed_refund_by_issue(folder: Path) -> None:
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
        ended = await half_pairs.said(server, told["receiptId"], "reverse", half_pairs.WHO)
        assert ended.json()["state"] == "reversed"
        assert counters(server) == ["ПР", "ПП"]
        repeated = await server.issue(by_hand, headers=test_pairs.KEYED)
        assert (repeated.status_code, error_of(repeated)["state"]) == (500, "reversed")


async def test_a_reversal_that_is_refused_waits_for_a_person_again(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        server.shop.fault("refuse", code="2806")
        ended = await half_pairs.said(server, receipt_id, "reverse", half_pairs.WHO)
        assert (ended.status_code, ended.json()["state"]) == (200, "needs_human")
        (doubt,) = await half_pairs.doubts(server)
        waiting = doubt["pair"]["waiting"]
        assert (waiting["isReversal"], waiting["invoiceType"]) == (True, "advance")
        assert (waiting["total"], waiting["code"]) == (100, "2806")
        assert half_pairs.kinds(
            await half_pairs.corrected(server, receipt_id, test_pairs.REST)
        ) == ["АР", "ПП"]


async def test_the_same_reversal_is_tried_again(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        server.shop.fault("refuse", code="2806")
        await half_pairs.said(server, receipt_id, "reverse", half_pairs.WHO)
        ended = await half_pairs.said(server, receipt_id, "again", half_pairs.WHO)
        assert ended.json()["state"] == "reversed"
        assert counters(server) == ["АП", "АР", "АП"]


async def test_the_server_finishes_a_reversal_by_itself_also_after_a_restart(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        server.shop.fault("refuse", code="1500", count=None)
        ended = await half_pairs.said(server, receipt_id, "reverse", half_pairs.WHO)
        assert ended.json()["state"] == "released"
        number = server.shop.ledger()[0].number
        waits = await test_pairs.act(
            server, "close", number, test_pairs.REST | {"additionalText": "x"}, headers=None
        )
        assert (waits.status_code, error_of(waits)["class"]) == (400, "wait")
    async with running(folder) as server:
        await test_pairs.finished(server)
        assert counters(server) == ["АП", "АР", "АП"]
        reversed_error(await test_pairs.act(server, "close", number, test_pairs.REST), server)
    journal = apsw.Connection(str(folder / "journal" / "journal.db"))
    assert list(journal.execute("SELECT what, words FROM notes")) == [("reversed", "Милан")]
    journal.close()


async def test_a_keyless_request_hears_of_its_reversal_too(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server, headers=None)
        number = server.shop.ledger()[0].number
        await half_pairs.said(server, receipt_id, "reverse", half_pairs.WHO)
        reversed_error(
            await test_pairs.act(server, "close", number, test_pairs.REST, headers=None), server
        )
        assert len(server.shop.ledger()) == 3


async def test_two_labels_come_back_label_by_label(folder: Path) -> None:
    both = test_pairs.ADVANCE | {
        "items": [
            {"sku": 1, "quantity": 10, "unitPrice": 58.99},
            {"sku": 2, "quantity": 1, "unitPrice": 410.1},
        ]
    }
    async with running(folder) as server:
        number = await test_pairs.begun(server, both)
        rest = {"payments": {"card": 900}} | DELIVERED
        receipt_id = await half_pairs.refused(server, "close", number, rest)
        await half_pairs.said(server, receipt_id, "reverse", half_pairs.WHO)
        items = sent(server, 2)["items"]
        assert {one["labels"][0]: one["totalAmount"] for one in items} == {
            TaxLabel.E: 58.99,
            TaxLabel.DJ: 41.01,
        }


@pytest.mark.parametrize("way", ["sign_then_drop", "drop", "html_500"])
async def test_an_answer_to_a_reversal_that_is_lost_is_looked_up(folder: Path, way: str) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        server.shop.fault(way)
        await half_pairs.said(server, receipt_id, "reverse", half_pairs.WHO)
        await test_pairs.finished(server)
        assert counters(server) == ["АП", "АР", "АП"]


async def test_the_till_s_own_client_is_told_of_a_pair_and_ends_it(folder: Path) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        receipt_id = await half_pairs.refused_closing(server)
        desk = DoubtHttp(api)
        (doubt,) = await desk.doubts()
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
        assert await desk.doubts() == ()
        assert await desk.reverse_pair(receipt_id, by="Ана") == "reversed"
        with pytest.raises(Refused):
            await desk.pair_again(receipt_id, by="Ана")


async def test_the_till_s_own_client_has_a_pair_finished(folder: Path) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        receipt_id = await half_pairs.refused_closing(server)
        done = await DoubtHttp(api).pair_again(receipt_id, by="Ана")
        assert isinstance(done, Issued)
        assert done.receipt.invoice_number == server.shop.ledger()[-1].number
