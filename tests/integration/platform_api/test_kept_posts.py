"""A POST that comes again under its Idempotency-Key is answered as it was, and done once."""

from __future__ import annotations

from typing import Any

import httpx
from sqlalchemy import select

from pos_app.platform_api.database.tables import KEPT_POST
from tests.integration.platform_api.hosted import BREAD, Place, hosted, problem
from tests.integration.platform_api.pictures import png_of

KEY = "5e2f9c1a7b3d4860"
MADE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/stores", {"name": "Липа"}),
    ("/products", BREAD),
    ("/units", {"name": "Килограм", "symbol": "kg"}),
    ("/categories", {"name": "Пекара"}),
    ("/keys", {"name": "Веб", "scopes": ["fiscalization"]}),
    ("/cashiers", {"name": "Ана"}),
)


async def posted(at: httpx.AsyncClient, path: str, body: object, key: str = KEY) -> httpx.Response:
    return await at.post(path, json=body, headers={"Idempotency-Key": key})


async def listed(caller: httpx.AsyncClient, path: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = (await caller.get(path)).json()
    return rows


async def test_what_is_made_is_made_once(database: Place) -> None:
    async with hosted(database) as platform:
        for number, (path, body) in enumerate(MADE):
            first = await posted(platform.client, path, body, f"{KEY}{number}")
            again = await posted(platform.client, path, body, f"{KEY}{number}")
            assert (first.status_code, again.status_code) == (201, 201), path
            assert again.json() == first.json()
            rows = [row["id"] for row in await listed(platform.client, path)]
            own = [platform.key.id] if path == "/keys" else []
            assert sorted(rows) == sorted([*own, first.json()["id"]])
            if own:
                mine = select(KEPT_POST.c.answer).where(KEPT_POST.c.api_key == platform.key.id)
                async with platform.context.database.reading() as connection:
                    kept = (await connection.execute(mine)).scalars().all()
                assert first.json()["secret"].encode() not in b"".join(map(bytes, kept))
            beside = await posted(platform.client, path, body | {"name": "Друго"}, f"{KEY}{number}")
            assert problem(beside)[:2] == (409, 40900001)
        elsewhere = await posted(platform.client, "/cashiers", {"name": "Липа"}, f"{KEY}0")
        assert elsewhere.status_code == 409, "one key stands for one path"
        other = platform.caller(await platform.key_of(platform.account))
        path, body = MADE[-1]
        assert (await posted(other, path, body, f"{KEY}5")).status_code == 201
        assert len(await listed(platform.client, path)) == 2, "the keys of others are others"


async def test_an_error_is_kept_by_nobody_and_what_is_no_key_is_refused(database: Place) -> None:
    async with hosted(database) as platform:
        assert (await posted(platform.client, "/products", {"name": "Хлеб"})).status_code == 400
        assert (await posted(platform.client, "/products", BREAD)).status_code == 201
        taken = BREAD | {"sku": 1}
        assert (await posted(platform.client, "/products", taken, KEY + "2")).status_code == 400
        for key in ("short", "k" * 65, "with blanks in it"):
            assert problem(await posted(platform.client, "/products", BREAD, key))[0] == 400
        assert len(await listed(platform.client, "/products")) == 1


async def test_a_form_that_is_sent_again_has_another_boundary(database: Place) -> None:
    async with hosted(database) as platform:
        ids = set()
        for _ in range(2):
            files = {"file": ("hleb.png", png_of(8, 8), "image/png")}
            headers = {"Idempotency-Key": KEY}
            answer = await platform.client.post("/files", files=files, headers=headers)
            assert answer.status_code in (200, 201)
            ids.add(answer.json()["id"])
        other = {"file": ("hleb.png", png_of(9, 8), "image/png")}
        answer = await platform.client.post("/files", files=other, headers={"Idempotency-Key": KEY})
        assert (problem(answer)[:2], len(ids)) == ((409, 40900001), 1)
