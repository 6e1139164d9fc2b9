"""The second receipt of a pair that the processor refused: a manager has it sent again.

Source: exactly-once.md step 9 ("correct that child", "reverse what is signed").
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.integration.local_api import half_pairs, test_pairs
from tests.integration.local_api.wires import running
from tests.integration.local_api.wronged import error_of


async def test_a_refused_half_is_signed_at_the_second_try(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        (doubt,) = await half_pairs.doubts(server)
        assert (doubt["receiptId"], doubt["halfDone"]) == (receipt_id, True)
        again = await half_pairs.said(server, receipt_id, "again", half_pairs.WHO)
        assert again.status_code == 200
        assert again.json()["invoiceCounterExtension"] == "ПП"
        assert await half_pairs.doubts(server) == []
        whole = await test_pairs.look(server, receipt_id)
        assert [one["invoiceCounterExtension"] for one in whole.json()] == ["АР", "ПП"]
        assert len(server.shop.ledger()) == 3
    journal = apsw.Connection(str(folder / "journal" / "journal.db"))
    assert list(journal.execute("SELECT what, words FROM notes")) == [("tried_again", "Милан")]
    journal.close()


async def test_what_is_refused_again_waits_for_a_person_again(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        server.shop.fault("refuse", code="2310")
        again = await half_pairs.said(server, receipt_id, "again", half_pairs.WHO)
        assert (again.status_code, again.json()["state"]) == (200, "needs_human")
        (doubt,) = await half_pairs.doubts(server)
        assert doubt["pair"]["ways"] == ["again", "correct", "reverse"]
        assert doubt["pair"]["waiting"]["code"] == "2310"
        assert "2310" in doubt["reason"]
        assert len(server.shop.ledger()) == 2
        assert (
            await half_pairs.said(server, receipt_id, "again", half_pairs.WHO)
        ).status_code == 200
        assert len(server.shop.ledger()) == 3


@pytest.mark.parametrize(("way", "status"), [("again", 409), ("reverse", 200)])
async def test_twice_signs_once(folder: Path, way: str, status: int) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        assert (await half_pairs.said(server, receipt_id, way, half_pairs.WHO)).status_code == 200
        assert (
            await half_pairs.said(server, receipt_id, way, half_pairs.WHO)
        ).status_code == status
        assert len(server.shop.ledger()) == 3


CORRECTED = {"request": test_pairs.REST}


@pytest.mark.parametrize("way", ["again", "correct", "reverse"])
async def test_a_receipt_that_may_exist_has_none_of_these_ways(folder: Path, way: str) -> None:
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.ADVANCE)
        test_pairs.second_suffers(server, "sign_then_drop")
        server.shop.processor.change(unreachable={"lookup"})
        answer = await test_pairs.act(
            server, "close", number, test_pairs.REST, headers=test_pairs.KEYED | server.till
        )
        receipt_id = error_of(answer)["receiptId"]
        (doubt,) = await half_pairs.doubts(server)
        assert (doubt["halfDone"], doubt["pair"]["ways"]) == (False, [])
        kept = await half_pairs.said(
            server, receipt_id, way, half_pairs.WHO | (CORRECTED if way == "correct" else {})
        )
        assert (kept.status_code, kept.json()["state"]) == (409, "unknown")
        server.shop.processor.change(unreachable=set())
        found = await half_pairs.said(server, receipt_id, "lookup", {})
        assert found.status_code == 200
        assert found.json()["invoiceCounterExtension"] == "ПП"
        assert len(server.shop.ledger()) == 3


async def test_a_look_up_after_the_server_found_it_answers_with_the_same_receipt(
    folder: Path,
) -> None:
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.ADVANCE)
        test_pairs.second_suffers(server, "sign_then_drop")
        server.shop.processor.change(unreachable={"lookup"})
        answer = await test_pairs.act(
            server, "close", number, test_pairs.REST, headers=test_pairs.KEYED | server.till
        )
        receipt_id = error_of(answer)["receiptId"]
        server.shop.processor.change(unreachable=set())
        for _ in range(2):
            found = await half_pairs.said(server, receipt_id, "lookup", {})
            assert found.json()["invoiceCounterExtension"] == "ПП"
        assert await half_pairs.doubts(server) == []


async def test_a_pair_that_only_waits_has_none_of_these_ways(folder: Path) -> None:
    """The card needs its PIN: the server goes on by itself as soon as it can."""
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.ADVANCE)
        test_pairs.second_suffers(server, "refuse", code="1500", count=None)
        answer = test_pairs.half_done(
            await test_pairs.act(server, "close", number, test_pairs.REST), server
        )
        assert await half_pairs.doubts(server) == []
        for way in ("again", "reverse"):
            kept = await half_pairs.said(server, answer["receiptId"], way, half_pairs.WHO)
            assert kept.status_code == 409
            assert kept.json()["state"] in {"signed", "released"}
        assert len(server.shop.ledger()) == 2
        server.shop.processor.faults.clear()


@pytest.mark.parametrize("way", ["again", "correct", "reverse"])
async def test_it_is_somebody_s_act_at_this_till(folder: Path, way: str) -> None:
    more = CORRECTED if way == "correct" else {}
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        for nobody in ({}, {"by": ""}, {"by": 5}, {"by": "x" * 51}):
            answer = await half_pairs.said(server, receipt_id, way, nobody | more)
            keys = error_of(answer)["validation"]["body"]["keys"]
            assert (answer.status_code, keys) == (400, ["by"])
        path = f"/till/doubts/{receipt_id}/{way}"
        stranger = await server.ask("POST", path, json=half_pairs.WHO | more)
        assert stranger.status_code == 401
        nothing = await half_pairs.said(server, "9f0c2d54-nobody", way, half_pairs.WHO | more)
        assert (nothing.status_code, error_of(nothing)["code"]) == (404, 40400001)
        assert len(server.shop.ledger()) == 2


async def test_what_is_told_of_a_half_done_pair(folder: Path) -> None:
    """The doubt names the operation, what is signed, what was refused, and what can be done."""
    async with running(folder) as server:
        await half_pairs.refused_closing(server)
        signed = server.shop.ledger()[-1]
        (doubt,) = await half_pairs.doubts(server)
        told: dict[str, Any] = doubt["pair"]
        (first,) = told.pop("signed")
        assert first.pop("receiptId")
        assert first.pop("at").endswith("Z")
        assert first == {
            "number": signed.number,
            "total": 100,
            "invoiceType": "advance",
            "transactionType": "refund",
        }
        message = told["waiting"].pop("message")
        assert "2805" in message
        assert told == {
            "operation": "close",
            "waiting": {
                "invoiceType": "normal",
                "transactionType": "sale",
                "total": 589.9,
                "code": "2805",
                "isReversal": False,
            },
            "ways": ["again", "correct", "reverse"],
        }
        status = (await server.ask("GET", "/till/status", headers=server.till)).json()
        assert [one["halfDone"] for one in status["open"]] == [True]


async def test_a_refund_whose_copy_was_refused_is_told_alike(folder: Path) -> None:
    async with running(folder) as server:
        await half_pairs.refused_refund(server)
        (doubt,) = await half_pairs.doubts(server)
        told = doubt["pair"]
        assert (told["operation"], told["signed"][0]["invoiceType"]) == ("refund", "normal")
        assert (told["waiting"]["invoiceType"], told["waiting"]["total"]) == ("copy", 589.9)
