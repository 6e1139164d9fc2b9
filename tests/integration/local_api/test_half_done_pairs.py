"""Pairs whose second receipt the processor refused, and a manager's decisions: it is sent again,
corrected, or what is signed is undone. Over HTTP, at the development processor.

Source: exactly-once.md step 9 and invariants I4, I5, I8; fiscal.md 6.6; platform-contract.md 3.
"""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from pos_app.adapters.api_client.decisions import DoubtHttp
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import ServerStatus
from pos_app.errors import Refused
from pos_app.selling.server.answers import Issued
from tests.integration.local_api.test_pairs import (
    ADVANCE,
    BACK,
    BY_HAND,
    KEY,
    KEYED,
    REST,
    SALE,
    act,
    begun,
    finished,
    half_done,
    look,
    second_suffers,
)
from tests.integration.local_api.test_receipts import keyed
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import BUYER, DELIVERED, error_of

WHO = {"by": "Милан"}
Headers = dict[str, str] | None


async def refused_closing(server: Running, *, headers: Headers = KEYED) -> str:
    number = await begun(server, ADVANCE)
    return await refused(server, "close", number, REST, headers=headers)


async def refused_refund(server: Running, *, headers: Headers = KEYED) -> str:
    number = await begun(server, SALE)
    return await refused(server, "refund", number, BACK, headers=headers)


async def refused(
    server: Running, operation: str, number: str, body: dict[str, Any], *, headers: Headers = KEYED
) -> str:
    """Carry out the operation with its first receipt signed and its second refused for good; return
    its id."""
    second_suffers(server, "refuse", code="2805")
    answer = await act(server, operation, number, body, headers=headers)
    receipt_id: str = half_done(answer, server)["receiptId"]
    return receipt_id


async def said(
    server: Running, receipt_id: str, way: str, body: dict[str, Any], **headers: str
) -> httpx.Response:
    path = f"/till/doubts/{receipt_id}/{way}"
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    return await server.ask("POST", path, json=body, headers=server.till | more, within=25.0)


async def corrected(
    server: Running, receipt_id: str, body: dict[str, Any], **headers: str
) -> httpx.Response:
    return await said(server, receipt_id, "correct", WHO | {"request": body}, **headers)


async def doubts(server: Running) -> list[dict[str, Any]]:
    answer = await server.ask("GET", "/till/doubts", headers=server.till)
    listed: list[dict[str, Any]] = answer.json()
    return listed


def kinds(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [one["invoiceCounterExtension"] for one in answer.json()]


def signed_kinds(server: Running, *, since: int = 0) -> list[str]:
    answers = (json.loads(entry.answer) for entry in server.shop.ledger()[since:])
    return [one["invoiceCounterExtension"] for one in answers]


def sent(server: Running, place: int) -> dict[str, Any]:
    request: dict[str, Any] = json.loads(server.shop.ledger()[place].request)
    return request


def notes(folder: Path) -> list[tuple[str, str]]:
    with closing(apsw.Connection(str(folder / "journal" / "journal.db"))) as journal:
        return list(journal.execute("SELECT what, words FROM notes"))


# --- trying again --------------------------------------------------------------------------------
WAYS: dict[str, dict[str, Any]] = {"again": WHO, "correct": WHO | {"request": REST}, "reverse": WHO}


async def test_a_receipt_that_may_exist_has_none_of_these_ways(folder: Path) -> None:
    async with running(folder) as server:
        number = await begun(server, ADVANCE)
        second_suffers(server, "sign_then_drop")
        server.shop.processor.change(unreachable={"lookup"})
        answer = await act(server, "close", number, REST, headers=KEYED | server.till)
        receipt_id = error_of(answer)["receiptId"]
        (doubt,) = await doubts(server)
        assert (doubt["halfDone"], doubt["pair"]["ways"]) == (False, [])
        for way, body in WAYS.items():
            kept = await said(server, receipt_id, way, body)
            assert (kept.status_code, kept.json()["state"]) == (409, "unknown")
        server.shop.processor.change(unreachable=set())
        for _ in range(2):  # and after the server found it
            found = await said(server, receipt_id, "lookup", {})
            assert (found.status_code, found.json()["invoiceCounterExtension"]) == (200, "ПП")
        assert await doubts(server) == []
        assert len(server.shop.ledger()) == 3


async def test_a_pair_that_only_waits_has_none_of_these_ways(folder: Path) -> None:
    """The card needs its PIN: the server goes on by itself as soon as it can."""
    async with running(folder) as server:
        number = await begun(server, ADVANCE)
        second_suffers(server, "refuse", code="1500", count=None)
        answer = half_done(await act(server, "close", number, REST), server)
        assert await doubts(server) == []
        for way in ("again", "reverse"):
            kept = await said(server, answer["receiptId"], way, WHO)
            assert kept.status_code == 409
            assert kept.json()["state"] in {"signed", "released"}
        assert len(server.shop.ledger()) == 2
        server.shop.processor.faults.clear()


async def test_it_is_somebody_s_act_at_this_till(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_refund(server)
        (doubt,) = await doubts(server)
        told = doubt["pair"]
        assert (told["operation"], told["signed"][0]["invoiceType"]) == ("refund", "normal")
        assert (told["waiting"]["invoiceType"], told["waiting"]["total"]) == ("copy", 589.9)
        for way, body in WAYS.items():
            for nobody in ({}, {"by": ""}, {"by": 5}, {"by": "x" * 51}):
                more = {name: value for name, value in body.items() if name != "by"}
                answer = await said(server, receipt_id, way, nobody | more)
                keys = error_of(answer)["validation"]["body"]["keys"]
                assert (answer.status_code, keys) == (400, ["by"])
            path = f"/till/doubts/{receipt_id}/{way}"
            assert (await server.ask("POST", path, json=body)).status_code == 401
            nothing = await said(server, "9f0c2d54-nobody", way, body)
            assert (nothing.status_code, error_of(nothing)["code"]) == (404, 40400001)
        assert len(server.shop.ledger()) == 2


# --- undoing -------------------------------------------------------------------------------------
SELLER = "10:990000019"


def reversed_error(answer: httpx.Response, server: Running) -> dict[str, Any]:
    """The error of a repeat names what is signed, and never says that nothing is."""
    body = error_of(answer)
    assert (answer.status_code, body["code"], body["class"]) == (500, 50010002, "unknown")
    assert (body["name"], body["state"]) == ("PairIncompleteError", "reversed")
    assert body["signed"] == [entry.number for entry in server.shop.ledger()[1:3]]
    assert all(number in body["message"] for number in body["signed"])
    return body


async def test_a_word_its_key_and_its_look_up_tell_what_was_signed(folder: Path) -> None:
    """The answer to the manager's word may have been lost, too."""
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        number = server.shop.ledger()[0].number
        ended = await said(server, receipt_id, "reverse", WHO)
        again = await said(server, receipt_id, "reverse", WHO)
        assert (again.status_code, again.json()) == (200, ended.json())
        other = await said(server, receipt_id, "again", WHO)
        assert (other.status_code, error_of(other)["state"]) == (409, "reversed")
        told = reversed_error(await act(server, "close", number, REST), server)
        assert told["receiptId"] == receipt_id
        for reference in (receipt_id, f"key:{KEY}"):
            found = await look(server, reference)
            assert (found.status_code, found.json()) == (
                202,
                {"receiptId": receipt_id, "state": "reversed", "signed": told["signed"]},
            )
        for one, extension in zip(told["signed"], ("АР", "АП"), strict=True):
            assert (await look(server, one)).json()["invoiceCounterExtension"] == extension
        other = await act(server, "close", number, REST | {"additionalText": "x"})
        assert (other.status_code, error_of(other)["code"]) == (409, 40900001)
        assert len(server.shop.ledger()) == 3
        whole = await act(server, "close", number, REST, headers=keyed("n" * 16))
        assert kinds(whole) == ["АР", "ПП"]
        reversed_error(await act(server, "close", number, REST), server)


async def test_a_keyless_request_hears_of_its_reversal_too(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server, headers=None)
        number = server.shop.ledger()[0].number
        await said(server, receipt_id, "reverse", WHO)
        reversed_error(await act(server, "close", number, REST, headers=None), server)
        assert len(server.shop.ledger()) == 3


async def test_a_reversed_refund_lets_as_much_be_refunded_as_before(folder: Path) -> None:
    back = BACK
    async with running(folder) as server:
        receipt_id = await refused_refund(server)
        number = server.shop.ledger()[0].number
        ended = await said(server, receipt_id, "reverse", WHO)
        assert ended.json()["state"] == "reversed"
        assert signed_kinds(server) == ["ПП", "ПР", "ПП"]
        reversal = sent(server, 2)
        assert reversal["referentDocumentNumber"] == server.shop.ledger()[1].number
        assert (reversal["buyerId"], reversal["items"]) == (SELLER, sent(server, 1)["items"])
        undoing = server.shop.ledger()[2].number
        wrong = await act(server, "refund", undoing, back, headers=None)
        assert (wrong.status_code, error_of(wrong)["code"]) == (400, 40090001)
        assert "undoes a refund" in error_of(wrong)["message"]
        whole = await act(server, "refund", number, back, headers=None)
        assert kinds(whole) == ["ПР", "КР"]
        late = await act(server, "refund", number, back | {"additionalText": "x"}, headers=None)
        assert "refunded already" in error_of(late)["message"]

        server.shop.fault("late_answer")
        server.shop.fault("refuse", code="2805")
        by_hand = keyed("by-hand-0123456789")
        told = error_of(await server.issue(BY_HAND, headers=by_hand))
        ended = await said(server, told["receiptId"], "reverse", WHO)
        assert ended.json()["state"] == "reversed"
        assert signed_kinds(server, since=5) == ["ПР", "ПП"]
        repeated = await server.issue(BY_HAND, headers=by_hand)
        assert (repeated.status_code, error_of(repeated)["state"]) == (500, "reversed")


async def test_a_reversal_that_is_refused_waits_for_a_person_again(folder: Path) -> None:
    async with running(folder) as server:
        for way, key in (("correct", KEYED), ("again", keyed("k" * 16))):
            receipt_id = await refused_closing(server, headers=key)
            server.shop.fault("refuse", code="2806")
            ended = await said(server, receipt_id, "reverse", WHO)
            assert (ended.status_code, ended.json()["state"]) == (200, "needs_human")
            (doubt,) = await doubts(server)
            waiting = doubt["pair"]["waiting"]
            assert (waiting["isReversal"], waiting["invoiceType"]) == (True, "advance")
            assert (waiting["total"], waiting["code"]) == (100, "2806")
            done = await said(server, receipt_id, way, WHO | {"request": REST})
            if way == "correct":
                assert kinds(done) == ["АР", "ПП"]
            else:
                assert done.json()["state"] == "reversed"
        assert signed_kinds(server, since=3) == ["АП", "АР", "АП"]


async def test_an_answer_to_a_reversal_that_is_lost_is_looked_up(folder: Path) -> None:
    async with running(folder) as server:
        for way in ("sign_then_drop", "drop", "html_500"):
            key, before = f"reversal-{way:->12}", len(server.shop.ledger())
            receipt_id = await refused_closing(server, headers=keyed(key))
            server.shop.fault(way)
            await said(server, receipt_id, "reverse", WHO)
            await finished(server, key)
            assert signed_kinds(server, since=before) == ["АП", "АР", "АП"], way


async def test_the_till_s_own_client_is_told_of_a_pair_and_ends_it(folder: Path) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        receipt_id = await refused_closing(server)
        desk = DoubtHttp(api)
        (doubt,) = await desk.doubts()
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
        for _ in range(2):
            assert await desk.reverse_pair(receipt_id, by="Ана") == "reversed"
            assert await desk.doubts() == ()
        with pytest.raises(Refused):
            await desk.pair_again(receipt_id, by="Ана")
        other = await refused_closing(server, headers=None)
        done = await desk.pair_again(other, by="Ана")
        assert isinstance(done, Issued)
        assert done.receipt.invoice_number == server.shop.ledger()[-1].number
        assert kinds(await look(server, other)) == ["АР", "ПП"]
    assert notes(folder)[-1] == ("tried_again", "Ана")


# --- correcting ----------------------------------------------------------------------------------
CASH = {"payments": {"cash": 500}, "additionalText": "Хвала"} | BUYER | DELIVERED
"""The closing with another payment: 489.90 remain."""


async def test_the_key_stands_for_what_was_asked_and_for_its_correction(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        number = server.shop.ledger()[0].number
        server.shop.fault("refuse", code="2805")
        wrong = await corrected(server, receipt_id, CASH | {"additionalText": "прво"})
        assert (wrong.status_code, wrong.json()["state"]) == (200, "needs_human")
        for body in (REST, CASH | {"additionalText": "прво"}):
            half_done(await act(server, "close", number, body), server)
        whole = await corrected(server, receipt_id, CASH)
        for body in (REST, CASH):
            assert (await act(server, "close", number, body)).json() == whole.json()
        other = await act(server, "close", number, CASH | {"additionalText": "прво"})
        assert (other.status_code, error_of(other)["code"]) == (409, 40900001)
        assert len(server.shop.ledger()) == 3


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"payments": {"card": 489.89}} | DELIVERED, "payments"),
    ({"payments": {"card": 589.9}} | DELIVERED, "payments"),
    ({"payments": {"card": 489.9}}, "receiptDelivery"),
    (REST | {"receiptDelivery": {"a4Printer": True}}, "receiptDelivery.a4Printer"),
    (REST | {"items": [{"sku": 1, "quantity": 9, "unitPrice": 58.99}]}, "items"),
    (REST | {"items": [{"sku": 77, "quantity": 9, "unitPrice": 58.99}]}, "items[0].sku"),
    (REST | {"items": [{"sku": "1", "quantity": 9, "unitPrice": 58.99}]}, "items[0].sku"),
    (REST | {"buyerId": "10:1"}, "buyerId"),
    (REST | {"buyerCostCenterId": "20:AB"}, "buyerCostCenterId"),
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
        wrong_bodies: tuple[object, ...] = (None, [], "x", 7)
        for no_body in wrong_bodies:
            wrong = await said(server, receipt_id, "correct", WHO | {"request": no_body})
            keys = error_of(wrong)["validation"]["body"]["keys"]
            assert (wrong.status_code, keys) == (400, ["request"])
        assert len(server.shop.ledger()) == 2
        assert kinds(await corrected(server, receipt_id, REST)) == ["АР", "ПП"]


async def test_the_copy_of_a_refund_by_issue_is_corrected_alike(folder: Path) -> None:
    """It refunds a receipt of another system: the answer of the operation is the one receipt."""
    async with running(folder) as server:
        server.shop.fault("late_answer")
        server.shop.fault("refuse", code="2805")
        told = error_of(await server.issue(BY_HAND, headers=KEYED))
        for member, other in (
            ("transactionType", "sale"),
            ("referentDocumentNumber", "XYZW1234-XYZW1234-8653"),
        ):
            wrong = await corrected(server, told["receiptId"], BY_HAND | {member: other})
            assert error_of(wrong)["validation"]["body"]["keys"] == [member]
        done = await corrected(server, told["receiptId"], BY_HAND | {"additionalText": "x"})
        assert done.json()["invoiceCounterExtension"] == "ПР"
        assert len(server.shop.ledger()) == 2
        assert (await look(server, f"key:{KEY}")).json() == done.json()
