"""Large lists: slow readers of one account hold up nobody else."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import httpx
from sqlalchemy import insert

from pos_app.platform_api.accounts import make_account
from pos_app.platform_api.database.tables import STORE
from pos_app.platform_api.keys import NewKey
from tests.integration.platform_api.hosted import DatabasePlace, Hosted, hosted

_ROWS = 1_500


async def many_stores(platform: Hosted, account: str) -> None:
    """Make more stores than an answer from memory holds."""
    now = platform.clock.now()
    rows = [
        {
            "id": f"{account}-{number}",
            "account_id": account,
            "number": number,
            "revision": number,
            "created_at": now,
            "updated_at": now,
            "document": json.dumps({"name": f"{number} " + "x" * 1000}),
        }
        for number in range(1, _ROWS + 1)
    ]
    async with platform.context.database.writing() as connection:
        await connection.execute(insert(STORE), rows)


class SlowReader:
    """Takes nothing of a list's body until `may_read` is set."""

    def __init__(self, platform: Hosted, key: NewKey) -> None:
        self.status = 0
        self.headers: dict[bytes, bytes] = {}
        self.body = b""
        self.is_whole = False
        self.began, self.may_read = asyncio.Event(), asyncio.Event()
        basic = base64.b64encode(f"{key.id}:{key.secret}".encode())
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/v2/stores",
            "raw_path": b"/v2/stores",
            "query_string": b"",
            "headers": [(b"host", b"platform.example"), (b"authorization", b"Basic " + basic)],
            "scheme": "http",
            "http_version": "1.1",
            "client": ("192.0.2.1", 1),
            "server": ("platform.example", 80),
        }
        app: Any = platform.transport.app
        self.task = asyncio.create_task(app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, str]:
        await asyncio.Event().wait()
        return {}

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
            return
        self.began.set()
        if self.status == httpx.codes.OK:
            await self.may_read.wait()
        self.body += message["body"]
        self.is_whole = not message.get("more_body", False)


async def test_slow_readers_of_one_account_hold_up_nobody(database: DatabasePlace) -> None:
    async with hosted(database) as platform, asyncio.timeout(20):
        await many_stores(platform, platform.account)
        other = await platform.account_of("Друга")
        small = await other.post("/stores", json={"name": "Мала"})
        assert small.status_code == httpx.codes.CREATED

        slow = [SlowReader(platform, platform.key) for _ in range(12)]
        await asyncio.gather(*(one.began.wait() for one in slow))
        sent = [one for one in slow if one.status == httpx.codes.OK]
        refused = [one for one in slow if one.status == httpx.codes.TOO_MANY_REQUESTS]
        assert (len(sent), len(refused)) == (4, 8)
        for one in refused:
            assert int(one.headers[b"retry-after"]) > 0
            assert json.loads(one.body)["code"] == 42900001

        tag = sent[0].headers[b"etag"].decode()
        known = await platform.client.get("/stores", headers={"If-None-Match": tag})
        assert known.status_code == httpx.codes.NOT_MODIFIED
        assert len((await platform.client.get("/units")).json()) == 0
        assert len((await other.get("/stores")).json()) == 1

        for one in sent:
            one.may_read.set()
        await asyncio.gather(*(one.task for one in slow))
        assert all(one.is_whole and len(json.loads(one.body)) == _ROWS for one in sent)
        assert len((await platform.client.get("/stores")).json()) == _ROWS


async def test_a_large_list_of_another_account_finds_a_place(database: DatabasePlace) -> None:
    async with hosted(database) as platform, asyncio.timeout(20):
        await many_stores(platform, platform.account)
        slow = [SlowReader(platform, platform.key) for _ in range(8)]
        await asyncio.gather(*(one.began.wait() for one in slow))
        async with platform.context.database.writing() as connection:
            second = await make_account(connection, name="Друга", now=platform.clock.now())
        await many_stores(platform, second)
        other = platform.caller(await platform.key_of(second))
        assert len((await other.get("/stores")).json()) == _ROWS
        for one in slow:
            one.may_read.set()
        await asyncio.gather(*(one.task for one in slow))


async def test_long_rows_stand_among_short_ones_as_they_were_answered(
    database: DatabasePlace,
) -> None:
    async with hosted(database) as platform:
        made = []
        for number in range(130):
            body = {"name": f"Прва {number}", "taxRateLabel": "Ђ", "price": 1}
            if number in (0, 1, 49, 50, 51, 129):
                body["description"] = "<b>щ</b>" * (800 * (1 + number % 7))
            made.append((await platform.client.post("/products", json=body)).text)
        since = {"updatedSince": "1970-01-01T00:00:00.000Z"}
        for encoding in ("identity", "gzip"):
            for query in ({}, since):
                headers = {"Accept-Encoding": encoding}
                answer = await platform.client.get("/products", headers=headers, params=query)
                assert answer.text == f"[{','.join(made)}]"
