"""Access to the platform: credentials, scopes, keys, limits, clients."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import tracemalloc
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any
from uuid import uuid4

import httpx
import pytest

from pos_app.domain.setup.platform_key import KeyScope
from pos_app.platform_api.authentication import FAILURES_OF_A_KEY
from pos_app.platform_api.clients import registering
from pos_app.platform_api.database.batches import Batches
from pos_app.platform_api.files.upload import MOST_BYTES as MOST_OF_A_FILE
from pos_app.platform_api.keys import NewKey
from pos_app.platform_api.routing import MOST_BYTES
from pos_app.wire.relay import RefusalCode
from tests.integration.platform_api.hosted import BREAD, Hosted, Place, hosted, problem
from tests.integration.platform_api.relayed import worker

LISTS = ("/stores", "/products", "/units", "/categories")
UNAUTHORIZED: tuple[int, int, str, list[str]] = (401, 40100001, "Unauthorized", [])


def basic(text: str | bytes) -> str:
    raw = text if isinstance(text, bytes) else text.encode()
    return "Basic " + base64.b64encode(raw).decode()


async def test_credentials_that_are_none(database: Place) -> None:
    async with hosted(database) as platform:
        key, secret = platform.key.id, platform.key.secret
        right = basic(f"{key}:{secret}")
        wrong = (
            *(None, "", "Basic", f"Bearer {secret}", f"Basic {key}:{secret}"),
            *(
                basic(f"{key}{secret}"),
                basic(f"{key}:"),
                basic(f":{secret}"),
                basic("x" * 2000 + ":"),
            ),
            *(basic(f"{key}:{secret} "), basic(f"{key}:{secret[:-1]}"), basic(f"pk_no:{secret}")),
            *(basic(f"{key}\0:{secret}"), basic(b"\xff:\xff"), right[:-4] + "===="),
        )
        async with httpx.AsyncClient(
            transport=platform.transport, base_url=platform.client.base_url
        ) as client:
            for number, header in enumerate(wrong):
                platform.clock.forward(61)
                headers = {} if header is None else {"Authorization": header}
                answer = await client.get("/products", headers=headers)
                assert problem(answer) == UNAUTHORIZED, number
                assert answer.headers["WWW-Authenticate"].startswith("Basic ")
            twice = [("Authorization", right), ("Authorization", right)]
            assert (await client.get("/products", headers=twice)).status_code == 401
            for header in (right, right.replace("Basic", "basic")):
                answer = await client.get("/products", headers={"Authorization": header})
                assert answer.status_code == 200


async def test_failures_at_one_worker_count_at_all(shared: Place) -> None:
    async with hosted(shared) as one, hosted(shared) as other:
        wrong = NewKey(one.key.id, "guess")
        for number in range(FAILURES_OF_A_KEY + 2):
            guessed = (one, other)[number % 2].caller(wrong, address=f"198.51.100.{number}")
            answer = await guessed.get("/stores")
            is_limited = number >= FAILURES_OF_A_KEY
            told = (429, 42900001) if is_limited else UNAUTHORIZED[:2]
            assert problem(answer)[:2] == told, number
            assert not is_limited or 0 < int(answer.headers["Retry-After"]) <= 61
        assert (await other.caller(one.key).get("/stores")).status_code == 200
        one.clock.forward(61)
        other.clock.forward(61)
        for each in (other, one):
            guessed = each.caller(wrong, address="198.51.100.99")
            assert (await guessed.get("/stores")).status_code == 401


async def test_scopes(file_database: Place) -> None:
    async with hosted(file_database) as platform:
        may = {
            KeyScope.CATALOGUE: {(method, path) for method in ("GET", "POST") for path in LISTS},
            KeyScope.FISCALIZATION: {("GET", "/cashiers"), ("GET", "/clients")},
            KeyScope.APPLICATION: {
                *((method, path) for method in ("GET", "POST") for path in ("/cashiers", "/keys")),
                ("GET", "/clients"),
            },
        }
        for scope, allowed in may.items():
            client = platform.caller(await platform.key_of(platform.account, scope))
            for method, path in set().union(*may.values()):
                answer = await client.request(method, path, json=None if method == "GET" else {})
                is_let_in = answer.status_code in (200, 400)
                assert is_let_in is ((method, path) in allowed), (scope, method, path)
                if not is_let_in:
                    assert problem(answer)[:2] == (403, 40300001)


async def is_listed(client: httpx.AsyncClient, key: dict[str, object]) -> bool:
    """Tell whether a key is listed like this in the end: its use is written beside the answers."""
    for _ in range(100):
        if key in (await client.get("/keys")).json():
            return True
    return False


async def test_the_life_of_a_key(database: Place) -> None:
    async with hosted(database) as platform:
        client = platform.client
        wanted = {"name": "Продавница на мрежи", "scopes": ["fiscalization", "catalogue"]}
        answer = await client.post("/keys", json=wanted)
        made = answer.json()
        assert (answer.status_code, made["scopes"]) == (201, ["catalogue", "fiscalization"])
        caller = platform.caller(NewKey(made["id"], made.pop("secret")))
        assert len(made["id"]) == 25
        assert made in (await client.get("/keys")).json()
        platform.clock.forward(10)
        assert (await caller.get("/products")).status_code == 200
        used = made | {"lastUsedAt": "2026-09-01T05:30:10.000Z"}
        for seconds in (59, 1):  # its use is written once a minute
            platform.clock.forward(seconds)
            assert await is_listed(client, used)
            await caller.get("/products")
        assert await is_listed(client, used | {"lastUsedAt": "2026-09-01T05:31:10.000Z"})
        other = await platform.account_of("Друга")
        for nobody in (client.delete("/keys/pk_x"), other.delete(f"/keys/{made['id']}")):
            assert problem(await nobody) == (404, 40400001, "Key not found", [])
        for seconds, told in ((5, {}), (0, {"revokedAt": "2026-09-01T05:31:15.000Z"})):
            platform.clock.forward(seconds)
            answer = await client.delete(f"/keys/{made['id']}")
            assert (answer.status_code, answer.json()) == (200, told)
        assert problem(await caller.get("/products")) == UNAUTHORIZED
        assert made["id"] not in (await client.get("/keys")).text
        lesser = platform.caller(await platform.key_of(platform.account, KeyScope.APPLICATION))
        equal = await platform.key_of(platform.account, KeyScope.APPLICATION)
        for asked in (
            lesser.post("/keys", json=wanted),
            lesser.delete(f"/keys/{platform.key.id}"),
            lesser.post(f"/keys/{platform.key.id}/rotate"),
        ):
            assert problem(await asked)[:2] == (403, 40300001)
        assert (await lesser.delete(f"/keys/{equal.id}")).status_code == 200
        for body, key in (
            ({"scopes": ["catalogue"]}, "name"),
            ({"name": "", "scopes": ["catalogue"]}, "name"),
            ({"name": "x" * 101, "scopes": ["catalogue"]}, "name"),
            ({"name": "x"}, "scopes"),
            ({"name": "x", "scopes": []}, "scopes"),
            ({"name": "x", "scopes": ["all"]}, "scopes[0]"),
            ({"name": "x\0", "scopes": ["catalogue"]}, "name"),
            ({"name": "x", "scopes": ["catalogue"], "secret": "y"}, "secret"),
        ):
            refused = await client.post("/keys", json=body)
            assert (problem(refused)[1], problem(refused)[3]) == (40090001, [key])


async def test_secrets_lie_nowhere(file_database: Place, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "httpx")  # the caller's own library logs too
    caplog.set_level(logging.DEBUG, "pos_app")
    async with hosted(file_database) as platform:
        await platform.client.post("/products", json=BREAD)
        wrong = platform.caller(NewKey(platform.key.id, "wrong-secret-of-somebody"))
        await wrong.get("/products?secret=also-a-secret")
    files = [one for one in file_database.folder.rglob("*") if one.is_file()]
    kept = b"".join(one.read_bytes() for one in files)
    told = caplog.text + json.dumps([vars(one) for one in caplog.records], default=str)
    assert platform.key.id.encode() in kept
    for secret in (platform.key.secret, "wrong-secret-of-somebody", "also-a-secret"):
        assert secret.encode() not in kept
        assert secret not in told


async def test_paths_methods_and_health(file_database: Place) -> None:
    async with hosted(file_database) as platform:
        client = platform.client
        packed = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        answer = await client.post("/stores", content=b"x", headers=packed)
        assert problem(answer)[:2] == (400, 40090003)
        for method, path, allowed in (
            ("DELETE", "/products", {"GET", "HEAD", "POST"}),
            ("HEAD", f"/products/{uuid4()}", {"PATCH", "PUT", "DELETE"}),
            ("GET", f"/keys/{uuid4()}", {"DELETE"}),
        ):
            answer = await client.request(method, path)
            assert answer.status_code == 405
            assert set(answer.headers["Allow"].split(", ")) == allowed
        for path in ("/", "/nothing", "/products/a/b", "/stores//"):
            assert problem(await client.get(path))[:2] == (404, 40400001)
        for row_id in ("1", "%00", "a%2Fb", "\u0161", "x" * 3000, "%ed%a0%80", "'--", "*"):
            for path in ("/stores", "/products", "/units", "/clients", "/keys"):
                answer = await client.delete(f"{path}/{row_id}")
                assert problem(answer)[:2] == (404, 40400001), (path, row_id)
        for token in ("", "Bearer "):  # this platform has none
            told = {"Authorization": token}
            answer = await client.get("http://platform.example/metrics", headers=told)
            assert problem(answer) == (404, 40400001, "Not found", [])
        health = await client.get("http://platform.example/health")
        there = {"database": "reachable", "files": "reachable", "warnings": []}
        answered = {"service": "pos-app-platform", "version": "3.2.0", **there}
        assert (health.status_code, health.json()) == (200, answered)
        assert health.headers["Cache-Control"] == "no-store"


async def test_a_body_of_40_mb_is_refused_unread(file_database: Place) -> None:
    """Over a real socket. Neither sender nor platform holds it in memory beyond the limit."""
    piece, size = b"x" * 65536, 40 * 1024 * 1024

    async def body() -> AsyncIterator[bytes]:
        for _ in range(size // len(piece)):
            yield piece

    async with worker(file_database) as at, at.caller() as caller:
        # The first refusal of a process loads modules, which must not be measured.
        assert (await caller.post("/products", content=b"x" * 2 * MOST_BYTES)).status_code == 413
        for path, kind, most in (
            ("/products", "application/json", MOST_BYTES),
            ("/files", "image/png", MOST_OF_A_FILE),
        ):
            for told in ({"Content-Length": str(size)}, {}):
                tracemalloc.start()
                headers = {"Content-Type": kind, **told}
                answer = await caller.post(path, content=body(), headers=headers)
                held = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
                assert problem(answer)[:2] == (413, 41300001), (path, told)
                assert held < (0 if told else most) + 8 * 1024 * 1024
            assert (await caller.get(path)).json() == []


async def test_units_categories_and_cashiers(database: Place) -> None:
    unit = {"symbol": "", "position": 0}
    cases: tuple[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]], ...] = (
        ("/units", {"name": "килограм"}, unit, {"symbol": "кг", "position": 2}),
        ("/categories", {"name": "Хлеб"}, {"position": 0}, {"position": 3}),
        ("/cashiers", {"name": "Ана"}, {}, {"name": "Ана А."}),
    )
    async with hosted(database) as platform:
        client = platform.client
        for path, given, default, change in cases:
            made = (await client.post(path, json=given)).json()
            assert made == {**made, **given, **default}
            assert (await client.get(path)).json() == [made]
            at = f"{path}/{made['id']}"
            changed = (await client.patch(at, json=change)).json()
            assert changed == {**made, **change, "updatedAt": changed["updatedAt"]}
            assert (await client.put(at, json=changed)).json() == changed
            for body, key in (({"name": ""}, "name"), ({"name": None}, "name"), ({"x": 1}, "x")):
                assert problem(await client.patch(at, json=body))[3] == [key]
            if path == "/units":
                assert problem(await client.patch(at, json={"symbol": "к" * 41}))[3] == ["symbol"]
            assert problem(await client.post(path, json={}))[2] == '"name" is required'
            assert (await (await platform.account_of("Друга")).delete(at)).status_code == 404
            assert ((await client.delete(at)).json(), (await client.get(path)).json()) == ({}, [])


@pytest.mark.parametrize(
    ("path", "first", "others"),
    [
        ("/units", {"name": "килограм", "symbol": "kg"}, [
            ("name", {"name": "Kilogram", "symbol": "кило"}),
            ("symbol", {"name": "кила", "symbol": "Кг."}),
        ]),
        ("/categories", {"name": "Млечно"}, [("name", {"name": "MLEČNO "})]),
    ],
)  # fmt: skip
async def test_two_of_one_name_are_refused(
    database: Place, path: str, first: dict[str, str], others: list[tuple[str, dict[str, str]]]
) -> None:
    async with hosted(database) as platform:
        client = platform.client
        at = f"{path}/{(await client.post(path, json=first)).json()['id']}"
        given = {"name": "друго"} | ({"symbol": "др"} if "symbol" in first else {})
        other = f"{path}/{(await client.post(path, json=given)).json()['id']}"
        for field, body in others:
            for answer in (
                await client.post(path, json=body),
                await client.patch(other, json=body),
            ):
                status, code, _, keys = problem(answer)
                assert (status, code, keys) == (400, 40090002, [field])
        assert (await client.put(at, json=first | {"position": 4})).status_code == 200
        beside = await platform.account_of("Друга")
        assert (await beside.post(path, json=first)).status_code == 201, "its own"
        assert (await client.delete(at)).status_code == 200
        assert (await client.patch(other, json=first)).status_code == 200


@pytest.mark.parametrize(
    ("path", "members"),
    [
        ("/units", lambda one: {"saleUnitId": one}),
        ("/units", lambda one: {"variants": [BREAD | {"name": "мали", "baseUnitId": one}]}),
        ("/categories", lambda one: {"categories": [one]}),
    ],
)
async def test_what_a_product_names_is_not_deleted(
    database: Place, path: str, members: Callable[[str], dict[str, Any]]
) -> None:
    async with hosted(database) as platform:
        client = platform.client
        symbol = {"symbol": "ком"} if path == "/units" else {}
        name_id = (await client.post(path, json={"name": "комад"} | symbol)).json()["id"]
        given = members(name_id)
        bread = (await client.post("/products", json=BREAD | given)).json()
        product, at = f"/products/{bread['id']}", f"{path}/{name_id}"
        status, code, message, _ = problem(await client.delete(at))
        assert (status, code) == (409, 40900001)
        assert bread["id"] in message
        beside = await platform.account_of("Друга")
        assert (await beside.delete(at)).status_code == 404
        await client.delete(product)
        assert (await client.delete(at)).status_code == 200
        (member,) = given
        field = "variants[0].baseUnitId" if member == "variants" else member
        for answer in (
            await client.patch(product, json={"deletedAt": None}),
            await client.post("/products", json=BREAD | {"sku": None} | given),
        ):
            status, code, _, keys = problem(answer)
            assert (status, code, keys) == (409, 40900001, [field])
        assert (await client.patch(product, json={"deletedAt": None, member: None})).is_success
        assert (await beside.post("/products", json=BREAD | given)).is_success, "its own ids"


@pytest.mark.parametrize("path", ["/units", "/categories"])
async def test_one_is_merged_with_another_in_one_request(database: Place, path: str) -> None:
    async with hosted(database) as platform:
        client, is_unit = platform.client, path == "/units"

        async def made(name: str, symbol: str) -> str:
            more = {"symbol": symbol} if is_unit else {}
            return str((await client.post(path, json={"name": name} | more)).json()["id"])

        def naming(*ids: str) -> dict[str, Any]:
            return {"saleUnitId": ids[0]} if is_unit else {"categories": [*ids]}

        old, new, kilo = [await made(*one) for one in (("к", "ком"), ("п", "пак"), ("т", "kg"))]
        variants = [BREAD | {"name": "мали", "sku": 7} | naming(old)]
        given = [
            naming(old) | {"sku": 1},
            naming(old, new) | {"sku": 2},
            naming(new) | {"sku": 3, "variants": variants, "hasVariants": True},
        ]
        for one in given:
            assert (await client.post("/products", json=BREAD | one)).status_code == 201
        since = (await client.get("/products")).headers["etag"]
        at = f"{path}/{old}/merge"
        refused: list[dict[str, Any]] = [
            {},
            {"into": old},
            {"into": str(uuid4())},
            {"into": "x"},
            {"into": new, "a": 1},
        ]
        for body in [*refused, *([{"into": kilo}] if is_unit else [])]:
            status, code, _, keys = problem(await client.post(at, json=body))
            assert (status, code) == (400, 40090001), body
            assert keys == (["a"] if "a" in body else ["into"])
        beside = await platform.account_of("Друга")
        assert (await beside.post(at, json={"into": new})).status_code == 404
        assert (await client.get("/products")).headers["etag"] == since, "nothing was changed"
        merged = await client.post(at, json={"into": new})
        assert (merged.status_code, merged.json()["id"]) == (200, new)
        listed = (await client.get("/products")).json()
        assert old not in json.dumps(listed)
        assert all(naming(new).items() <= one.items() for one in listed)
        assert {one["id"] for one in (await client.get(path)).json()} == {new, kilo}
        assert (await client.post(at, json={"into": new})).status_code == 404
        entry = (await client.get("/audit")).json()[-1]
        assert (entry["act"], entry["objectId"]) == ("deleted", old)
        assert entry["changes"] == [{"field": "mergedInto", "before": None, "after": new}]


async def registered(at: Hosted, account: str, client_id: str, **told: Any) -> RefusalCode | None:
    told = {"install_id": "i1", "store_id": None, "name": "Каса 1", "version": "3.2.0"} | told
    now_ms = int(at.clock.now().timestamp() * 1000)
    begin = partial(registering, account, client_id=client_id, now_ms=now_ms, **told)
    return await Batches(at.context.database).done(begin)


async def test_clients(database: Place) -> None:
    async with hosted(database) as platform:
        client, client_id = platform.client, str(uuid4())
        await registered(platform, platform.account, client_id)
        (listed,) = (await client.get("/clients")).json()
        assert (listed["id"], listed["name"]) == (client_id, "Каса 1")
        at = f"/clients/{client_id}"
        renamed = (await client.patch(at, json={"name": "Улаз"})).json()
        assert renamed == {**listed, "name": "Улаз", "updatedAt": renamed["updatedAt"]}
        assert (await client.put(at, json=renamed)).json() == renamed
        await registered(platform, platform.account, client_id, version="3.3.0")
        (again,) = (await client.get("/clients")).json()
        assert (again["name"], again["version"]) == ("Улаз", "3.3.0")
        assert problem(await client.patch(at, json={"name": 1}))[3] == ["name"]
        other = await platform.account_of("Друга")
        assert (await other.get("/clients")).json() == []
        assert problem(await other.delete(at)) == (404, 40400001, "Client not found", [])
        refused = (
            (str(uuid4()), "i1", RefusalCode.FOREIGN_CLIENT),
            (platform.account, "i2", RefusalCode.OTHER_INSTALLATION),
        )
        for account, install, code in refused:
            assert await registered(platform, account, client_id, install_id=install) is code
        assert (await client.delete(at)).json() == {}
        assert (await client.get("/clients")).json() == []
        await registered(platform, platform.account, client_id)
        assert len((await client.get("/clients")).json()) == 1


async def test_a_key_is_rotated_in_one_step(database: Place) -> None:
    """The old key holds until the new one is used: a lost answer locks nobody out."""
    async with hosted(database) as platform:
        body = {"name": "Веб", "scopes": ["catalogue"], "eachOrderIsASale": True}
        old = (await platform.client.post("/keys", json=body)).json()
        answer = await platform.client.post(f"/keys/{old['id']}/rotate")
        assert answer.status_code == 201
        new = answer.json()
        assert (new["name"], new["scopes"], new["eachOrderIsASale"]) == ("Веб", ["catalogue"], True)
        before = platform.caller(NewKey(old["id"], old["secret"]))
        after = platform.caller(NewKey(new["id"], new["secret"]))
        assert (await before.get("/products")).status_code == 200
        assert (await after.get("/products")).status_code == 200
        status = 200  # the new key's use is written beside its answer
        while status == 200:
            status = (await before.get("/products")).status_code
        assert status == 401
        for unknown in (old["id"], "a%00b"):
            assert problem(await platform.client.post(f"/keys/{unknown}/rotate"))[0] == 404
        listed = {key["id"] for key in (await platform.client.get("/keys")).json()}
        assert listed == {platform.key.id, new["id"]}


@pytest.mark.parametrize("of_older", [False, True])
async def test_a_key_rotated_again_ends_all_but_one(database: Place, of_older: bool) -> None:
    """The second key's secret was lost before its first use."""
    async with hosted(database) as platform:
        body = {"name": "Веб", "scopes": ["catalogue"]}
        first = (await platform.client.post("/keys", json=body)).json()
        used = platform.caller(NewKey(first["id"], first["secret"]))
        assert (await used.get("/products")).status_code == 200
        second = (await platform.client.post(f"/keys/{first['id']}/rotate")).json()
        asked = first if of_older else second
        third = (await platform.client.post(f"/keys/{asked['id']}/rotate")).json()
        lost = platform.caller(NewKey(second["id"], second["secret"]))
        assert (await lost.get("/products")).status_code == 401
        assert (await used.get("/products")).status_code == 200  # until the third is used
        last = platform.caller(NewKey(third["id"], third["secret"]))
        assert (await last.get("/products")).status_code == 200
        async with asyncio.timeout(5):
            while (await used.get("/products")).status_code == 200:
                pass
        log = (await platform.client.get("/audit")).json()
        revoked = [one["objectId"] for one in log if one["act"] == "revoked"]
        assert revoked == [second["id"], first["id"]]
