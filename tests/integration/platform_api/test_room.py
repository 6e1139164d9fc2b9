"""The room that tenants share: none takes another's, and large writes take turns."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import insert, select
from websockets.exceptions import InvalidStatus

from pos_app.clock import Clock
from pos_app.platform_api.database.engine import POOLED
from pos_app.platform_api.database.tables import ACCOUNT, CATEGORY
from pos_app.platform_api.keys import NewKey
from pos_app.platform_api.quotas import Quota, Quotas
from pos_app.platform_api.slow_work import QUICK
from tests.integration.platform_api.hosted import BREAD, Hosted, Place, hosted, problem
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


async def sells(caller: httpx.AsyncClient, till: TillServer, number: int) -> None:
    await till.signs(posted(caller, sale(till.client, note=f"{number}"), key=None))


def _told(folder: Path, *settings: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "settings.toml").write_text("\n".join(("[platform_server]", *settings, "")))
    return folder


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


DEADLINE_SECONDS = 60
LARGE = BREAD | {"description": "опис " * (QUICK // 4)}
MORE_THAN_A_FIRST_PART = 51
POOL_SECONDS = 30
"""The time for which a request waits for a connection to PostgreSQL."""


async def test_large_changes_go_on_beside_lists_that_begin(database: Place) -> None:
    """More accounts than a worker has connections ask for lists whose rest waits for a turn."""
    async with hosted(database) as platform, asyncio.timeout(DEADLINE_SECONDS):
        changing = platform.client
        path = f"/products/{(await changing.post('/products', json=BREAD)).json()['id']}"
        for number in range(MORE_THAN_A_FIRST_PART):
            await changing.post("/categories", json={"name": f"{number}"})
        listing = [await platform.account_of(f"{number}") for number in range(POOLED + 2)]
        await _categories_for_all(platform)
        began = time.monotonic()
        bodies = [LARGE | {"name": f"{change}"} for change in range(5)]
        await changing.patch(path, json=bodies[0])
        asked = [changing.patch(path, json=body) for body in bodies[1:]]
        asked += [one.get("/categories") for _ in range(3) for one in listing]
        answers = await asyncio.gather(*asked)
        assert {answer.status_code for answer in answers} == {200}
        assert time.monotonic() - began < POOL_SECONDS


async def _categories_for_all(platform: Hosted) -> None:
    """Give the categories of the first account to the others as well."""
    async with platform.context.database.writing() as connection:
        mine = select(CATEGORY).where(CATEGORY.c.account_id == platform.account)
        rows = [row._asdict() for row in await connection.execute(mine)]
        others = select(ACCOUNT.c.id).where(ACCOUNT.c.name.in_(map(str, range(POOLED + 2))))
        for account in (await connection.execute(others)).scalars().all():
            copied = [row | {"id": str(uuid4()), "account_id": account} for row in rows]
            await connection.execute(insert(CATEGORY), copied)
