"""The audit log: who changed keys, stores, prices and labels, and who deleted what."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from pos_app import settings
from pos_app.bootstrap.platform import accounts
from pos_app.domain.setup.platform_key import KeyScope
from pos_app.platform_api.audit import drop_old
from tests.integration.platform_api.hosted import BREAD, Hosted, Place, hosted, problem
from tests.integration.test_server_program import run as command


async def entries(platform: Hosted, **query: str) -> list[dict[str, Any]]:
    answer = await platform.client.get("/audit", params=query)
    assert answer.status_code == 200, answer.text
    told: list[dict[str, Any]] = answer.json()
    return told


def acts(told: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(one["kind"], one["act"]) for one in told]


async def test_the_life_of_a_key(database: Place) -> None:
    async with hosted(database) as platform:
        (made, first) = await eventually(platform, 2)
        assert (made["kind"], made["act"], made["byKey"]) == ("key", "made", None)
        assert (first["act"], first["objectId"], first["byKey"]) == (
            "first_used",
            platform.key.id,
            platform.key.id,
        )
        headers = {"X-Request-Id": "makes-a-key"}
        body = {"name": "Радња", "scopes": ["catalogue"]}
        key = (await platform.client.post("/keys", json=body, headers=headers)).json()
        newer = (await platform.client.post(f"/keys/{key['id']}/rotate")).json()
        await platform.client.delete(f"/keys/{newer['id']}")
        await platform.client.delete(f"/keys/{newer['id']}")  # it is revoked already
        told = (await entries(platform))[2:]
        assert [(one["act"], one["objectId"]) for one in told] == [
            ("made", key["id"]),
            ("made", newer["id"]),
            ("rotated", key["id"]),
            ("revoked", newer["id"]),
        ]
        assert (told[0]["requestId"], told[0]["name"]) == ("makes-a-key", "Радња")
        assert told[0]["changes"] == [{"field": "scopes", "before": None, "after": ["catalogue"]}]
        assert told[2]["changes"] == [{"field": "replacedBy", "before": None, "after": newer["id"]}]
        assert {one["byKey"] for one in told} == {platform.key.id}
        text = json.dumps(told)
        assert key["secret"] not in text
        assert newer["secret"] not in text


async def eventually(platform: Hosted, count: int) -> list[dict[str, Any]]:
    """Wait for that many entries: the use of a key is written beside its answer."""
    async with asyncio.timeout(20):
        while len(told := await entries(platform)) < count:
            """The next answer comes after other tasks had their turn."""
    assert len(told) == count, acts(told)
    return told


async def test_stores_prices_labels_and_what_is_deleted(database: Place) -> None:
    async with hosted(database) as platform:
        await eventually(platform, 2)
        client = platform.client
        store = (await client.post("/stores", json={"name": "Прва"})).json()["id"]
        await client.patch(f"/stores/{store}", json={"name": "Друга", "printDiscounts": True})
        await client.patch(f"/stores/{store}", json={"name": "Друга"})  # this changes nothing
        variant = {"name": "Мали", "taxRateLabel": "Е", "price": 10}
        bread = (await client.post("/products", json=BREAD | {"variants": [variant]})).json()
        one = f"/products/{bread['id']}"
        await client.patch(one, json={"name": "Бели хлеб"})  # this changes neither price nor label
        await client.patch(one, json={"price": 58.9})
        kept = {"id": bread["variants"][0]["id"], "price": 12, "taxRateLabel": "Ђ"}
        await client.patch(one, json={"variants": [kept]})
        await client.delete(one)
        await client.patch(one, json={"deletedAt": None})
        taken = BREAD | {"ean": "8600000000017"}
        assert (await client.post("/products", json=taken)).status_code == 201
        for wrong in ({"price": -1}, {"price": 5, "ean": taken["ean"]}):
            assert (await client.patch(one, json=wrong)).status_code == 400, "it leaves no entry"
        await client.delete(f"/stores/{store}")
        told = (await entries(platform))[2:]
        assert [(one["kind"], one["act"], one["name"]) for one in told] == [
            ("store", "made", "Прва"),
            ("store", "changed", "Друга"),
            ("product", "changed", "Бели хлеб"),
            ("product", "changed", "Бели хлеб"),
            ("product", "deleted", "Бели хлеб"),
            ("product", "restored", "Бели хлеб"),
            ("store", "deleted", "Друга"),
        ]
        assert told[1]["changes"] == [
            {"field": "name", "before": "Прва", "after": "Друга"},
            {"field": "printDiscounts", "before": False, "after": True},
        ]
        assert told[2]["changes"] == [{"field": "price", "before": None, "after": 58.9}]
        place = f"variants[{kept['id']}]"
        assert told[3]["changes"] == [
            {"field": f"{place}.price", "before": 10, "after": 12},
            {"field": f"{place}.taxRateLabel", "before": "Е", "after": "Ђ"},
        ]


async def test_who_may_read_it_and_how(database: Place) -> None:
    async with hosted(database) as platform:
        await eventually(platform, 2)
        lesser = await platform.key_of(platform.account, KeyScope.CATALOGUE, KeyScope.FISCALIZATION)
        async with platform.caller(lesser) as caller:
            assert problem(await caller.get("/audit"))[:2] == (403, 40300001)
        await eventually(platform, 4)
        other = await platform.account_of("Друга")
        assert acts((await other.get("/audit")).json())[0] == ("key", "made")
        assert len((await other.get("/audit")).json()) <= 2
        answer = await platform.client.get("/audit")
        seen = {"If-None-Match": answer.headers["ETag"]}
        assert (await platform.client.get("/audit", headers=seen)).status_code == 304
        since = answer.json()[-1]["at"]
        await platform.client.post("/stores", json={"name": "Прва"})
        newer = await platform.client.get("/audit", params={"updatedSince": since}, headers=seen)
        assert "X-Catalogue-Whole" not in newer.headers
        assert (acts(newer.json())[-1], len(newer.json())) == (("store", "made"), 2)
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            assert (await platform.client.request(method, "/audit")).status_code == 405


async def test_what_is_older_than_it_is_kept_goes(database: Place) -> None:
    async with hosted(database) as platform:
        await eventually(platform, 2)
        platform.clock.forward(86_400)
        await platform.client.post("/stores", json={"name": "Прва"})
        before = platform.clock.now()
        assert await drop_old(platform.context.database, before=before, most=1) == 1
        while await drop_old(platform.context.database, before=before, most=10):
            """The shared database also has entries of other tests."""
        assert acts(await entries(platform)) == [("store", "made")]


def test_by_command_line(folder: Path) -> None:
    async def made() -> tuple[str, str]:
        told = settings.load(folder)
        account = await accounts.add_account(told, "Прва")
        key = await accounts.add_key(told, account)
        await accounts.rotate(told, key.id)
        await accounts.revoke(told, key.id)
        return account, key.id

    account, key = asyncio.run(made())
    plain = command("platform", "audit", "list", account, "--data", str(folder))
    assert plain.returncode == 0, plain.stderr
    lines = plain.stdout.splitlines()
    assert [line.split("  ")[1:3] for line in lines] == [
        ["operator", "key made"],
        ["operator", "key made"],
        ["operator", "key rotated"],
        ["operator", "key revoked"],
    ]
    assert key in lines[-1]
    asked = ("platform", "audit", "list", account, "--data", str(folder), "--json")
    listed = json.loads(command(*asked).stdout)
    assert [one["act"] for one in listed] == ["made", "made", "rotated", "revoked"]
    assert json.loads(command(*asked, "--since", listed[-1]["at"]).stdout) == listed[-1:]
    assert command(*asked, "--since", "yesterday").returncode != 0
    unknown = command("platform", "audit", "list", "nobody", "--data", str(folder))
    assert (unknown.returncode != 0, "nobody" in unknown.stderr) == (True, True)
