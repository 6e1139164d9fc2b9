"""A row of the journal that can't be read does not hide another from the till.

Source: exactly-once.md, step 12; platform-contract.md 3.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.integration.local_api import half_pairs, test_pairs
from tests.integration.local_api.test_pairs import ADVANCE as ADVANCED
from tests.integration.local_api.wires import Running, running


def damage(folder: Path, *statements: str) -> None:
    connection = apsw.Connection(str(folder / "journal" / "journal.db"))
    connection.set_busy_timeout(5000)
    for statement in statements:
        connection.execute(statement)
    connection.close()


async def status(server: Running) -> dict[str, Any]:
    answer = await server.ask("GET", "/till/status", headers=server.till)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def test_what_was_asked(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        damage(folder, f"UPDATE commands SET facts = x'00' WHERE id = '{receipt_id}'")
        (open_one,) = (await status(server))["open"]
        assert (open_one["receiptId"], open_one["key"]) == (receipt_id, None)
        assert (open_one["total"], open_one["halfDone"]) == (589.9, True)
        (doubt,) = await half_pairs.doubts(server)
        assert (doubt["receiptId"], doubt["pair"]) == (receipt_id, None)


async def test_what_of_a_pair_is_signed(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        damage(
            folder,
            "DROP TRIGGER answers_final",
            f"UPDATE answers SET content = x'00' WHERE row ="
            f" (SELECT answer FROM receipts WHERE request_id = '{receipt_id}')",
        )
        (open_one,) = (await status(server))["open"]
        assert open_one["receiptId"] == receipt_id
        (doubt,) = await half_pairs.doubts(server)
        assert doubt["receiptId"] == receipt_id
        assert doubt["pair"]["ways"] == ["again", "reverse"]
        (signed,), entry = doubt["pair"]["signed"], server.shop.ledger()[-1]
        assert (signed["number"], signed["total"]) == (entry.number, 100)


async def test_no_correction_is_offered_where_none_can_be_weighed(folder: Path) -> None:
    """The answer of the advance before the pair is damaged, and a correction is checked against
    that."""
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        assert (await half_pairs.doubts(server))[0]["pair"]["ways"] == [
            "again",
            "correct",
            "reverse",
        ]
        damage(
            folder,
            "DROP TRIGGER answers_final",
            f"UPDATE answers SET content = x'00' WHERE row IN"
            f" (SELECT answer FROM receipts WHERE request_id <> '{receipt_id}')",
        )
        (doubt,) = await half_pairs.doubts(server)
        assert doubt["pair"]["ways"] == ["again", "reverse"]
        refused = await half_pairs.corrected(server, receipt_id, test_pairs.REST)
        assert (refused.status_code, refused.json()["code"]) == (500, 50010002)
        again = await half_pairs.said(server, receipt_id, "again", half_pairs.WHO)
        assert (again.status_code, again.json()["invoiceCounterExtension"]) == (200, "ПП")


async def test_how_what_of_a_pair_is_signed_was_planned(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        damage(
            folder,
            "DROP TRIGGER requests_final",
            f"UPDATE requests SET planned = x'00' WHERE id = '{receipt_id}'",
        )
        (open_one,) = (await status(server))["open"]
        assert open_one["receiptId"] == receipt_id
        (doubt,) = await half_pairs.doubts(server)
        assert (doubt["receiptId"], doubt["pair"]) == (receipt_id, None)


async def test_a_pair_that_can_not_be_gone_on_with_is_no_bug(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(folder) as server:
        number = await test_pairs.begun(server, ADVANCED)
        test_pairs.second_suffers(server, "refuse", **test_pairs.PIN)
        told = (await test_pairs.act(server, "close", number, test_pairs.REST)).json()
        second = f"command_id = '{told['receiptId']}' AND child = 1"
        damage(folder, f"UPDATE requests SET planned = x'00' WHERE {second}")
        caplog.clear()
        async with asyncio.timeout(30):
            while not any("a pair can't be continued" in one for one in caplog.messages):
                await server.shop.lane.changes.wait("any", 0.05)
        levels = {one.levelno for one in caplog.records if one.exc_info}
        assert logging.ERROR not in levels


async def test_a_job(folder: Path) -> None:
    async with running(folder) as server:
        for word in ("paper_out", "word_of_a_newer_version"):
            damage(
                folder,
                "INSERT INTO jobs (till_key, paper, method, target, state, made_at, asked_at,"
                " changed_at, next_at, trouble)"
                f" VALUES ('{word}', x'00', 'thermal', '', 'waiting', 1, 1, 1, 1, '{word}')",
            )
        (told,) = (await status(server))["jobs"]
        assert told["trouble"] == "paper_out"
        listed = await server.ask("POST", "/till/jobs/not_done", json={}, headers=server.till)
        assert [one["trouble"] for one in listed.json()["result"]] == ["paper_out"]
