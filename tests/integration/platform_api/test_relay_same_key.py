"""Requests that come at once: one key has one outcome, a body without a key is sold each time."""

from __future__ import annotations

import asyncio
import uuid
from contextlib import AsyncExitStack
from typing import Any

import httpx

from pos_app.wire import relay
from tests.integration.platform_api.hosted import DatabasePlace
from tests.integration.platform_api.relayed import TillServer, Worker, sale, worker

ISSUE = "/fiscalization/receipts"


async def answering(till: TillServer, after: float) -> None:
    """Each hand-over is answered, as a till does: the same key with the same receipt."""
    async with asyncio.TaskGroup() as group:
        while True:
            group.create_task(_answer_one(till, await till.line.recv(), after))


async def _answer_one(till: TillServer, frame: str | bytes, after: float) -> None:
    command = relay.from_platform(frame)
    assert isinstance(command, relay.Command)
    await asyncio.sleep(after)
    await till.answer(command, id=command.key)


async def _posted(
    caller: httpx.AsyncClient, body: dict[str, Any], key: str, after: float
) -> httpx.Response:
    await asyncio.sleep(after)
    return await caller.post(ISSUE, json=body, headers={"Idempotency-Key": key})


async def _three_at_once(till_at: Worker, others: list[Worker]) -> None:
    async with AsyncExitStack() as stack:
        till = await stack.enter_async_context(TillServer.connected(till_at))
        answers = asyncio.create_task(answering(till, 0.12))
        callers = [await stack.enter_async_context(one.caller()) for one in others]
        wrong = []
        for gap in (0.0, 0.004, 0.008, 0.115):
            for turn in range(2):
                key = uuid.uuid4().hex
                asked = [
                    _posted(callers[n % len(callers)], sale(till.client), key, n * gap)
                    for n in range(turn, turn + 3)
                ]
                wrong += [
                    (gap, turn, answer.status_code, answer.text[:120])
                    for answer in await asyncio.gather(*asked)
                    if (answer.status_code, answer.json().get("id")) != (200, key)
                ]
        answers.cancel()
        assert not wrong


async def test_requests_with_one_key_at_once_get_its_one_answer(
    file_database: DatabasePlace,
) -> None:
    async with worker(file_database) as at:
        await _three_at_once(at, [at])


async def test_requests_with_one_key_at_any_worker_get_its_one_answer(
    postgresql_address: str, folder: Any
) -> None:
    place = DatabasePlace(postgresql_address, folder)
    async with worker(place) as near, worker(place, of=near) as far:
        await _three_at_once(far, [near])
        await _three_at_once(far, [near, far])


async def test_an_identical_sale_after_the_answer_was_read_is_another_one(
    database: DatabasePlace,
) -> None:
    async with (
        worker(database) as at,
        TillServer.connected(at) as till,
        at.caller() as caller,
    ):
        answers = asyncio.create_task(answering(till, 0))
        for turn in range(12):
            body = sale(till.client, turn=turn)
            first = await caller.post(ISSUE, json=body)
            second = await caller.post(ISSUE, json=body)
            assert (first.status_code, second.status_code) == (200, 200)
            assert first.json()["id"] != second.json()["id"]
        answers.cancel()


async def test_an_identical_sale_at_the_other_worker_is_another_one(
    postgresql_address: str, folder: Any
) -> None:
    place = DatabasePlace(postgresql_address, folder)
    async with (
        worker(place) as near,
        worker(place, of=near) as far,
        TillServer.connected(far) as till,
        near.caller() as one,
        far.caller() as two,
    ):
        answers = asyncio.create_task(answering(till, 0))
        for turn in range(12):
            body = sale(till.client, turn=turn)
            first = await one.post(ISSUE, json=body)
            second = await two.post(ISSUE, json=body)
            assert (first.status_code, second.status_code) == (200, 200)
            assert first.json()["id"] != second.json()["id"]
        answers.cancel()
