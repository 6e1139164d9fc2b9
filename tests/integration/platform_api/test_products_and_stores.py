"""Products and stores over HTTP, on both databases."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

from tests.integration.platform_api.hosted import BREAD, Hosted, Place, hosted, problem

UNIT, CATEGORY, OTHER = (str(uuid4()) for _ in range(3))


async def add(platform: Hosted, **members: Any) -> dict[str, Any]:
    answer = await platform.client.post("/products", json=BREAD | members)
    assert answer.status_code == 201, answer.text
    product: dict[str, Any] = answer.json()
    return product


async def test_numbers_of_articles(database: Place) -> None:
    async with hosted(database) as platform:
        assert ((await add(platform))["sku"], (await add(platform, sku=3))["sku"]) == (1, 3)
        assert [(await add(platform))["sku"] for _ in range(2)] == [2, 4]
        await asyncio.gather(*(add(platform, sku=sku) for sku in range(5, 12)))
        thirteenth = await add(platform, variants=[BREAD, BREAD | {"sku": 12}, BREAD])
        assert thirteenth["sku"] == 13
        assert [one["sku"] for one in thirteenth["variants"]] == [14, 12, 15]
        await platform.client.delete(f"/products/{thirteenth['id']}")
        for taken in (1, 12, 15):
            answer = await platform.client.post("/products", json=BREAD | {"sku": taken})
            assert problem(answer) == (400, 40090002, f'"sku" {taken} already exists', ["sku"])
        other = await platform.account_of("Друга")
        assert (await other.post("/products", json=BREAD)).json()["sku"] == 1


async def test_variants_replace_the_list(database: Place) -> None:
    async with hosted(database) as platform:
        small, big = BREAD | {"name": "мали", "sku": 10}, BREAD | {"name": "велики", "ean": "5"}
        bread = await add(platform, variants=[small, big])
        at, client = f"/products/{bread['id']}", platform.client
        assert (bread["sku"], bread["hasVariants"]) == (1, True)
        first, second = bread["variants"]
        changes = [{"id": second["id"], "price": 5}, {"sku": 10, "subtitle": "с"}, BREAD]
        changed = (await client.patch(at, json={"variants": changes})).json()["variants"]
        assert changed[:2] == [second | {"price": 5}, first | {"subtitle": "с"}]
        only = (await client.patch(at, json={"variants": [{"id": first["id"]}]})).json()
        assert only["variants"] == [first | {"subtitle": "с"}]
        taken = await client.post("/products", json=BREAD | {"sku": second["sku"]})
        assert (problem(taken)[1], (await add(platform, ean="5"))["ean"]) == (40090002, "5")
        again = await client.patch(at, json={"variants": [{"id": second["id"]}]})
        assert problem(again)[2] == '"variants[0].ean" 5 already exists'
        change = {"variants": [{"sku": second["sku"], "ean": "6"}]}
        back = (await client.patch(at, json=change)).json()["variants"]
        assert back == [second | {"price": 5, "ean": "6"}]
        swapped = {"variants": [{"id": second["id"], "sku": 77}, BREAD | {"sku": second["sku"]}]}
        made = (await client.patch(at, json=swapped)).json()["variants"]
        assert [one["sku"] for one in made] == [77, second["sku"]]
        twice = {"variants": [{"id": second["id"]}, {"id": second["id"]}]}
        assert problem(await client.patch(at, json=twice))[2] == '"variants[1].id" is sent twice'
        unchanged = (await client.get("/products")).json()[0]
        assert (await client.patch(at, json=unchanged)).json() == unchanged
        none = (await client.patch(at, json={"variants": None, "hasVariants": None})).json()
        assert (none["variants"], none["hasVariants"]) == ([], False)
        for members, is_true in (
            ({"variants": [small]}, True),
            ({"hasVariants": False}, False),
            ({"variants": [small, BREAD]}, False),
            ({"variants": [], "hasVariants": True}, True),
            ({"variants": [small]}, True),
            ({"variants": []}, False),
        ):
            assert (await client.patch(at, json=members)).json()["hasVariants"] is is_true


async def test_a_list_is_sent_again_when_it_changed(database: Place) -> None:
    async with hosted(database) as platform:
        client = platform.client
        breads = [await add(platform) for _ in range(3)]
        listed = await client.get("/products")
        known = {"If-None-Match": listed.headers["ETag"]}
        assert listed.headers["X-Catalogue-Revision"] == "3"
        store = await client.post("/stores", json={"name": "Прва"})
        again = await client.get("/products", headers=known)
        assert (again.content, again.headers["X-Catalogue-Revision"]) == (listed.content, "4")
        tag = {"If-None-Match": again.headers["ETag"]}
        await client.patch(f"/stores/{store.json()['id']}", json={"name": "Прва"})
        same = await client.get("/products", headers=tag)
        assert (same.status_code, same.content) == (304, b""), "nothing was changed"
        platform.clock.forward(-3600)  # the machine's clock was set back
        await client.delete(f"/products/{breads[1]['id']}")
        changed = await client.get("/products", headers=tag)
        assert [one["id"] for one in changed.json()] == [breads[0]["id"], breads[2]["id"]]
        since = {"updatedSince": breads[2]["updatedAt"]}
        news = (await client.get("/products", params=since)).json()
        assert [(one["id"], one["deletedAt"] is None) for one in news] == [
            (breads[2]["id"], True),
            (breads[1]["id"], False),
        ]
        for far, count in (("9999-12-31T23:59:59Z", 0), ("0001-01-01T00:00:00Z", 3)):
            answer = await client.get("/products", params={"updatedSince": far})
            assert (answer.status_code, len(answer.json()) >= count) == (200, True)
            assert count or answer.json() == []
        wrong = await client.get("/products?updatedSince=soon")
        assert problem(wrong)[3] == ["updatedSince"]
        assert "query" in wrong.json()["validation"]
        twice = await client.get("/products?updatedSince=2026-01-01&updatedSince=2026-01-02")
        assert problem(twice)[2] == '"updatedSince" must be sent once'


MORE = {"name": "cash", "order": 1}
METHOD = "must be one of [string, number, object with a name]"
WRONG: list[tuple[str, Any, str, str]] = [
    ("name", "\u00ad", "name", "is not allowed to be empty"),
    ("name", "Ли\0па", "name", "must not contain null characters"),
    ("name", "n" * 2001, "name", "length must be less than or equal to 2000 characters long"),
    ("deletedAt", "2026-01-01T00:00:00.000Z", "deletedAt", "must be null: DELETE deletes"),
    ("storeId", None, "storeId", "is not allowed"),
    ("printMethod", {"fax": True}, "printMethod.fax", "is not allowed"),
    ("paymentMethodsOrder", ["cash"], "paymentMethodsOrder[0]", "must be an array"),
    ("paymentMethodsOrder", [[], ["cash", {}]], "paymentMethodsOrder[1][1]", METHOD),
    ("paymentMethodsOrder", [[MORE]], "paymentMethodsOrder[0][0]", "may have nothing but a name"),
]
"""`tests/unit/wire/hostile_documents.py` has every member wrong in each way."""


async def test_a_wrong_member_is_named_when_it_is_made_and_changed(file_database: Place) -> None:
    async with hosted(file_database) as platform:
        store = (await platform.client.post("/stores", json={"name": "Прва"})).json()
        for member, value, key, words in WRONG:
            told = (400, 40090001, f'"{key}" {words}', [key])
            for answer in (
                await platform.client.post("/stores", json={"name": "Друга", member: value}),
                await platform.client.patch(f"/stores/{store['id']}", json={member: value}),
            ):
                assert problem(answer) == told, (member, value)
        assert (await platform.client.get("/stores")).json() == [store]
