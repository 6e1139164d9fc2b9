"""The room that tenants share: none takes another's, and receipts find it last of all."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from sqlalchemy import text
from websockets.exceptions import InvalidStatus

from pos_app.adapters.clock import SystemClock
from pos_app.clock import Clock
from pos_app.domain.setup.platform_key import KeyScope
from pos_app.platform_api.database.engine import POOLED
from pos_app.platform_api.database.stored import stored_by
from pos_app.platform_api.keys import NewKey
from pos_app.platform_api.quotas import Quota, Quotas
from tests.fakes.small_disk import small_disk
from tests.integration.platform_api.hosted import BREAD, Place, hosted, many_stores, problem
from tests.integration.platform_api.pictures import picture, png_of
from tests.integration.platform_api.relayed import (
    Reached,
    TillServer,
    Worker,
    line_to,
    posted,
    sale,
    worker,
)
from tests.integration.platform_api.serving import key_of_new_account, serving_quietly

TOO_MANY = (429, 42900001)
NO_ROOM = (400, 40010002)
LONG = "а" * 60_000
"""120,000 bytes, which are stored once more as plain text."""
LARGE = {**BREAD, "description": LONG}


async def sells(caller: httpx.AsyncClient, till: TillServer, number: int) -> None:
    await till.signs(posted(caller, sale(till.client, note=f"{number}"), key=None))


async def test_who_is_full_is_told_and_nobody_else_notices(database: Place) -> None:
    async with worker(database, most=Quotas(stored_bytes=3_000_000)) as at:
        honest_key = await at.another_account()
        async with (
            at.caller() as full,
            at.caller(honest_key) as honest,
            TillServer.connected(at, key=honest_key) as till,
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
            assert problem(await full.patch(path, json={"description": LONG}))[:2] == TOO_MANY
            assert (await full.delete(f"/products/{made[0]}")).status_code == 200
            assert (await full.patch(f"/products/{made[1]}", json={"description": "x"})).is_success
            assert (await full.post("/products", json=BREAD)).status_code == 201


async def test_each_kind_of_row_counts(database: Place) -> None:
    """A price that changes is noted each time, and an application may come back each time."""
    async with worker(database, most=Quotas(stored_bytes=20_000)) as at:

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
        assert await taken("POST", "/units", json=lambda n: {"name": f"мера {n}"}, **once) < 20
        assert await taken("PATCH", "/products/PRODUCT", json=lambda n: {"price": 10 + n % 2}) > 5
        applications = 0
        async with at.caller() as own:
            while applications < 40:
                async with TillServer.connected(at) as till:
                    if till.refusal == "quota":
                        break
                applications += 1
                assert (await own.delete(f"/clients/{till.client}")).status_code == 200
        assert 5 < applications < 40


async def test_the_sum_is_what_is_stored(database: Place) -> None:
    async with hosted(database) as at:
        await many_stores(at.context.database, at.account, 80, 10)
        made = (await at.client.post("/products", json=BREAD)).json()["id"]
        assert (await at.client.patch(f"/products/{made}", json={"description": LONG})).is_success
        assert (await at.client.delete(f"/products/{made}")).is_success
        async with at.context.database.reading() as connection:
            kept = await stored_by(connection, at.account)
            assert kept.rows == 81
            assert kept.row_parts <= 70
            assert kept.byte_count == await _measured(connection, at.account)


async def _measured(connection: Any, account: str) -> int:
    """The bytes of the rows of an account that sold nothing: 500 and its texts for each."""
    documents = dict.fromkeys(("store", "product", "product_code", "audit_entry"), "document")
    size = 0
    for table, texts in {**documents, "api_key": "name, scopes"}.items():
        query = text(f"SELECT {texts} FROM {table} WHERE account_id = :account")
        for row in await connection.execute(query, {"account": account}):
            size += 500 + sum(len((value or "").encode()) for value in row)
    return size


def _told(folder: Path, *settings: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "settings.toml").write_text("\n".join(("[platform_server]", *settings, "")))
    return folder


async def test_below_the_reserve_a_receipt_goes_through_no_product(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", megabytes=80) as disk:
        folder = _told(disk / "data", "reserve_megabytes = 30")
        own = NewKey(*await asyncio.to_thread(key_of_new_account, folder))
        with serving_quietly(folder) as address:
            at = Reached(address, own)
            async with at.caller() as caller, TillServer.connected(at) as till:
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


async def test_a_full_postgresql_takes_receipts(folder: Path, postgresql_address: str) -> None:
    url = f'database_url = "{postgresql_address}"'
    _told(folder, "reserve_megabytes = 1", "database_megabytes = 2", url)
    own = NewKey(*await asyncio.to_thread(key_of_new_account, folder, postgresql_address))
    with serving_quietly(folder) as address:
        at = Reached(address, own)
        async with at.caller() as caller, TillServer.connected(at) as till:
            assert problem(await caller.post("/products", json=BREAD))[:2] == NO_ROOM
            await sells(caller, till, 1)


# --- quotas of one account or key ----------------------------------------------------------------


class StillClock(SystemClock):
    """A clock whose seconds go on only when a test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.second = 1000.0

    def seconds(self) -> float:
        return self.second


@asynccontextmanager
async def with_quotas(
    place: Place, most: Quotas, own: Clock | None = None
) -> AsyncIterator[tuple[Worker, httpx.AsyncClient]]:
    async with worker(place, own=own, most=most) as at, at.caller() as caller:
        yield at, caller


async def test_one_key_takes_no_more_connections_than_its_own(file_database: Place) -> None:
    async with (
        with_quotas(file_database, Quotas(applications=Quota(3, 2))) as (at, _),
        AsyncExitStack() as lines,
    ):
        another = await at.another_key()
        for key in (at.key, at.key, another):
            await lines.enter_async_context(line_to(at, key))
        for key in (at.key, another):
            with pytest.raises(InvalidStatus) as refused:
                await lines.enter_async_context(line_to(at, key))
            assert refused.value.response.status_code == TOO_MANY[0]
            assert refused.value.response.headers["Retry-After"] == "1"
        honest = await at.another_account()
        await lines.enter_async_context(TillServer.connected(at, key=honest))
        text = await at.metrics()
        assert 'pos_platform_quota_refusals_total{quota="applications"} 2.0' in text


async def test_what_is_under_way_is_bounded_and_holds_up_nobody(file_database: Place) -> None:
    async with (
        with_quotas(file_database, Quotas(requests=Quota(of_key=2))) as (at, caller),
        TillServer.connected(at) as till,
    ):
        asking = [posted(caller, sale(till.client, note=note), key=None) for note in "ab"]
        commands = [await till.command() for _ in asking]
        assert problem(await caller.get("/units"))[:2] == TOO_MANY
        async with at.caller(await at.another_key()) as other:
            assert (await other.get("/units")).status_code == 200
        for command in commands:
            await till.answer(command)
        assert {(await one).status_code for one in asking} == {200}
        assert (await caller.get("/units")).status_code == 200


async def test_who_asks_too_fast_is_slowed_down_and_only_then_refused(file_database: Place) -> None:
    clock = StillClock()
    async with with_quotas(file_database, Quotas(a_second=Quota(of_key=4)), clock) as (at, caller):

        async def asked(many: int) -> tuple[list[float], list[httpx.Response]]:
            """Return the seconds until each accepted request was answered, and what was refused."""
            began, waits, refused = time.monotonic(), [], []
            for asking in asyncio.as_completed([caller.get("/units") for _ in range(many)]):
                answer = await asking
                if answer.status_code == 200:
                    waits.append(time.monotonic() - began)
                else:
                    refused.append(answer)
            return waits, refused

        waits, refused = await asked(20)  # a burst of 5 seconds
        assert (len(waits), refused) == (20, [])
        waits, refused = await asked(10)
        for wait, least in zip(waits, (0.25, 0.5, 0.75, 1), strict=True):
            assert wait > least - 0.01
        assert {problem(one)[:2] for one in refused} == {TOO_MANY}
        assert {one.headers["Retry-After"] for one in refused} == {"2"}
        clock.second += 0.5
        waits, refused = await asked(5)
        assert (len(waits), len(refused)) == (2, 3)
        async with at.caller(await at.another_account()) as honest:
            assert (await honest.get("/units")).status_code == 200


async def test_writes_that_wait_take_no_connection_from_others(shared: Place) -> None:
    """All writes are of one account, whose row another program has locked for a while."""
    async with worker(shared) as at, at.caller() as caller:
        async with await psycopg.AsyncConnection.connect(shared.address) as other:
            await other.execute("SELECT id FROM account WHERE id = %s FOR UPDATE", (at.account,))
            waiting = [
                asyncio.create_task(caller.post("/units", json={"name": f"мера {n}"}))
                for n in range(2 * POOLED)
            ]
            done, _ = await asyncio.wait(waiting, timeout=0.5)
            assert not done
            async with at.caller(await at.another_account()) as honest, asyncio.timeout(3):
                made = await honest.post("/units", json={"name": "кг", "symbol": "kg"})
                assert made.status_code == 201
        assert {(await one).status_code for one in waiting} == {201}


async def test_clients_rows_and_bytes_are_bounded(file_database: Place) -> None:
    bounds = Quotas(clients=1, rows=3, stored_bytes=20_000)
    async with with_quotas(file_database, bounds) as (at, caller):
        async with TillServer.connected(at) as till:
            client, install = till.client, till.install
        async with TillServer.connected(at) as second:
            assert second.refusal == "quota"
        async with TillServer.connected(at, client=client, install=install) as again:
            assert not again.refusal
        assert (await caller.delete(f"/clients/{client}")).status_code == 200
        async with TillServer.connected(at) as second:
            assert not second.refusal
        async with TillServer.connected(at, client=client, install=install) as back:
            assert back.refusal == "quota"
        kind = {"Content-Type": "image/png"}
        assert (await caller.post("/files", content=png_of(9, 9), headers=kind)).status_code == 201
        large = await caller.post("/files", content=picture("PNG", size=(900, 600)), headers=kind)
        assert problem(large)[:2] == TOO_MANY
        for status, name in ((201, "kg"), (201, "g"), (429, "l")):
            assert (await caller.post("/units", json={"name": name})).status_code == status
        assert len((await caller.get("/units")).json()) == 2
        async with at.caller(await at.another_account()) as honest:
            assert (await honest.post("/units", json={"name": "kg"})).status_code == 201
