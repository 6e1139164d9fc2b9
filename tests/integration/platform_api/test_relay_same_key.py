"""Simultaneous requests: one key has one outcome, and a body without a key is sold each time."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import httpx
import pytest

from pos_app.platform_api.relay.commands import LOOK_UP, CommandState, receipt_id_of
from pos_app.platform_api.relay.stored_commands import AnswerOf
from pos_app.wire import relay
from tests.integration.local_api.wires import until
from tests.integration.platform_api.hosted import Place
from tests.integration.platform_api.pictures import picture
from tests.integration.platform_api.relayed import (
    ISSUE,
    KEY,
    TillServer,
    Worker,
    posted,
    reset,
    sale,
    sent,
    shop,
    two_workers,
    worker,
)
from tests.sweep import sampled, turns

Answer = Callable[[relay.CommandMessage], Coroutine[Any, Any, None]]


async def answering(till: TillServer, answer: Answer) -> None:
    """Answer each hand-over, also several at once."""
    async with asyncio.TaskGroup() as group:
        while True:
            command = relay.from_platform(await till.line.recv())
            assert isinstance(command, relay.CommandMessage)
            group.create_task(answer(command))


async def _posted(
    caller: httpx.AsyncClient, body: dict[str, Any], key: str, after: float
) -> httpx.Response:
    await asyncio.sleep(after)
    return await posted(caller, body, key=key)


async def _three_at_once(till_at: Worker, others: list[Worker]) -> None:
    async with AsyncExitStack() as stack:
        till = await stack.enter_async_context(TillServer.connected(till_at))

        async def answer(command: relay.CommandMessage) -> None:
            """As a till does: the same key gets the same receipt."""
            await asyncio.sleep(0.12)
            await till.answer(command, id=command.key)

        answers = asyncio.create_task(answering(till, answer))
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


async def test_requests_with_one_key_at_any_worker_get_its_one_answer(shared: Place) -> None:
    async with worker(shared) as near, worker(shared, of=near) as far:
        await _three_at_once(far, [near])
        await _three_at_once(far, [near, far])


BESIDE: dict[str, dict[str, Any]] = {"nothing": {}, "a link": {"receiptDelivery": {"pdf": True}}}
"""Extras that an order requests: the till makes a link anew for each answer, which takes time."""


@dataclass
class Signing:
    """A till that signs each new key, and returns a receipt again for a look-up."""

    at: Worker
    till: TillServer
    signed: list[str] = field(default_factory=list)
    fails: int = 0

    @classmethod
    @asynccontextmanager
    async def connected(cls, at: Worker, *, fails: int = 0) -> AsyncIterator[Signing]:
        """Connect it. fails: how often it answers that the outcome is unknown."""
        async with TillServer.connected(at) as till:
            made = cls(at, till, fails=fails)
            answers = asyncio.create_task(answering(till, made._answer))
            try:
                yield made
            finally:
                answers.cancel()
                await asyncio.gather(answers, return_exceptions=True)

    async def _answer(self, command: relay.CommandMessage) -> None:
        if command.operation == LOOK_UP:
            receipt = command.target or ""
        else:
            receipt = receipt_id_of(self.at.account, self.till.client, command.key)
            if receipt not in self.signed:
                self.signed.append(receipt)
        await asyncio.sleep(0.2)
        if self.fails:
            self.fails -= 1
            await self.till.answer(command, status=500, receiptId=receipt)
        else:
            await self.till.answer(command, id=receipt, journal="x" * 18_000)

    async def loses(self, body: dict[str, Any]) -> None:
        """Order, and reset the connection before the answer."""
        commands, before = self.at.relay.service.commands, len(self.signed)
        _, writer = await sent(self.at, body)
        await until(lambda: len(self.signed) > before)
        reset(writer)
        async with asyncio.timeout(5):
            while True:
                row = await commands.by_receipt(self.at.account, self.signed[before])
                if row is not None and row.state is CommandState.ANSWERED:
                    return


@pytest.mark.parametrize(("beside", "fails"), turns(BESIDE, [0, 1]))
async def test_of_those_at_once_one_is_told(file_database: Place, beside: str, fails: int) -> None:
    """fails: whether the first caller got the answer that its outcome is unknown."""
    async with worker(file_database) as at, at.caller() as caller:
        await _one_is_told(at, [caller], BESIDE[beside], fails=fails)


@pytest.mark.parametrize(("beside", "fails"), sampled(product(BESIDE, [0, 1])))
async def test_of_those_at_any_worker_one_is_told(shared: Place, beside: str, fails: int) -> None:
    async with two_workers(shared) as (near, far, one), far.caller() as two:
        for turn in range(3):
            await _one_is_told(near, [one, two], BESIDE[beside] | {"turn": turn}, fails=fails)


async def _one_is_told(
    at: Worker, callers: list[httpx.AsyncClient], members: dict[str, Any], *, fails: int
) -> None:
    async with Signing.connected(at, fails=fails) as shop:
        body = sale(shop.till.client, **members)
        if fails:
            assert (await callers[0].post(ISSUE, json=body)).status_code == 500
        else:
            await shop.loses(body)
        asked = [callers[n % len(callers)].post(ISSUE, json=body) for n in range(4)]
        answers = await asyncio.gather(*asked)
        told = [answer.json()["id"] for answer in answers if answer.status_code == 200]
        assert shop.signed[0] in told
        assert len(set(told)) == len(told)


async def test_a_till_that_is_back_elsewhere_ends_the_wait_for_a_worker(shared: Place) -> None:
    """The worker was killed, and nothing reports it; the caller asks again and gets the receipt."""
    async with worker(shared) as at, at.caller() as caller:
        service, killed, key = at.relay.service, uuid.uuid4().hex, uuid.uuid4().hex
        client, install = str(uuid.uuid4()), str(uuid.uuid4())
        await at.application_at(killed, client, install)
        asking = asyncio.create_task(_posted(caller, sale(client), key, 0.0))
        await asyncio.wait((asking,), timeout=0.5)
        row = await at.row(key)
        assert await service.commands.begin(row.id, 1) is not None
        async with TillServer.connected(at, client=client, install=install) as till:
            answer = await asyncio.wait_for(asking, 5)
            assert (answer.status_code, answer.json()["code"]) == (500, 50080001)
            command, _ = await till.signs(_posted(caller, sale(client), key, 0.0))
            assert (command.command_id, command.attempt) == (row.id, 2)


async def test_nobody_is_told_only_where_nothing_was_handed_over(shared: Place) -> None:
    """The till's worker hangs: it answers one key late, and never begins the other."""
    async with worker(shared) as at, at.caller() as caller:
        service, hung = at.relay.service, uuid.uuid4().hex
        client = str(uuid.uuid4())
        await at.application_at(hung, client)
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
        row = await at.row(begun)
        assert row.attempt == 2  # the second request overtook the first
        assert await service.commands.begin(row.id, 2) is not None
        ended, _ = await asyncio.wait(asked[begun], timeout=1.5)  # a beginning is waited for 3 s
        assert not ended
        of = AnswerOf(at.account, client, row.id, 2)
        assert await service.commands.answered(of, status=200, body='{"id":"r-1"}')
        for answer in await asyncio.gather(*asked[begun]):
            assert (answer.status_code, answer.json()) == (200, {"id": "r-1"})
        for answer in await asyncio.gather(*asked[never]):
            assert (answer.status_code, answer.json()["code"]) == (400, 40080001)
        left = await at.row(never)
        assert (left.state, left.unsure, left.begun) == (CommandState.NEW, 0, 0)
        assert await service.commands.begin(left.id, left.attempt - 1) is None


async def test_a_receipt_named_by_number_and_by_id_is_one_request(file_database: Place) -> None:
    """As at the local door. The application is asked whether both names are of one receipt."""
    sold = {"id": "a1b2c3d4-0000-4000-8000-000000000001", "invoiceNumber": "AAAA1111-AAAA1111-7"}
    other = {"id": "a1b2c3d4-0000-4000-8000-000000000002", "invoiceNumber": "AAAA1111-AAAA1111-8"}
    done = list[str]()

    async with worker(file_database) as at, at.caller() as caller:

        async def refund(name: str) -> httpx.Response:
            path = f"{ISSUE}/{name}/refund"
            return await caller.post(path, json=sale(client), headers={"Idempotency-Key": KEY})

        async with TillServer.connected(at) as till:
            client = till.client

            async def answer(command: relay.CommandMessage) -> None:
                found = [one for one in (sold, other) if command.target in one.values()]
                if command.operation != LOOK_UP:
                    done.append(command.target or "")
                    await till.answer(command, id="refund", invoiceNumber="AAAA1111-AAAA1111-9")
                elif found:
                    await till.answer_text(command, json.dumps(found))
                else:
                    await till.answer(command, status=404)

            answers = asyncio.create_task(answering(till, answer))
            first = await refund(sold["invoiceNumber"])
            again = await refund(sold["id"])
            assert (again.status_code, again.content) == (first.status_code, first.content)
            assert done == [sold["invoiceNumber"]]
            assert (await refund(other["id"])).status_code == 409
            assert (await refund("nobody-knows-it")).status_code == 409
            answers.cancel()
        away = await refund(sold["id"])
        assert (away.status_code, away.json()["code"]) == (500, 50080001), away.text
        assert (await refund(sold["invoiceNumber"])).content == first.content


# --- the platform's articles in a hand-over ------------------------------------------------------


def ordered(
    caller: httpx.AsyncClient, client: str, *skus: int, key: str, path: str = ISSUE
) -> asyncio.Task[httpx.Response]:
    body = sale(client, items=[{"sku": sku, "quantity": 1, "unitPrice": 5} for sku in skus])
    return asyncio.create_task(caller.post(path, json=body, headers={"Idempotency-Key": key}))


async def added(caller: httpx.AsyncClient, **members: Any) -> dict[str, Any]:
    answer = await caller.post("/products", json={"taxRateLabel": "Ђ", **members})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def told(command: relay.CommandMessage) -> dict[str, list[tuple[str, str, str, str | None]]]:
    return {
        sku: [(one.name, one.label.value, one.unit, one.gtin) for one in sold]
        for sku, sold in command.articles.items()
    }


async def test_a_hand_over_carries_what_the_catalogue_sells_then(database: Place) -> None:
    async with shop(database) as (at, till, caller):
        kg = (await caller.post("/units", json={"name": "килограм", "symbol": "kg"})).json()["id"]
        kind = {"Content-Type": "image/png"}
        photo = (await caller.post("/files", content=picture("PNG"), headers=kind)).json()["id"]
        sold = {"saleUnitId": kg, "ean": "8600000000018", "price": 700}
        cheese = await added(caller, name="Сир", images=[photo], **sold)
        large = {"name": "L", "taxRateLabel": "Е", "sku": 7001}
        shirt = await added(caller, name="Мајица", variants=[large])
        gone = await added(caller, name="Чај")
        await caller.delete(f"/products/{gone['id']}")
        async with at.caller(await at.another_account()) as other:
            await added(other, name="Туђе", sku=7777)
        skus = [cheese["sku"], 7001, shirt["sku"], gone["sku"], 7777]
        command, _ = await till.signs(ordered(caller, till.client, *skus, key=KEY))
        assert told(command) == {
            str(cheese["sku"]): [("Сир", "Ђ", "kg", "8600000000018")],
            "7001": [("Мајица L", "Е", "", None)],
            str(shirt["sku"]): [],
            str(gone["sku"]): [],
        }


async def test_what_was_handed_over_is_carried_again_as_it_was_frozen(database: Place) -> None:
    async with worker(database) as at, at.caller() as caller:
        bread = await added(caller, name="Хлеб")
        sku, path = bread["sku"], f"/products/{bread['id']}"
        async with TillServer.connected(at) as till:
            client = till.client
            asking = ordered(caller, client, sku, key=KEY)
            first = await till.command()
            await till.line.close()
            assert (await asking).status_code == 500
        assert (await caller.patch(path, json={"taxRateLabel": "Е"})).status_code == 200
        async with till.back(at) as till:
            # Surely nothing was signed: it may be corrected.
            again, _ = await till.signs(ordered(caller, client, sku, key=KEY), 400)
            assert again.attempt > first.attempt
            assert told(again) == told(first) == {str(sku): [("Хлеб", "Ђ", "", None)]}
            corrected, _ = await till.signs(ordered(caller, client, sku, key=KEY))
            assert told(corrected) == {str(sku): [("Хлеб", "Е", "", None)]}


async def test_only_what_may_come_by_its_code_is_asked_for(database: Place) -> None:
    """No more items than a receipt has are looked up; PostgreSQL takes no such statement."""
    async with shop(database) as (_, till, caller):
        sku = (await added(caller, name="Хлеб"))["sku"]
        many = range(sku, sku + 500)
        cases = [
            ("issue", ISSUE, many, {str(sku)}),
            ("issue", ISSUE, range(sku, sku + 501), set()),
            ("issue", ISSUE, range(sku, sku + 18_000), set()),
            ("close", f"{ISSUE}/A-1/close", [sku], {str(sku)}),
            ("refund", f"{ISSUE}/A-1/refund", [sku], set()),
        ]
        for number, (operation, path, skus, found) in enumerate(cases):
            asking = ordered(caller, till.client, *skus, key=f"{number:016}", path=path)
            command, _ = await till.signs(asking)
            assert (command.operation, set(command.articles)) == (operation, found)
