"""Receipts whose rows are damaged or lost: the answers say that they exist, with number and id.

Source: platform-contract.md 3 (4xx only when surely nothing was signed); exactly-once.md, I2, I8.
"""

from __future__ import annotations

import asyncio
import logging
from itertools import product
from pathlib import Path

import apsw
import httpx
import pytest

from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.adapters.sqlite.journal.packing import packed
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_identity import receipt_id, till_origin
from pos_app.selling.outbox.answer_effects import after_cancelling, after_looking_up
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server import answers
from tests.integration.local_api.test_half_done_pairs import WHO, doubts, refused_closing, said
from tests.integration.local_api.test_pairs import ADVANCE, PIN, REST, act, begun, second_suffers
from tests.integration.local_api.test_receipts import keyed
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import error_of

CUT_OFF = packed(b'{"invoiceNumber": "AAAA1111-AAAA1111-1"}')[:-9]
DAMAGES = {
    "no JSON": packed(b"{"),
    "wrong members": packed(b'{"invoiceNumber": 5}'),
    "no object": packed(b'["invoiceNumber"]'),
    "cut off": CUT_OFF,
    "empty": b"",
}
COLUMNS = ("answer", "planned")
PARTS = [*[("answer", damage) for damage in DAMAGES], ("planned", "no JSON"), ("planned", "empty")]
PARTS += [("facts", "empty")]
"""What is damaged of a receipt: its stored answer, its plan, or what the catalogue said."""


def damage(folder: Path, *statements: str) -> None:
    connection = apsw.Connection(str(folder / "journal" / "journal.db"))
    connection.set_busy_timeout(5000)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def spoil(folder: Path, column: str, receipt_id: str, content: bytes = CUT_OFF) -> None:
    of_answer = f"(SELECT answer FROM receipts WHERE request_id = '{receipt_id}')"
    table, what, which = {
        "answer": ("answers", "content", f"row = {of_answer}"),
        "planned": ("requests", "planned", f"id = '{receipt_id}'"),
        "facts": ("commands", "facts", f"id = '{receipt_id}'"),
    }[column]
    damage(
        folder,
        f"DROP TRIGGER IF EXISTS {table}_final",
        f"UPDATE {table} SET {what} = x'{content.hex()}' WHERE {which}",
    )


def unreadable(answer: httpx.Response, receipt_id: str, *signed: str) -> None:
    body = error_of(answer)
    assert (answer.status_code, body["code"], body["class"]) == (500, 50010003, "unknown"), body
    assert body["name"] == "ReceiptUnreadableError"
    assert (body["receiptId"], body["signed"]) == (receipt_id, list(signed))
    assert all(number in body["message"] for number in signed)


def bound(answer: httpx.Response) -> None:
    body = error_of(answer)
    assert (answer.status_code, body["code"]) == (409, 40900001), body
    assert "another body, which may be signed: look the key up" in body["message"]


def signed_in(server: Running) -> list[str]:
    return [entry.number for entry in server.shop.ledger()]


def key_of(*words: object) -> str:
    return "-".join(map(str, words)).replace(" ", "-").rjust(16, "k")


# --- pairs ---------------------------------------------------------------------------------------


async def test_at_the_till_a_closing_ends_and_an_undone_one_is_put_away(folder: Path) -> None:
    """Number and id are of the same receipt; an undone one is never done."""
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        till, origin = FiscalHttp(api), till_origin(server.install.till_id)
        for column, place in product(COLUMNS, (0, 1)):
            key = key_of("whole", column, place)
            number = await begun(server, ADVANCE)
            answer = await act(server, "close", number, REST, headers=keyed(key) | server.till)
            refund, sale = answer.json()
            spoil(folder, column, refund["id"])
            found: answers.LookUpAnswer = await till.look_up(key)
            assert isinstance(found, answers.IssuedUnreadable)
            told = after_looking_up(found, None, Operation.CLOSE).receipt
            assert (told.receipt_id, told.fiscal_number) == (sale["id"], sale["invoiceNumber"])

            key = key_of("undone", column, place)
            headers, before = keyed(key) | server.till, len(signed_in(server))
            of = await refused_closing(server, headers=headers)
            advance = signed_in(server)[before]
            assert (await said(server, of, "reverse", WHO)).json()["state"] == "reversed"
            spoil(folder, column, [of, receipt_id(origin=origin, key=key, child=1)][place])
            found = await till.look_up(key)
            assert found == answers.StillOpen(of, "reversed")
            assert after_looking_up(found, None, Operation.CLOSE).state is SaleState.REFUSED
            again = await act(server, "close", advance, REST, headers=headers)
            assert (again.status_code, again.json()["state"]) == (500, "reversed")
            cancelled = await till.cancel(key)
            assert cancelled == answers.NotCancelled("reversed")
            assert after_cancelling(cancelled).state is SaleState.CANCELLED


# --- rows that can not be read -------------------------------------------------------------------
async def test_a_half_done_pair_is_told_with_what_can_be_read(folder: Path) -> None:
    async with running(folder) as server:
        of = {
            part: await refused_closing(server, headers=keyed(f"{part:k>16}"))
            for part in ("facts", "answer", "planned")
        }
        for part, receipt_id in of.items():
            spoil(folder, part, receipt_id, b"\0")
        waiting = {one["receiptId"]: one for one in (await server.status())["open"]}
        assert waiting.keys() == set(of.values())
        told = waiting[of["facts"]]
        assert (told["key"], told["total"], told["halfDone"]) == (None, 589.9, True)
        pair_of = {one["receiptId"]: one["pair"] for one in await doubts(server)}
        assert pair_of[of["facts"]] is pair_of[of["planned"]] is None
        pair = pair_of[of["answer"]]
        assert pair["ways"] == ["again", "reverse"]
        (signed,), entry = pair["signed"], server.shop.ledger()[3]
        assert (signed["number"], signed["total"]) == (entry.number, 100)


async def test_a_pair_that_stops_is_no_bug(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with running(folder) as server:
        number = await begun(server, ADVANCE)
        second_suffers(server, "refuse", **PIN)
        told = (await act(server, "close", number, REST)).json()
        second = f"command_id = '{told['receiptId']}' AND child = 1"
        damage(folder, f"UPDATE requests SET planned = x'00' WHERE {second}")
        caplog.clear()
        async with asyncio.timeout(30):
            while not any("a pair can't be continued" in one for one in caplog.messages):
                await server.shop.lane.changes.wait("any", 0.05)
        levels = {one.levelno for one in caplog.records if one.exc_info}
        assert logging.ERROR not in levels
