"""Web pages at the platform: a browser may keep a key and send it with what another page asks."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from tests.integration.platform_api.hosted import Place
from tests.integration.platform_api.relayed import Worker, worker

SOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
FOREIGN: tuple[Mapping[str, str], ...] = (
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site"},
    {"Origin": "https://{host}"},
    {"Origin": "http://{host}.evil.example"},
    {"Origin": "http://{host}", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
    {"Sec-Fetch-Site": "whatever"},
)
"""The heads that browsers send for pages of others, and some that no browser sends."""
OWN: tuple[Mapping[str, str], ...] = (
    {},
    {"Origin": "http://{host}"},
    {"Origin": "HTTP://{host}", "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Mode": "cors"},
)
"""The heads of programs (the last one is of Node's fetch) and of the platform's own page."""


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Raw:
    """Asks by raw sockets, as a browser that kept the key does. key: "" where it kept none."""

    host: str
    key: str

    async def ask(
        self, method: str, path: str, told: Mapping[str, str], body: bytes = b""
    ) -> Answer:
        address, _, port = self.host.rpartition(":")
        reader, writer = await asyncio.open_connection(address, int(port))
        headers = {"Host": self.host, **_filled(told, self.host)}
        if self.key:
            headers["Authorization"] = f"Basic {base64.b64encode(self.key.encode()).decode()}"
        if method not in {"GET", "HEAD"}:
            headers["Content-Length"] = str(len(body))
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        try:
            writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
            async with asyncio.timeout(10):
                status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
                said = {
                    name.lower(): value
                    for name, _, value in (line.partition(": ") for line in lines if line)
                }
                length = 0 if method == "HEAD" else int(said.get("content-length", 0))
                return Answer(int(status.split()[1]), said, await reader.readexactly(length))
        finally:
            writer.close()
            await asyncio.gather(writer.wait_closed(), return_exceptions=True)

    async def rows(self, path: str) -> list[Any]:
        rows: list[Any] = json.loads((await self.ask("GET", path, {})).body)
        return rows


def _filled(told: Mapping[str, str], host: str) -> dict[str, str]:
    return {name: value.format(host=host) for name, value in told.items()}


@asynccontextmanager
async def asked(place: Place, public_url: str = "") -> AsyncIterator[tuple[Worker, Raw]]:
    async with worker(place, public_url=public_url) as running:
        host = running.address.removeprefix("http://")
        yield running, Raw(host, f"{running.key.id}:{running.key.secret}")


def refused_with_the_body_of_the_contract(answer: Answer) -> None:
    assert answer.status == 403, answer
    body = json.loads(answer.body)
    assert (body["code"], body["name"], body["class"]) == (40300001, "ForbiddenError", "fix")
    assert "web page" in body["message"]
    no_cors(answer)


def no_cors(answer: Answer) -> None:
    assert not any(name.startswith("access-control-") for name in answer.headers)


async def test_a_foreign_page_changes_nothing_and_opens_no_socket(file_database: Place) -> None:
    """What is only read is answered, and no page may see it: a shop's own page may show a picture,
    and a list is closed to it by the browser."""
    async with asked(file_database) as (running, browser):
        other = await running.another_key()
        for told in FOREIGN:
            as_json = {"Content-Type": "application/json", **told}
            for method, path, body in (
                ("POST", f"/v2/keys/{other.id}/rotate", b""),
                ("POST", "/v2/stores", b'{"name": "x"}'),
                ("POST", "/v2/stores/", b'{"name": "x"}'),
                ("PUT", "/v2/products/00000000-0000-4000-8000-000000000000", b"{}"),
                ("DELETE", f"/v2/keys/{other.id}", b""),
                ("POST", "/v2/fiscalization/receipts", b"{}"),
                ("POST", "/v2/files", b"GIF89a"),
                ("OPTIONS", "/v2/stores", b""),
                ("POST", "/nowhere", b""),
            ):
                refused_with_the_body_of_the_contract(
                    await browser.ask(method, path, as_json, body)
                )
            for path in ("/v2/relay", "/v2/relay/", "/nowhere"):
                refused_with_the_body_of_the_contract(
                    await browser.ask("GET", path, {**SOCKET, **told})
                )
            for method in ("GET", "HEAD"):
                for path in ("/v2/stores", "/health", "/openapi.json"):
                    answer = await browser.ask(method, path, told)
                    assert answer.status == 200, told
                    no_cors(answer)
            assert (await browser.ask("GET", "/v2/keys/x/rotate", told)).status == 405
        assert await browser.rows("/v2/stores") == []
        keys = await browser.rows("/v2/keys")
        assert {one["id"] for one in keys} == {running.key.id, other.id}
        assert (await browser.rows("/v2/clients"), len(running.relay.hub)) == ([], 0)


async def made(browser: Raw, told: Mapping[str, str]) -> Answer:
    as_json = {"Content-Type": "application/json", **told}
    return await browser.ask("POST", "/v2/stores", as_json, b'{"name": "x"}')


async def test_programs_and_the_own_page_are_taken(file_database: Place) -> None:
    """The last one: the browser vouches for its page where a proxy hides https. Behind a proxy the
    public address is the own one."""
    by_browser = {"Origin": "https://{host}", "Sec-Fetch-Site": "same-origin"}
    async with asked(file_database) as (_, caller):
        for told in (*OWN, by_browser):
            answer = await made(caller, told)
            assert answer.status == 201, told
            no_cors(answer)
            assert (await caller.ask("GET", "/v2/relay", {**SOCKET, **told})).status == 101
    async with asked(file_database, "https://platform.example/shops") as (_, browser):
        for origin, status in (
            ("https://platform.example", 201),
            ("https://platform.example:443", 201),
            ("http://platform.example", 403),
            ("https://platform.example:8443", 403),
            ("https://other.example", 403),
        ):
            assert (await made(browser, {"Origin": origin})).status == status, origin


async def test_a_browser_is_not_invited_to_keep_a_key(file_database: Place) -> None:
    """A program that sends its key only after a challenge gets one; a browser would keep the key,
    and send it with what any page asks."""
    async with asked(file_database) as (_, known):
        nobody = Raw(known.host, "")
        invited: tuple[tuple[Mapping[str, str], bool], ...] = (
            ({}, True),
            ({"Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin"}, False),
            ({"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "none"}, False),
            ({"Origin": "http://{host}"}, False),
        )
        for told, is_invited in invited:
            for path, more in (("/v2/stores", {}), ("/v2/relay", SOCKET)):
                answer = await nobody.ask("GET", path, {**more, **told})
                assert answer.status == 401
                assert ("www-authenticate" in answer.headers) is is_invited, told
        by_another_page = {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Site": "cross-site"}
        answer = await nobody.ask("GET", "/v2/stores", by_another_page)
        assert (answer.status, "www-authenticate" in answer.headers) == (401, False)
