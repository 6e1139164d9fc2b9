"""The room that tenants share: none takes another's, and receipts find it last of all."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import text

from pos_app.domain.setup.platform_key import KeyScope
from pos_app.platform_api.database.migrations import STEPS, migrate
from pos_app.platform_api.database.stored import stored_by
from pos_app.platform_api.keys import NewKey
from pos_app.platform_api.quotas import Quotas
from tests.fakes.small_disk import small_disk
from tests.integration.platform_api import relayed
from tests.integration.platform_api.hosted import BREAD, DatabasePlace, hosted, problem
from tests.integration.platform_api.serving import key_of_new_account, serving_quietly

ISSUE = "/fiscalization/receipts"
TOO_MANY = (429, 42900001)
NO_ROOM = (400, 40010002)
LONG = "а" * 60_000
"""120,000 bytes, which are stored once more as plain text."""
LARGE = {**BREAD, "description": LONG}


async def sells(caller: httpx.AsyncClient, till: relayed.TillServer, number: int) -> None:
    asked = asyncio.create_task(
        caller.post(ISSUE, json=relayed.sale(till.client, note=f"{number}"))
    )
    await till.answer(await till.command())
    assert (await asked).status_code == 200, (await asked).text


async def test_who_is_full_is_told_and_nobody_else_notices(database: DatabasePlace) -> None:
    async with relayed.worker(database, most=Quotas(stored_bytes=3_000_000)) as at:
        honest_key = await at.another_account()
        async with (
            at.caller() as full,
            at.caller(honest_key) as honest,
            relayed.TillServer.connected(at, key=honest_key) as till,
        ):
            short = await full.post("/products", json=BREAD)
            made: list[str] = []
            answer = await full.post("/products", json=LARGE)
            while answer.status_code == 201 and len(made) < 40:
                made.append(answer.json()["id"])
                await sells(honest, till, len(made))
                assert (await honest.post("/products", json=BREAD)).status_code == 201
                answer = await full.post("/products", json=LARGE)
            await sells(honest, till, 0)
            assert (await honest.post("/products", json=BREAD)).status_code == 201
            assert problem(answer)[:2] == TOO_MANY
            assert "3 MB (quota_megabytes)" in problem(answer)[2]
            assert "delete pictures, or shorten descriptions" in problem(answer)[2]
            assert 5 < len(made) < 20
            path = f"/products/{short.json()['id']}"
            grown = await full.patch(path, json={"description": LONG})
            assert problem(grown)[:2] == TOO_MANY
            assert (await full.delete(f"/products/{made[0]}")).status_code == 200
            assert (await full.patch(f"/products/{made[1]}", json={"description": "x"})).is_success
            assert (await full.post("/products", json=BREAD)).status_code == 201


async def _fill(caller: httpx.AsyncClient, path: str, body: dict[str, Any], **more: str) -> int:
    """Repeat a request until it is refused for the quota; return how many were taken."""
    for number in range(100):
        headers = {name: f"{value}-{number}" for name, value in more.items()}
        answer = await caller.post(path, json=body, headers=headers)
        if answer.status_code == TOO_MANY[0]:
            return number
        assert answer.status_code == 201, answer.text
    raise AssertionError(f"{path} grows without end")


async def test_keys_stores_and_kept_answers_count(database: DatabasePlace) -> None:
    async with relayed.worker(database, most=Quotas(stored_bytes=20_000)) as at:
        another = [await at.another_account() for _ in range(2)]
        async with at.caller() as one, at.caller(another[0]) as two, at.caller(another[1]) as three:
            assert await _fill(one, "/keys", {"name": "к", "scopes": [KeyScope.CATALOGUE]}) < 40
            assert await _fill(two, "/stores", {"name": "Прва"}) < 40
            once = {"Idempotency-Key": "5e2f9c1a7b3d4860"}
            assert await _fill(three, "/units", {"name": "kg"}, **once) < 20


async def test_entries_of_the_audit_log_count(database: DatabasePlace) -> None:
    """A price that goes up and down makes no row longer, and is noted each time."""
    async with relayed.worker(database, most=Quotas(stored_bytes=20_000)) as at, at.caller() as own:
        path = f"/products/{(await own.post('/products', json=BREAD)).json()['id']}"
        for number in range(60):
            answer = await own.patch(path, json={"price": 10 + number % 2})
            if answer.status_code == TOO_MANY[0]:
                break
        assert 5 < number < 59


async def test_an_application_that_is_deleted_and_comes_back_grows_nothing_without_end(
    database: DatabasePlace,
) -> None:
    async with relayed.worker(database, most=Quotas(stored_bytes=20_000)) as at, at.caller() as own:
        taken = 0
        while taken < 60:
            async with relayed.TillServer.connected(at) as till:
                if getattr(till.greeting, "code", "") == "quota":
                    break
            taken += 1
            assert (await own.delete(f"/clients/{till.client}")).status_code == 200
        assert 5 < taken < 40


async def test_the_sum_is_what_is_stored(database: DatabasePlace) -> None:
    """The sums of the triggers are those that a database of an earlier version gets."""
    async with hosted(database) as at:
        body = {"name": "Прва"}
        for _ in range(80):
            assert (await at.client.post("/stores", json=body)).status_code == 201
        made = (await at.client.post("/products", json=BREAD)).json()["id"]
        assert (await at.client.patch(f"/products/{made}", json={"description": LONG})).is_success
        assert (await at.client.delete(f"/products/{made}")).is_success
        async with at.context.database.writing() as connection:
            kept = await stored_by(connection, at.account)
            assert kept.rows == 81
            assert kept.row_parts <= 70
            await _without_sums(connection)
            assert await migrate(connection) == 1
            anew = await stored_by(connection, at.account)
            assert (anew.rows, anew.byte_count) == (kept.rows, kept.byte_count)


async def _without_sums(connection: Any) -> None:
    """Take the schema back to the one without sums."""
    if connection.dialect.name == "postgresql":
        names = "SELECT proname FROM pg_proc WHERE proname LIKE '%\\_stored\\_%'"
        drop = "DROP FUNCTION {} CASCADE"
    else:
        names = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        drop = "DROP TRIGGER {}"
    for name in (await connection.execute(text(names))).scalars().all():
        await connection.execute(text(drop.format(name)))
    await connection.execute(text("DROP TABLE stored"))
    number = {"number": len(STEPS)}
    await connection.execute(text("DELETE FROM schema_step WHERE number = :number"), number)


def _told(folder: Path, *settings: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "settings.toml").write_text("\n".join(("[platform_server]", *settings, "")))
    return folder


async def test_below_the_reserve_a_receipt_goes_through_and_a_product_does_not(
    tmp_path: Path,
) -> None:
    with small_disk(tmp_path / "disk", megabytes=80) as disk:
        folder = _told(disk / "data", "reserve_megabytes = 30")
        own = NewKey(*await asyncio.to_thread(key_of_new_account, folder))
        with serving_quietly(folder) as address:
            at = relayed.Reached(address, own)
            async with at.caller() as caller, relayed.TillServer.connected(at) as till:
                assert (await caller.post("/products", json=BREAD)).status_code == 201
                (disk / "others").write_bytes(bytes(60_000_000))
                refused = await caller.post("/products", json=BREAD)
                assert problem(refused)[:2] == NO_ROOM
                assert "below 30 MB only receipts are taken" in problem(refused)[2]
                await sells(caller, till, 1)
                assert (await caller.get("/products")).status_code == 200
                health = await caller.get(f"{address}/health")
                assert "nearly full" in json.dumps(health.json()["warnings"])
                (disk / "others").unlink()
                assert (await caller.post("/products", json=BREAD)).status_code == 201


async def test_a_postgresql_that_is_as_large_as_it_may_be_takes_receipts(
    folder: Path, postgresql_address: str
) -> None:
    url = f'database_url = "{postgresql_address}"'
    _told(folder, "reserve_megabytes = 1", "database_megabytes = 2", url)
    own = NewKey(*await asyncio.to_thread(key_of_new_account, folder, postgresql_address))
    with serving_quietly(folder) as address:
        at = relayed.Reached(address, own)
        async with at.caller() as caller, relayed.TillServer.connected(at) as till:
            assert problem(await caller.post("/products", json=BREAD))[:2] == NO_ROOM
            await sells(caller, till, 1)
