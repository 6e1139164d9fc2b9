"""Receipts whose rows are damaged: the answers say that they exist, with number and id.

Source: platform-contract.md 3 (4xx only when surely nothing was signed); exactly-once.md, I2.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from pos_app.adapters.sqlite.journal.packing import packed
from tests.integration.local_api import half_pairs, test_pairs
from tests.integration.local_api.test_damaged_rows import damage
from tests.integration.local_api.wires import Running, running, until
from tests.integration.local_api.wronged import RECEIPTS, error_of
from tests.sweep import turns

NO_JSON = packed(b"{")
WRONG_MEMBERS = packed(b'{"invoiceNumber": 5}')
NO_OBJECT = packed(b'["invoiceNumber"]')
CUT_OFF = packed(b'{"invoiceNumber": "AAAA1111-AAAA1111-1"}')[:-9]
DAMAGES = {
    "no JSON": NO_JSON,
    "wrong members": WRONG_MEMBERS,
    "no object": NO_OBJECT,
    "cut off": CUT_OFF,
    "empty": b"",
}
COLUMNS = ("answer", "planned")


def spoil(folder: Path, column: str, receipt_id: str, content: bytes = CUT_OFF) -> None:
    """Damage the stored answer of a receipt, or the plan that it was signed by."""
    of_answer = f"(SELECT answer FROM receipts WHERE request_id = '{receipt_id}')"
    table, what, which = {
        "answer": ("answers", "content", f"row = {of_answer}"),
        "planned": ("requests", "planned", f"id = '{receipt_id}'"),
    }[column]
    damage(
        folder,
        f"DROP TRIGGER IF EXISTS {table}_final",
        f"UPDATE {table} SET {what} = x'{content.hex()}' WHERE {which}",
    )


def unreadable(answer: httpx.Response, receipt_id: str, *signed: str) -> None:
    """The error says which receipts exist and by what they are looked up."""
    body = error_of(answer)
    assert (answer.status_code, body["code"], body["class"]) == (500, 50010003, "unknown"), body
    assert body["name"] == "ReceiptUnreadableError"
    assert (body["receiptId"], body["signed"]) == (receipt_id, list(signed))
    assert all(number in body["message"] for number in signed)


def signed_in(server: Running) -> list[str]:
    return [entry.number for entry in server.shop.ledger()]


@pytest.mark.parametrize(("how", "column"), turns(DAMAGES, COLUMNS))
async def test_a_repeated_sale_and_its_look_ups(folder: Path, how: str, column: str) -> None:
    async with running(folder) as server:
        first = (await server.issue(test_pairs.SALE, headers=test_pairs.KEYED)).json()
        receipt_id, number = first["id"], first["invoiceNumber"]
        spoil(folder, column, receipt_id, DAMAGES[how])
        unreadable(
            await server.issue(test_pairs.SALE, headers=test_pairs.KEYED), receipt_id, number
        )
        for reference in (receipt_id, number, number.lower(), f"key:{test_pairs.KEY}"):
            unreadable(await test_pairs.look(server, reference), receipt_id, number)
        assert signed_in(server) == [number]


def is_delivered(folder: Path) -> bool:
    with closing(apsw.Connection(str(folder / "journal" / "journal.db"))) as journal:
        return journal.execute("SELECT delivered_at FROM commands").fetchall()[0][0] is not None


@pytest.mark.parametrize("damaged", ["answer", "planned", "facts"])
async def test_a_repeated_sale_without_a_key(folder: Path, damaged: str) -> None:
    """Its answer was not delivered: the error must name the id of the existing receipt."""
    async with running(folder) as server:
        first = (await server.issue(test_pairs.SALE)).json()
        receipt_id, number = first["id"], first["invoiceNumber"]
        await until(lambda: is_delivered(folder))
        damage(folder, "UPDATE commands SET delivered_at = NULL, guards = 'undelivered'")
        if damaged == "facts":
            damage(folder, "UPDATE commands SET facts = x'00'")
        else:
            spoil(folder, damaged, receipt_id)
        again = await server.issue(test_pairs.SALE)
        assert (again.status_code, error_of(again)["receiptId"]) == (500, receipt_id)
        assert (await test_pairs.look(server, receipt_id)).status_code != 404
        assert signed_in(server) == [number]


async def test_what_was_asked_is_damaged(folder: Path) -> None:
    async with running(folder) as server:
        first = (await server.issue(test_pairs.SALE, headers=test_pairs.KEYED)).json()
        receipt_id, number = first["id"], first["invoiceNumber"]
        damage(folder, "UPDATE commands SET facts = x'00'")
        unreadable(
            await server.issue(test_pairs.SALE, headers=test_pairs.KEYED), receipt_id, number
        )
        for reference in (receipt_id, number, f"key:{test_pairs.KEY}"):
            unreadable(await test_pairs.look(server, reference), receipt_id, number)
        assert signed_in(server) == [number]


async def test_what_was_surely_never_signed_is_not_found(folder: Path) -> None:
    async with running(folder) as server:
        server.shop.fault("refuse", code="1500")
        assert (
            error_of(await server.issue(test_pairs.SALE, headers=test_pairs.KEYED))["class"]
            == "cure"
        )
        damage(folder, "UPDATE commands SET facts = x'00'")
        assert (await test_pairs.look(server, f"key:{test_pairs.KEY}")).status_code == 404
        refused = await server.issue(test_pairs.SALE, headers=test_pairs.KEYED)
        assert (refused.status_code, error_of(refused)["class"]) == (400, "wait")
        assert signed_in(server) == []


async def test_a_plan_that_surely_came_to_nothing_is_made_anew(folder: Path) -> None:
    """The key's request is stored beside the plan, which is not read again."""
    async with running(folder) as server:
        server.shop.fault("refuse", code="1500")
        assert (
            error_of(await server.issue(test_pairs.SALE, headers=test_pairs.KEYED))["class"]
            == "cure"
        )
        damage(folder, "UPDATE requests SET planned = x'00'")
        assert (await test_pairs.look(server, f"key:{test_pairs.KEY}")).status_code == 404
        sold = await server.issue(test_pairs.SALE, headers=test_pairs.KEYED)
        assert (sold.status_code, [sold.json()["invoiceNumber"]]) == (200, signed_in(server))
        assert (await server.issue(test_pairs.SALE, headers=test_pairs.KEYED)).json() == sold.json()


@pytest.mark.parametrize(("column", "place"), turns(COLUMNS, [0, 1]))
async def test_a_whole_pair(folder: Path, column: str, place: int) -> None:
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.ADVANCE)
        whole = (await test_pairs.act(server, "close", number, test_pairs.REST)).json()
        ids = [one["id"] for one in whole]
        numbers = [one["invoiceNumber"] for one in whole]
        spoil(folder, column, ids[place])
        unreadable(await test_pairs.act(server, "close", number, test_pairs.REST), ids[0], *numbers)
        for reference in (ids[0], f"key:{test_pairs.KEY}"):
            unreadable(await test_pairs.look(server, reference), ids[0], *numbers)
        unreadable(await test_pairs.look(server, numbers[place]), ids[place], numbers[place])
        other = await test_pairs.look(server, numbers[1 - place])
        assert other.json()["invoiceNumber"] == numbers[1 - place]
        assert signed_in(server) == [number, *numbers]


@pytest.mark.parametrize("column", COLUMNS)
async def test_a_repeated_operation_on_a_receipt_that_is_damaged(folder: Path, column: str) -> None:
    """The receipts of the operation itself are whole; a new operation surely signs nothing."""
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.SALE)
        whole = (await test_pairs.act(server, "refund", number, test_pairs.BACK)).json()
        sold = server.shop.journal.status_by_reference(number)
        assert sold is not None
        spoil(folder, column, sold.id)
        again = await test_pairs.act(server, "refund", number, test_pairs.BACK)
        assert again.json() == whole
        new = await test_pairs.act(
            server, "copy", number, {"receiptDelivery": {"pdf": False}}, headers=None
        )
        assert (new.status_code, error_of(new)["class"]) == (400, "wait")
        assert len(signed_in(server)) == 3


def half_told(answer: httpx.Response, receipt_id: str, number: str) -> None:
    body = error_of(answer)
    assert (answer.status_code, body["code"]) == (500, 50010002), body
    assert (body["receiptId"], body["signed"]) == (receipt_id, [number])


@pytest.mark.parametrize("content", DAMAGES.values(), ids=DAMAGES)
async def test_again_answers_the_second_receipt_though_the_first_is_damaged(
    folder: Path, content: bytes
) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        spoil(folder, "answer", receipt_id, content)
        half_told(await look_by_key(server), receipt_id, signed_in(server)[1])
        again = await half_pairs.said(server, receipt_id, "again", half_pairs.WHO)
        assert (again.status_code, again.json()["invoiceCounterExtension"]) == (200, "ПП")
        advance, *numbers = signed_in(server)
        assert again.json()["invoiceNumber"] == numbers[1]
        unreadable(
            await test_pairs.act(server, "close", advance, test_pairs.REST), receipt_id, *numbers
        )


async def look_by_key(server: Running) -> httpx.Response:
    """Look up the key and send the same request again: both name what is signed."""
    (advance, first) = signed_in(server)
    waiting: dict[str, Any] = (await test_pairs.look(server, f"key:{test_pairs.KEY}")).json()
    assert waiting["signed"] == [first]
    return await test_pairs.act(server, "close", advance, test_pairs.REST)


@pytest.mark.parametrize(("column", "way"), turns(COLUMNS, ["correct", "reverse"]))
async def test_the_other_ways_tell_what_is_signed(folder: Path, way: str, column: str) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        first = signed_in(server)[1]
        spoil(folder, column, receipt_id)
        if way == "correct":
            answer = await half_pairs.corrected(server, receipt_id, test_pairs.REST)
        else:
            answer = await half_pairs.said(server, receipt_id, "reverse", half_pairs.WHO)
        if (way, column) == ("reverse", "answer"):
            told = {"state": "reversed", "signed": signed_in(server)[1:]}
            assert (answer.status_code, answer.json(), len(told["signed"])) == (200, told, 2)
            waiting = await test_pairs.look(server, receipt_id)
            assert (waiting.status_code, waiting.json()["signed"]) == (202, told["signed"])
        else:
            half_told(answer, receipt_id, first)
            assert signed_in(server)[1:] == [first]


@pytest.mark.parametrize("content", DAMAGES.values(), ids=DAMAGES)
async def test_a_pair_goes_on_though_its_first_answer_is_damaged(
    folder: Path, content: bytes
) -> None:
    """The second receipt needs number and time of the first, which are stored beside the answer."""
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.ADVANCE)
        test_pairs.second_suffers(server, "refuse", **test_pairs.PIN)
        told = test_pairs.half_done(
            await test_pairs.act(server, "close", number, test_pairs.REST), server
        )
        spoil(folder, "answer", told["receiptId"], content)
        server.shop.processor.faults.clear()
        await test_pairs.finished(server)
        _, first, second = signed_in(server)
        unreadable(
            await test_pairs.act(server, "close", number, test_pairs.REST),
            told["receiptId"],
            first,
            second,
        )
        sale = (await test_pairs.look(server, second)).json()
        assert sale["invoiceCounterExtension"] == "ПП"
        assert first in sale["journal"]


async def test_a_refused_copy_whose_refund_is_damaged(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_refund(server)
        spoil(folder, "planned", receipt_id)
        first = signed_in(server)[1]
        again = await half_pairs.said(server, receipt_id, "again", half_pairs.WHO)
        half_told(again, receipt_id, first)


async def test_numbers_that_are_nobody_s_are_not_found(folder: Path) -> None:
    async with running(folder) as server:
        answer = await server.ask("GET", f"{RECEIPTS}/AAAA1111-AAAA1111-7")
        assert answer.status_code == 404
