"""Large writes take turns, and none of them waits for a turn while others wait for its lock."""

from __future__ import annotations

import asyncio
from itertools import count

import httpx

from pos_app.platform_api.slow_work import QUICK
from tests.integration.platform_api.hosted import BREAD, DatabasePlace, hosted

DEADLINE_SECONDS = 60
LARGE = BREAD | {"description": "опис " * (QUICK // 4)}
AT_ONCE = 60


async def test_a_large_change_that_comes_again_keeps_nobody_from_writing(
    database: DatabasePlace,
) -> None:
    async with hosted(database) as platform, asyncio.timeout(DEADLINE_SECONDS):
        neighbour, till = await platform.account_of("Друга"), platform.client
        path = f"/products/{(await till.post('/products', json=BREAD)).json()['id']}"
        for _ in range(3):
            changed, added = await asyncio.gather(
                till.patch(path, json=LARGE), neighbour.post("/units", json={"name": "kg"})
            )
            assert (changed.status_code, added.status_code) == (200, 201)
            assert len(changed.text) > QUICK


async def test_large_posts_with_a_key_go_on_beside_large_changes(database: DatabasePlace) -> None:
    async with hosted(database) as platform, asyncio.timeout(DEADLINE_SECONDS):
        posting, changing = platform.client, await platform.account_of("Друга")
        path = f"/products/{(await changing.post('/products', json=BREAD)).json()['id']}"

        async def posted(number: int) -> httpx.Response:
            headers = {"Idempotency-Key": f"large-post-{number:08}"}
            return await posting.post("/products", json=LARGE, headers=headers)

        numbers = count()

        async def changed(number: int) -> httpx.Response:
            return await changing.patch(path, json=LARGE | {"name": f"Хлеб {number}"})

        both = (one(next(numbers)) for _ in range(AT_ONCE // 2) for one in (posted, changed))
        answers = await asyncio.gather(*both)
        assert {answer.status_code for answer in answers} == {200, 201}
