"""Requests that come at once: one key has one outcome, a body without a key is sold each time."""

from __future__ import annotations

import asyncio
import uuid
from contextlib import AsyncExitStack
from typing import Any

import httpx

from pos_app.platform_api.relay.commands import CommandState
from pos_app.platform_api.relay.presence import Application, Entered
from pos_app.platform_api.relay.stored_commands import AnswerOf
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
    assert isinstance(command, relay.CommandMessage)
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
    async with (
        worker(place) as near,
        worker(place, of=near) as far,
    ):
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


async def test_a_till_that_is_back_elsewhere_ends_the_wait_for_the_worker_that_took_it(
    postgresql_address: str, folder: Any
) -> None:
    """That one was killed, which nobody else tells; the caller asks again and has the receipt."""
    place = DatabasePlace(postgresql_address, folder)
    async with worker(place) as at, at.caller() as caller:
        service, killed, key = at.relay.service, uuid.uuid4().hex, uuid.uuid4().hex
        client, install = str(uuid.uuid4()), str(uuid.uuid4())
        now = service.now_ms()
        there = Application(
            at.account, client, install, None, "Каса", killed, uuid.uuid4().hex, now
        )
        await service.presence.beat(killed, now_ms=now)
        assert await service.presence.enter(there, now_ms=now) == Entered()
        asking = asyncio.create_task(_posted(caller, sale(client), key, 0.0))
        await asyncio.wait((asking,), timeout=0.5)
        row = await service.commands.by_key(at.account, key)
        assert row is not None
        assert await service.commands.begin(row.id, 1) is not None
        async with TillServer.connected(at, client=client, install=install) as till:
            answer = await asyncio.wait_for(asking, 5)
            assert (answer.status_code, answer.json()["code"]) == (500, 50080001)
            asking = asyncio.create_task(_posted(caller, sale(client), key, 0.0))
            command = await till.command()
            assert (command.command_id, command.attempt) == (row.id, 2)
            await till.answer(command)
            assert (await asking).status_code == 200


async def test_nobody_is_told_only_where_the_row_says_that_nothing_was_handed_over(
    postgresql_address: str, folder: Any
) -> None:
    """The worker of the till hangs: one key is begun and answered at last, the other one never."""
    place = DatabasePlace(postgresql_address, folder)
    async with worker(place) as at, at.caller() as caller:
        service, hung = at.relay.service, uuid.uuid4().hex
        client = str(uuid.uuid4())
        now = service.now_ms()
        there = Application(at.account, client, "i", None, "Каса", hung, uuid.uuid4().hex, now)
        await service.presence.beat(hung, now_ms=now)
        assert await service.presence.enter(there, now_ms=now) == Entered()
        begun, never = uuid.uuid4().hex, uuid.uuid4().hex
        asked = {
            key: [
                asyncio.create_task(_posted(caller, sale(client), key, after))
                for after in (0.0, 0.3)
            ]
            for key in (begun, never)
        }
        ended, _ = await asyncio.wait((*asked[begun], *asked[never]), timeout=2.5)
        assert not ended
        row = await service.commands.by_key(at.account, begun)
        assert row is not None
        assert row.attempt == 2  # the second request overtook the first one
        taken = await service.commands.begin(row.id, 2)
        assert taken is not None
        ended, _ = await asyncio.wait(asked[begun], timeout=1.5)  # a beginning is waited for 3 s
        assert not ended
        of = AnswerOf(at.account, client, row.id, 2)
        assert await service.commands.answered(of, status=200, body='{"id":"r-1"}')
        for answer in await asyncio.gather(*asked[begun]):
            assert (answer.status_code, answer.json()) == (200, {"id": "r-1"})
        for answer in await asyncio.gather(*asked[never]):
            assert (answer.status_code, answer.json()["code"]) == (400, 40080001)
        left = await service.commands.by_key(at.account, never)
        assert left is not None
        assert (left.state, left.unsure, left.begun) == (CommandState.NEW, 0, 0)
        assert await service.commands.begin(left.id, left.attempt - 1) is None
