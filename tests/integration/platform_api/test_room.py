"""The room that tenants share: none takes another's, and receipts find it last of all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
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
from tests.integration.platform_api.hosted import BREAD, DatabasePlace, hosted, many_stores, problem
from tests.integration.platform_api.serving import key_of_new_account, serving_quietly

TOO_MANY = (429, 42900001)
NO_ROOM = (400, 40010002)
LONG = "а" * 60_000
"""120,000 bytes, which are stored once more as plain text."""
LARGE = {**BREAD, "description": LONG}


async def sells(caller: httpx.AsyncClient, till: relayed.TillServer, number: int) -> None:
    await till.signs(relayed.posted(caller, relayed.sale(till.client, note=f"{number}"), key=None))


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


async def test_each_kind_of_row_counts(database: DatabasePlace) -> None:
    """A price that goes up and down makes no row longer, and is noted each time; an application
    that is deleted and comes back grows nothing without end."""
    async with relayed.worker(database, most=Quotas(stored_bytes=20_000)) as at:

        async def taken(method: str, path: str, **how: Callable[[int], Any]) -> int:
            """Repeat a request until it is refused for the quota; return how many were taken."""
            async with at.caller(await at.another_account()) as caller:
                if "PRODUCT" in path:
                    made = (await caller.post("/products", json=BREAD)).json()["id"]
                    path = path.replace("PRODUCT", made)
                for number in range(60):
                    told = {name: of(number) for name, of in how.items()}
                    answer = await caller.request(method, path, **told)
                    if answer.status_code == TOO_MANY[0]:
                        return number
                    assert answer.is_success, answer.text
            raise AssertionError(f"{path} grows without end")

        key = {"name": "к", "scopes": [KeyScope.CATALOGUE]}
        assert await taken("POST", "/keys", json=lambda _: key) < 40
        assert await taken("POST", "/stores", json=lambda _: {"name": "Прва"}) < 40
        once = {"headers": lambda n: {"Idempotency-Key": f"5e2f9c1a7b3d4860-{n}"}}
        assert await taken("POST", "/units", json=lambda _: {"name": "kg"}, **once) < 20
        assert await taken("PATCH", "/products/PRODUCT", json=lambda n: {"price": 10 + n % 2}) > 5
        applications = 0
        async with at.caller() as own:
            while applications < 40:
                async with relayed.TillServer.connected(at) as till:
                    if till.refusal == "quota":
                        break
                applications += 1
                assert (await own.delete(f"/clients/{till.client}")).status_code == 200
        assert 5 < applications < 40


async def test_the_sum_is_what_is_stored(database: DatabasePlace) -> None:
    """The sums of the triggers are those that a database of an earlier version gets."""
    async with hosted(database) as at:
        await many_stores(at.context.database, at.account, 80, 10)
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
