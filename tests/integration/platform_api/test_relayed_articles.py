"""The platform's articles in a hand-over, on both databases and with more workers."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import httpx

from pos_app.wire import relay
from tests.integration.platform_api.hosted import Place
from tests.integration.platform_api.pictures import picture
from tests.integration.platform_api.relayed import KEY, TillServer, sale, shop, worker

ISSUE = "/fiscalization/receipts"


def posted(
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
        shirt = await added(
            caller, name="Мајица", variants=[{"name": "L", "taxRateLabel": "Е", "sku": 7001}]
        )
        gone = await added(caller, name="Чај")
        await caller.delete(f"/products/{gone['id']}")
        stranger = await at.another_account()
        async with at.caller(stranger) as other:
            await added(other, name="Туђе", sku=7777)
        skus = [cheese["sku"], 7001, shirt["sku"], gone["sku"], 7777]
        asking = posted(caller, till.client, *skus, key=KEY)
        command = await till.command()
        assert told(command) == {
            str(cheese["sku"]): [("Сир", "Ђ", "kg", "8600000000018")],
            "7001": [("Мајица L", "Е", "", None)],
            str(shirt["sku"]): [],
            str(gone["sku"]): [],
        }
        await till.answer(command)
        assert (await asking).status_code == 200


async def test_what_was_handed_over_is_carried_again_as_it_was_frozen(database: Place) -> None:
    async with worker(database) as at, at.caller() as caller:
        bread = await added(caller, name="Хлеб")
        sku, path = bread["sku"], f"/products/{bread['id']}"
        install, client = str(uuid.uuid4()), str(uuid.uuid4())
        async with TillServer.connected(at, client=client, install=install) as till:
            asking = posted(caller, client, sku, key=KEY)
            first = await till.command()
            await till.line.close()
            assert (await asking).status_code == 500
        assert (await caller.patch(path, json={"taxRateLabel": "Е"})).status_code == 200
        async with TillServer.connected(at, client=client, install=install) as till:
            asking = posted(caller, client, sku, key=KEY)
            again = await till.command()
            assert again.attempt > first.attempt
            assert told(again) == told(first) == {str(sku): [("Хлеб", "Ђ", "", None)]}
            await till.answer(again, status=400)  # surely nothing was signed: it may be corrected
            assert (await asking).status_code == 400
            asking = posted(caller, client, sku, key=KEY)
            corrected = await till.command()
            assert told(corrected) == {str(sku): [("Хлеб", "Е", "", None)]}
            await till.answer(corrected)
            assert (await asking).status_code == 200


async def test_only_what_may_come_by_its_code_is_asked_for(database: Place) -> None:
    """It never looks up more items than a receipt has; PostgreSQL takes no statement with so many
    either."""
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
            asking = posted(caller, till.client, *skus, key=f"{number:016}", path=path)
            command = await till.command()
            assert (command.operation, set(command.articles)) == (operation, found)
            await till.answer(command)
            assert (await asking).status_code == 200
