"""Stores over HTTP, on both databases."""

from __future__ import annotations

from typing import Any

from tests.integration.platform_api.hosted import Place, hosted, problem

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
