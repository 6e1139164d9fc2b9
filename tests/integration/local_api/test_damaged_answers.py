"""Receipts whose rows are damaged or lost: the answers say that they exist, with number and id.

Source: platform-contract.md 3 (4xx only when surely nothing was signed); exactly-once.md, I2, I8.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import closing
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from pos_app.adapters.api_client.exchange import LocalApi, Reply, refused
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.adapters.sqlite.journal.packing import packed
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_identity import receipt_id, till_origin
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import Unreadable
from pos_app.selling.outbox.answer_effects import after_cancelling, after_looking_up, after_sending
from pos_app.selling.sale.state import SaleState
from pos_app.selling.server import answers
from pos_app.selling.server.ports import OutgoingSale
from tests.fakes.inner_connection import connection_of
from tests.integration.local_api import test_half_done_pairs as half_pairs
from tests.integration.local_api.test_half_done_pairs import (
    WHO,
    corrected,
    doubts,
    refused_closing,
    refused_refund,
    said,
)
from tests.integration.local_api.test_pairs import (
    ADVANCE,
    PIN,
    REST,
    SALE,
    act,
    begun,
    look,
    second_suffers,
)
from tests.integration.local_api.test_receipts import KEY, KEYED, keyed
from tests.integration.local_api.wires import Running, running, until
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
OTHER = {"additionalText": "следећи"}
BY = {"by": "Ана"}


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


# --- one receipt ---------------------------------------------------------------------------------
async def test_a_sale_by_every_way_to_it(folder: Path) -> None:
    """A till's counter was reset: its next sale must never be reported as signed."""
    sale = SALE | {"receiptDelivery": {"pdf": True}}
    async with running(folder) as server:
        for part, how in PARTS:
            key = key_of(part, how)
            first = (await server.issue(sale, headers=keyed(key))).json()
            of, number, signed = first["id"], first["invoiceNumber"], signed_in(server)
            spoil(folder, part, of, DAMAGES[how])
            unreadable(await server.issue(sale, headers=keyed(key)), of, number)
            for reference in (of, number, number.lower(), f"key:{key}"):
                unreadable(await look(server, reference), of, number)
            said = error_of(await look(server, of))["message"]
            assert said.startswith(f"Signed: {number}; the receipt itself can't be")
            assert said.endswith("Keep the number; never issue it anew.")
            bound(await server.issue(sale | OTHER, headers=keyed(key)))
            if part != "facts":
                shown = {"receiptId": of, **BY}
                pdf = await server.ask("POST", "/till/papers/pdf", headers=server.till, json=shown)
                unreadable(pdf, of, number)
                unreadable(await server.ask("GET", httpx.URL(first["pdf"]).path), of, number)
            assert signed_in(server) == signed
        assert (await look(server, "AAAA1111-AAAA1111-7")).status_code == 404


def is_delivered(folder: Path, of: str) -> bool:
    with closing(apsw.Connection(str(folder / "journal" / "journal.db"))) as journal:
        asked = journal.execute("SELECT delivered_at FROM commands WHERE id = ?", (of,))
        return asked.fetchall()[0][0] is not None


async def test_a_repeated_sale_without_a_key(folder: Path) -> None:
    """Its answer was not delivered: the error must name the id of the existing receipt."""
    async with running(folder) as server:
        for place, part in enumerate((*COLUMNS, "facts")):
            sale = SALE | {"payments": {"cash": 700 + place}}
            of = (await server.issue(sale)).json()["id"]
            await until(partial(is_delivered, folder, of))
            undelivered = "delivered_at = NULL, guards = 'undelivered'"
            damage(folder, f"UPDATE commands SET {undelivered} WHERE id = '{of}'")
            spoil(folder, part, of)
            again = await server.issue(sale)
            assert (again.status_code, error_of(again)["receiptId"]) == (500, of)
            assert (await look(server, of)).status_code != 404
            assert len(signed_in(server)) == place + 1


async def test_what_was_surely_never_signed_is_not_found_and_cancelled(folder: Path) -> None:
    """Its plan is made anew from the request beside it; without facts it can't be."""
    async with running(folder) as server:
        for part in ("planned", "facts"):
            for headers in (keyed(key_of(part)), keyed(key_of(part)) | server.till):
                server.shop.fault("refuse", code="1500")
                refused = await server.issue(SALE, headers=headers)
                assert error_of(refused)["class"] == "cure"
            table = "commands" if part == "facts" else "requests"
            damage(folder, f"UPDATE {table} SET {part} = x'00'")
            assert (await look(server, f"key:{key_of(part)}")).status_code == 404
            for _ in range(2):
                answer = await server.ask(
                    "POST", "/till/cancel", headers=server.till, json={"key": key_of(part)}
                )
                told = {"state": RequestState.CANCELLED}
                assert (answer.status_code, answer.json()) == (200, told)
            again = await server.issue(SALE, headers=keyed(key_of(part)) | server.till)
            assert error_of(again)["code"] == 40900001
            before = signed_in(server)
            sold = await server.issue(SALE, headers=keyed(key_of(part)))
            if part == "planned":
                assert sold.status_code == 200
                assert signed_in(server) == [sold.json()["invoiceNumber"]]
                assert (await server.issue(SALE, headers=keyed(key_of(part)))).json() == sold.json()
            else:
                assert (sold.status_code, error_of(sold)["class"]) == (400, "wait")
                assert signed_in(server) == before


async def test_at_the_till_a_sale_ends_as_signed_with_its_number(folder: Path) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        client = FiscalHttp(api)
        for part in (*COLUMNS, "facts"):
            key = key_of(part)
            headers = keyed(key) | server.till
            issued = (await server.issue(SALE, headers=headers)).json()
            signed = signed_in(server)
            spoil(folder, part, issued["id"])
            found: answers.LookUpAnswer = await client.look_up(key)
            again = await client.issue(OutgoingSale(key, 1, "Мира", json.dumps(SALE).encode()))
            told = answers.IssuedUnreadable(issued["id"], issued["invoiceNumber"])
            assert (found, again) == (told, told)
            for verdict in (after_sending(again), after_looking_up(found, None)):
                assert verdict.state is SaleState.DONE
                assert verdict.receipt.fiscal_number == issued["invoiceNumber"]
            assert await client.cancel(key) == answers.NotCancelled("signed")
            answer = await server.issue(SALE, headers=headers)
            error = refused(Reply(answer.status_code, answer.json()))
            assert isinstance(error, Unreadable)
            assert error.values["number"] == issued["invoiceNumber"]
            assert signed_in(server) == signed


# --- pairs ---------------------------------------------------------------------------------------
async def test_a_whole_pair(folder: Path) -> None:
    async with running(folder) as server:
        for column, place in (*product(COLUMNS, (0, 1)), ("facts", 0)):
            key = keyed(key_of(column, place))
            number, before = await begun(server, ADVANCE), len(signed_in(server))
            whole = (await act(server, "close", number, REST, headers=key)).json()
            ids = [one["id"] for one in whole]
            numbers = [one["invoiceNumber"] for one in whole]
            spoil(folder, column, ids[place])
            again = await act(server, "close", number, REST, headers=key)
            unreadable(again, ids[0], *numbers)
            bound(await act(server, "close", number, REST | OTHER, headers=key))
            for reference in (ids[0], f"key:{key_of(column, place)}"):
                unreadable(await look(server, reference), ids[0], *numbers)
            if column != "facts":
                alone = await look(server, numbers[place])
                unreadable(alone, ids[place], numbers[place])
                other = await look(server, numbers[1 - place])
                assert other.json()["invoiceNumber"] == numbers[1 - place]
            assert signed_in(server)[before:] == numbers


def half_told(answer: httpx.Response, receipt_id: str, number: str) -> None:
    body = error_of(answer)
    assert (answer.status_code, body["code"]) == (500, 50010002), body
    assert (body["receiptId"], body["signed"]) == (receipt_id, [number])


async def test_again_answers_the_second_receipt_though_the_first_is_damaged(folder: Path) -> None:
    async with running(folder) as server:
        for how, content in DAMAGES.items():
            key, before = key_of(how), len(signed_in(server))
            of = await refused_closing(server, headers=keyed(key))
            advance, first = signed_in(server)[before:]
            spoil(folder, "answer", of, content)
            waiting: dict[str, Any] = (await look(server, f"key:{key}")).json()
            assert waiting["signed"] == [first]
            half_told(await act(server, "close", advance, REST, headers=keyed(key)), of, first)
            again = await said(server, of, "again", WHO)
            assert (again.status_code, again.json()["invoiceCounterExtension"]) == (200, "ПП")
            second = signed_in(server)[-1]
            assert again.json()["invoiceNumber"] == second
            whole = await act(server, "close", advance, REST, headers=keyed(key))
            unreadable(whole, of, first, second)
        of = await refused_refund(server)
        first = signed_in(server)[-1]
        spoil(folder, "planned", of)
        half_told(await said(server, of, "again", WHO), of, first)


async def test_the_other_ways_tell_what_is_signed(folder: Path) -> None:
    async with running(folder) as server:
        for way, column in product(("correct", "reverse"), COLUMNS):
            key = keyed(key_of(way, column))
            of = await refused_closing(server, headers=key)
            first, before = signed_in(server)[-1], len(signed_in(server))
            spoil(folder, column, of)
            answer = await said(server, of, way, WHO | {"request": REST})
            if (way, column) == ("reverse", "answer"):
                told = {"state": "reversed", "signed": signed_in(server)[-2:]}
                assert (answer.status_code, answer.json()) == (200, told)
                waiting = await look(server, of)
                assert (waiting.status_code, waiting.json()["signed"]) == (202, told["signed"])
            else:
                half_told(answer, of, first)
                assert len(signed_in(server)) == before


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


# --- rows that are gone --------------------------------------------------------------------------
LOST = {
    "answers": ("answers_stay", "row IN (SELECT answer FROM receipts WHERE request_id = '{0}')"),
    "receipts": ("receipts_stay", "request_id = '{0}'"),
    "requests": ("requests_stay", "id = '{0}'"),
}


def lose(folder: Path, table: str, request_id: str) -> None:
    """Remove rows, as in a journal that was put together of two moments."""
    trigger, where = LOST[table]
    rows = f"DELETE FROM {table} WHERE {where.format(request_id)}"
    damage(folder, f"DROP TRIGGER IF EXISTS {trigger}", "PRAGMA foreign_keys=OFF", rows)


async def test_a_receipt_that_lacks_rows_is_told_whole_or_not_at_all(folder: Path) -> None:
    async with running(folder) as server:
        for table, child in product(LOST, (0, 1, None)):
            key = key_of(table, child)
            first = (
                await server.issue(ADVANCE, headers=keyed(key) if child is None else None)
            ).json()
            lost = first["id"]
            if child is not None:
                whole = await act(server, "close", first["id"], REST, headers=keyed(key))
                lost = whole.json()[child]["id"]
            signed = signed_in(server)
            lose(folder, table, lost)
            looked = await look(server, f"key:{key}")
            assert (looked.status_code, looked.json()["class"]) == (500, "unknown")
            if child is None:
                again = await server.issue(ADVANCE, headers=keyed(key))
            else:
                again = await act(server, "close", first["id"], REST, headers=keyed(key))
            assert (again.status_code, again.json()["class"]) == (500, "unknown")
            assert signed_in(server) == signed


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


async def test_no_correction_is_offered_where_none_can_be_weighed(folder: Path) -> None:
    """A correction is checked against the advance before the pair."""
    async with running(folder) as server:
        receipt_id = await refused_closing(server)
        assert (await doubts(server))[0]["pair"]["ways"] == ["again", "correct", "reverse"]
        advance = server.shop.journal.request_of_number(server.shop.ledger()[0].number)
        spoil(folder, "answer", advance.id, b"\0")
        (doubt,) = await doubts(server)
        assert doubt["pair"]["ways"] == ["again", "reverse"]
        refused = await corrected(server, receipt_id, REST)
        assert (refused.status_code, refused.json()["code"]) == (500, 50010002)
        again = await half_pairs.said(server, receipt_id, "again", WHO)
        assert (again.status_code, again.json()["invoiceCounterExtension"]) == (200, "ПП")


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


async def test_a_job_and_a_doubt_blind_nobody_to_the_rest(folder: Path) -> None:
    async with running(folder) as server:
        for word in ("paper_out", "word_of_a_newer_version"):
            damage(
                folder,
                "INSERT INTO jobs (till_key, paper, method, target, state, made_at, asked_at,"
                " changed_at, next_at, trouble)"
                f" VALUES ('{word}', x'00', 'thermal', '', 'waiting', 1, 1, 1, 1, '{word}')",
            )
        (told,) = (await server.status())["jobs"]
        assert told["trouble"] == "paper_out"
        listed = await server.ask("POST", "/till/jobs/not_done", json={}, headers=server.till)
        assert [one["trouble"] for one in listed.json()["result"]] == ["paper_out"]
        server.shop.fault("drop")
        assert (await server.issue(SALE, headers=KEYED)).status_code == 500
        await until(lambda: server.shop.journal.is_in_doubt(server.shop.lane.name))
        connection_of(server.shop.journal).execute("UPDATE requests SET planned = x'00'")
        assert (await server.status())["processor"]["state"] == "doubt"
        waits = await server.issue(SALE, headers=keyed(KEY[::-1]))
        assert (waits.status_code, waits.json()["class"]) == (400, "wait")
        assert (await server.issue(SALE, headers=KEYED)).status_code == 500
