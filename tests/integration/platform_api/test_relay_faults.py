"""Faults at either side: a caller gets no malformed answer and no wrong denial."""

from __future__ import annotations

import asyncio
import uuid

import pytest

from pos_app.platform_api.relay import program
from pos_app.platform_api.relay.presence import Presence
from tests.integration.platform_api.hosted import DatabasePlace, problem
from tests.integration.platform_api.relayed import TillServer, sale, worker

ISSUE = "/fiscalization/receipts"
LOST = (500, 50080001)
NO_ROOM = (400, 40010002)


async def test_what_is_no_answer_of_the_api_is_neither_passed_on_nor_kept(
    database: DatabasePlace,
) -> None:
    async with worker(database) as at, TillServer.connected(at) as till, at.caller() as caller:
        error = '{"code":40090001,"message":"no"}'
        wrong = [
            (200, "{"),
            (200, ""),
            (200, '"text"'),
            (200, "5"),
            (201, "{}"),
            (204, "{}"),
            (202, "{}"),
            (302, "{}"),
            (400, "{}"),
            (400, "[]"),
            (500, "<html>"),
            (404, "null"),
        ]
        for status, body in wrong:
            headers = {"Idempotency-Key": uuid.uuid4().hex}
            asking = asyncio.create_task(
                caller.post(ISSUE, json=sale(till.client), headers=headers)
            )
            await till.answer_text(await till.command(), body, status)
            assert problem(await asking)[:2] == LOST, (status, body)
            asking = asyncio.create_task(
                caller.post(ISSUE, json=sale(till.client), headers=headers)
            )
            again = await till.command()  # the answer was not stored
            assert again.attempt == 2
            right = [(200, "[{}]"), (400, error)][status >= 400]
            await till.answer_text(again, right[1], right[0])
            answer = await asking
            assert (answer.status_code, answer.text) == right


async def test_a_full_disk_before_the_hand_over_denies_only_what_was_never_handed_over(
    file_database: DatabasePlace,
) -> None:
    async with worker(file_database) as at, TillServer.connected(at) as till, at.caller() as caller:
        signed = {"Idempotency-Key": uuid.uuid4().hex}
        long = sale(till.client, note="x" * 100_000)
        asking = asyncio.create_task(caller.post(ISSUE, json=long, headers=signed))
        await till.answer(await till.command())
        assert (await asking).status_code == 200
        is_open = {"Idempotency-Key": uuid.uuid4().hex}
        asking = asyncio.create_task(caller.post(ISSUE, json=long, headers=is_open))
        await till.answer(await till.command(), status=500)
        assert (await asking).status_code == 500
        await at.database.written(
            lambda connection: [connection.execute("PRAGMA max_page_count = 1").fetchall()]
        )
        for headers in ({"Idempotency-Key": uuid.uuid4().hex}, {}):
            for _ in range(2):
                full = await caller.post(ISSUE, json={**long, "more": 1}, headers=headers)
                assert problem(full)[:2] == NO_ROOM
                assert full.json()["class"] == "cure"
        assert (await caller.post(ISSUE, json=long, headers=signed)).status_code == 200
        open_still = asyncio.create_task(caller.post(ISSUE, json=long, headers=is_open))
        await till.answer(await till.command())
        assert (await open_still).status_code == 200


async def test_a_full_disk_is_told_and_what_reads_goes_on(file_database: DatabasePlace) -> None:
    async with worker(file_database) as at, TillServer.connected(at) as till, at.caller() as caller:
        another = await at.another_key()
        async with at.database.writing() as connection:
            await connection.exec_driver_sql("PRAGMA max_page_count = 1")
        await at.database.written(
            lambda connection: [connection.execute("PRAGMA max_page_count = 1").fetchall()]
        )
        long = {"name": "Хлеб", "taxRateLabel": "Е", "description": "x" * 9_000}
        assert problem(await caller.post("/products", json=long))[:2] == NO_ROOM
        async with at.caller(another) as reader:  # the first use of its key can't be written
            assert (await reader.get("/products")).json() == []
            body = sale(till.client, note="x" * 100_000)
            assert problem(await reader.post(ISSUE, json=body))[:2] == NO_ROOM
        health = await caller.get(f"{at.address}/health")
        assert health.json()["warnings"] == ["The disk of the platform's database is full."]
        async with at.database.writing() as connection:
            await connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
        assert (await caller.post("/products", json=long)).status_code == 201


async def test_what_runs_beside_the_requests_is_started_again_after_a_bug(
    file_database: DatabasePlace, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "BEAT_SECONDS", 0.01)
    beats: list[str] = []
    beat, again = Presence.beat, asyncio.Event()

    async def failing(self: Presence, worker: str, *, now_ms: int) -> None:
        beats.append(worker)
        if len(beats) == 2:
            raise ZeroDivisionError
        if len(beats) == 4:
            again.set()
        await beat(self, worker, now_ms=now_ms)

    monkeypatch.setattr(Presence, "beat", failing)
    async with worker(file_database):
        await asyncio.wait_for(again.wait(), 10)
    assert "beat of the worker ended by a bug and is started again" in caplog.text
