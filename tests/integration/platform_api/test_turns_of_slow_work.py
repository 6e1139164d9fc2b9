"""Large writes take turns, and none of them waits for a turn while others wait for its lock."""

from __future__ import annotations

import asyncio
import time
from uuid import uuid4

from sqlalchemy import insert, select

from pos_app.platform_api.database.engine import POOLED
from pos_app.platform_api.database.tables import ACCOUNT, CATEGORY
from pos_app.platform_api.slow_work import QUICK
from tests.integration.platform_api.hosted import BREAD, Hosted, Place, hosted

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
