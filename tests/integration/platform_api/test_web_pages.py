"""Web pages at the platform: a browser may keep a key and send it with what another page asks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from tests.fakes.no_tls import NO_TLS
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
class Asker:
    """Asks with the heads of a test, as a browser that kept the key does."""

    host: str
    client: httpx.AsyncClient

    async def ask(
        self, method: str, path: str, told: Mapping[str, str], body: bytes = b""
    ) -> httpx.Response:
        headers = {name: value.format(host=self.host) for name, value in told.items()}
        async with self.client.stream(method, path, headers=headers, content=body) as answer:
            if answer.status_code != 101:
                await answer.aread()
            return answer

    async def rows(self, path: str) -> list[Any]:
        rows: list[Any] = (await self.ask("GET", path, {})).json()
        return rows


@asynccontextmanager
async def asked(
    place: Place, public_url: str = "", *, has_key: bool = True
) -> AsyncIterator[tuple[Worker, Asker]]:
    async with worker(place, public_url=public_url) as running:
        key = (running.key.id, running.key.secret) if has_key else None
        async with httpx.AsyncClient(
            base_url=running.address, auth=key, trust_env=False, verify=NO_TLS
        ) as client:
            yield running, Asker(running.address.removeprefix("http://"), client)


def refused_by_the_contract(answer: httpx.Response) -> None:
    assert answer.status_code == 403, answer
    body = answer.json()
    assert (body["code"], body["name"], body["class"]) == (40300001, "ForbiddenError", "fix")
    assert "web page" in body["message"]
    no_cors(answer)


def no_cors(answer: httpx.Response) -> None:
    assert not any(name.startswith("access-control-") for name in answer.headers)


async def test_a_foreign_page_changes_nothing_and_opens_no_socket(file_database: Place) -> None:
    """A list is answered, and the browser closes it to the page; a shop's may show a picture."""
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
                refused_by_the_contract(await browser.ask(method, path, as_json, body))
            for path in ("/v2/relay", "/v2/relay/", "/nowhere"):
                refused_by_the_contract(await browser.ask("GET", path, {**SOCKET, **told}))
            for method in ("GET", "HEAD"):
                for path in ("/v2/stores", "/health", "/openapi.json"):
                    answer = await browser.ask(method, path, told)
                    assert answer.status_code == 200, told
                    no_cors(answer)
            assert (await browser.ask("GET", "/v2/keys/x/rotate", told)).status_code == 405
        assert await browser.rows("/v2/stores") == []
        keys = await browser.rows("/v2/keys")
        assert {one["id"] for one in keys} == {running.key.id, other.id}
        assert (await browser.rows("/v2/clients"), len(running.relay.hub)) == ([], 0)


async def made(browser: Asker, told: Mapping[str, str]) -> httpx.Response:
    as_json = {"Content-Type": "application/json", **told}
    return await browser.ask("POST", "/v2/stores", as_json, b'{"name": "x"}')


async def test_programs_and_the_own_page_are_taken(file_database: Place) -> None:
    """A browser vouches for its page where a proxy hides https; the public address is its own."""
    by_browser = {"Origin": "https://{host}", "Sec-Fetch-Site": "same-origin"}
    async with asked(file_database) as (_, caller):
        for told in (*OWN, by_browser):
            answer = await made(caller, told)
            assert answer.status_code == 201, told
            no_cors(answer)
            assert (await caller.ask("GET", "/v2/relay", {**SOCKET, **told})).status_code == 101
    async with asked(file_database, "https://platform.example/shops") as (_, browser):
        for origin, status in (
            ("https://platform.example", 201),
            ("https://platform.example:443", 201),
            ("http://platform.example", 403),
            ("https://platform.example:8443", 403),
            ("https://other.example", 403),
        ):
            assert (await made(browser, {"Origin": origin})).status_code == status, origin


async def test_a_browser_is_not_invited_to_keep_a_key(file_database: Place) -> None:
    """A browser would keep a key that it asked for, and send it with what any page asks."""
    async with asked(file_database, has_key=False) as (_, nobody):
        invited: tuple[tuple[Mapping[str, str], bool], ...] = (
            ({}, True),
            ({"Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin"}, False),
            ({"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "none"}, False),
            ({"Origin": "http://{host}"}, False),
        )
        for told, is_invited in invited:
            for path, more in (("/v2/stores", {}), ("/v2/relay", SOCKET)):
                answer = await nobody.ask("GET", path, {**more, **told})
                assert answer.status_code == 401
                assert ("www-authenticate" in answer.headers) is is_invited, told
        by_another_page = {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Site": "cross-site"}
        answer = await nobody.ask("GET", "/v2/stores", by_another_page)
        assert (answer.status_code, "www-authenticate" in answer.headers) == (401, False)
