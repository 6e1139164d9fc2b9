"""A row of the journal that can't be read does not hide another from the till.

Source: exactly-once.md, step 12; platform-contract.md 3.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from tests.fakes.inner_connection import connection_of
from tests.integration.local_api import test_half_done_pairs as half_pairs
from tests.integration.local_api import test_pairs
from tests.integration.local_api.test_damaged_answers import damage, spoil
from tests.integration.local_api.test_half_done_pairs import doubts
from tests.integration.local_api.test_receipts import KEY, KEYED, SALE, keyed
from tests.integration.local_api.wires import running, until


async def test_a_half_done_pair_is_told_with_what_can_be_read(folder: Path) -> None:
    """What was asked, what is signed of it, and how that was planned."""
    async with running(folder) as server:
        of = {
            part: await half_pairs.refused_closing(server, headers=keyed(f"{part:k>16}"))
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
    """The answer of the advance before the pair is damaged, and a correction is checked against
    that."""
    async with running(folder) as server:
        receipt_id = await half_pairs.refused_closing(server)
        assert (await doubts(server))[0]["pair"]["ways"] == ["again", "correct", "reverse"]
        advance = server.shop.journal.request_of_number(server.shop.ledger()[0].number)
        assert advance is not None
        spoil(folder, "answer", advance.id, b"\0")
        (doubt,) = await doubts(server)
        assert doubt["pair"]["ways"] == ["again", "reverse"]
        refused = await half_pairs.corrected(server, receipt_id, test_pairs.REST)
        assert (refused.status_code, refused.json()["code"]) == (500, 50010002)
        again = await half_pairs.said(server, receipt_id, "again", half_pairs.WHO)
        assert (again.status_code, again.json()["invoiceCounterExtension"]) == (200, "ПП")


async def test_a_pair_that_can_not_be_gone_on_with_is_no_bug(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.ADVANCE)
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
