"""Large lists: slow readers of one account hold up nobody else."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
from typing import Any

import h11
import httpx
import pytest

from pos_app.platform_api.accounts import make_account
from pos_app.platform_api.database.engine import READERS
from pos_app.platform_api.keys import NewKey
from tests.integration.platform_api import relayed
from tests.integration.platform_api.hosted import DatabasePlace, Hosted, hosted, many_stores

_ROWS = 1_500


class SlowReader:
    """Takes nothing of a list's body until `may_read` is set. leaves: at that word of the answer
    it is gone: "start" or "body"."""

    def __init__(self, platform: Hosted, key: NewKey, *, leaves: str = "") -> None:
        self.leaves = leaves
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
        if not self.leaves:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        if self.leaves and message["type"].endswith(self.leaves):
            raise OSError("the caller is gone")
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
            return
        self.began.set()
        if self.status == httpx.codes.OK:
            await self.may_read.wait()
        self.body += message["body"]
        self.is_whole = not message.get("more_body", False)


async def test_slow_readers_of_one_account_hold_up_nobody(database: DatabasePlace) -> None:
    async with hosted(database) as platform:
        await many_stores(platform.context.database, platform.account, _ROWS, 1000)
        async with platform.context.database.writing() as connection:
            second = await make_account(connection, name="Друга", now=platform.clock.now())
        await many_stores(platform.context.database, second, _ROWS, 1000)
        other = platform.caller(await platform.key_of(second))

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
        assert len((await other.get("/stores")).json()) == _ROWS, "it finds a place"

        for one in sent:
            one.may_read.set()
        await asyncio.gather(*(one.task for one in slow))
        assert all(one.is_whole and len(json.loads(one.body)) == _ROWS for one in sent)
        assert len((await platform.client.get("/stores")).json()) == _ROWS


async def test_a_list_that_nobody_reads_any_more_gives_its_place_back(
    file_database: DatabasePlace,
) -> None:
    """More lists than a worker has reading connections lose their readers."""
    async with hosted(file_database) as platform:
        await platform.client.post("/stores", json={"name": "Прва"})
        for number in range(2 * READERS):
            reader = SlowReader(platform, platform.key, leaves=("start", "body")[number % 2])
            reader.may_read.set()
            with contextlib.suppress(OSError):
                await reader.task
        assert len((await platform.client.get("/stores")).json()) == 1


async def test_long_rows_stand_among_short_ones_as_they_were_answered(
    database: DatabasePlace,
) -> None:
    async with hosted(database) as platform:
        made = []
        for number in range(53):
            body = {"name": f"Прва {number}", "taxRateLabel": "Ђ", "price": 1}
            if number in (0, 1, 49, 50, 52):
                body["description"] = "<b>щ</b>" * (800 * (1 + number % 7))
            made.append((await platform.client.post("/products", json=body)).text)
        since = {"updatedSince": "1970-01-01T00:00:00.000Z"}
        for encoding in ("identity", "gzip"):
            for query in ({}, since):
                headers = {"Accept-Encoding": encoding}
                answer = await platform.client.get("/products", headers=headers, params=query)
                assert answer.text == f"[{','.join(made)}]"


async def _read_late(reader: asyncio.StreamReader) -> bytes:
    """Read all, once both ends hold as much as they can."""
    await asyncio.sleep(0.5)
    return await reader.read()


@pytest.mark.parametrize("version", ["1.0", "1.1"])
async def test_a_list_is_whole_for_a_caller_that_ended_its_side_and_reads_late(
    file_database: DatabasePlace, version: str
) -> None:
    """As `nc -N` does; the list is larger than what the systems of both ends hold. In
    tests/e2e/test_both_doors.py such callers order receipts."""
    async with relayed.worker(file_database) as at, at.caller() as caller:
        await many_stores(at.database, at.account, _ROWS, 4000)
        listed = (await caller.get("/stores")).json()
        made = h11.Connection(h11.CLIENT)
        basic = base64.b64encode(f"{at.key.id}:{at.key.secret}".encode()).decode()
        headers = [("Host", "x"), ("Authorization", f"Basic {basic}"), ("Connection", "close")]
        asked = made.send(h11.Request(method="GET", target="/v2/stores", headers=headers)) or b""
        made.send(h11.EndOfMessage())
        host, port = at.address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port), limit=1000)
        writer.write(asked.replace(b"HTTP/1.1", f"HTTP/{version}".encode(), 1))
        writer.write_eof()
        made.receive_data(await _read_late(reader))
        made.receive_data(b"")
        body = b""
        while not isinstance(event := made.next_event(), h11.EndOfMessage):
            body += bytes(event.data) if isinstance(event, h11.Data) else b""
        assert json.loads(body) == listed
        writer.close()
