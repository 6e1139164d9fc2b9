"""A tenant of a platform who attacks the others in one of several ways, as fast as possible.

    python -m tests.e2e.hostile_tenant WAY ADDRESS KEY SECRET

It goes on until SIGTERM, and then writes how many answers of each status it had.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import signal
import sys
import uuid
from collections import Counter
from contextlib import suppress
from functools import cache, cached_property
from random import Random
from urllib.parse import urlsplit

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

from pos_app.wire import relay
from tests.fakes.no_tls import NO_TLS
from tests.integration.platform_api.pictures import picture, with_text

AT_ONCE = 40
"""Requests of one tenant under way."""
_READ_BYTES = 1 << 20
_SLOW_BYTES, _SLOW_SECONDS = 64 * 1024, 0.1

LISTS: tuple[tuple[str, dict[str, str]], ...] = (
    ("/products", {}),
    ("/products", {"Accept-Encoding": "gzip"}),
    ("/products?updatedSince=1970-01-01T00:00:00.000Z", {"If-None-Match": '"1-1"'}),
    ("/categories", {"Accept-Encoding": "gzip"}),
    ("/categories", {}),
)


@cache
def large_product() -> bytes:
    """A product of nearly a megabyte, whose document has each description twice."""
    variant = {"taxRateLabel": "Ђ", "price": 1, "description": "щ" * 32_000}
    variants = [variant | {"name": f"м{number}"} for number in range(15)]
    product = {"name": "Велики", "taxRateLabel": "Ђ", "price": 1, "variants": variants}
    return json.dumps(product, ensure_ascii=False).encode()


class Hostile:
    """answers: how many of each status, and of each failure of the transport."""

    def __init__(self, address: str, key: str, secret: str) -> None:
        self.address, self.key, self.secret = address, key, secret
        self.answers = Counter[str]()
        self._chance = Random(7)
        self._held: list[ClientConnection] = []
        self._idle: list[asyncio.StreamWriter] = []

    @cached_property
    def _pictures(self) -> tuple[bytes, ...]:
        return tuple(picture("PNG", size=(side, side)) for side in (2_500, 6_300))

    async def sockets(self, caller: httpx.AsyncClient) -> None:
        """Tills that only connect, and connections that send half a head."""
        told = base64.b64encode(f"{self.key}:{self.secret}".encode()).decode()
        try:
            line = await connect(
                f"ws{self.address.removeprefix('http')}/relay",
                additional_headers={"Authorization": f"Basic {told}"},
                proxy=None,
                compression=None,
                close_timeout=1,
            )
            hello = relay.HelloMessage(
                version=relay.VERSION,
                client_id=str(uuid.uuid4()),
                install_id=str(uuid.uuid4()),
                store_id=None,
                name="Каса",
                program="3.2.1",
            )
            await line.send(relay.written(hello))
            await asyncio.wait_for(line.recv(), 10)
            self._held.append(line)
            self.answers["connected"] += 1
        except InvalidStatus as error:
            self.answers[str(error.response.status_code)] += 1
        except (OSError, WebSocketException, TimeoutError) as error:
            await self._failed(error)
        place = urlsplit(self.address)
        with suppress(OSError):
            _, writer = await asyncio.open_connection(place.hostname, place.port)
            writer.write(b"POST /v2/products HTTP/1.1\r\nHost: x\r\nContent-Le")
            self._idle.append(writer)

    async def tags(self, caller: httpx.AsyncClient) -> None:
        """Descriptions of nested elements, JSON in JSON, and hundreds of variants."""
        body: object = {
            "name": "x",
            "taxRateLabel": "Ђ",
            "description": "<b>" * 90 + "x" * 60_000 + "</b>" * 90,
            "variants": [{"name": f"м{n}", "taxRateLabel": "Ђ", "price": 1} for n in range(300)],
        }
        if self._chance.random() < 0.3:
            nested = "[" * 50_000 + "]" * 50_000
            await self._send(caller, "POST", "/products", content=nested.encode())
        elif self._chance.random() < 0.3:
            body = {"name": "x", "taxRateLabel": "Ђ", "description": "<i>" * 20_000}
        await self._send(caller, "POST", "/products", json=body)

    async def pictures(self, caller: httpx.AsyncClient) -> None:
        """Pictures that all differ, so that none is known yet; some have 40 million pixels."""
        whole = self._pictures[self._chance.random() < 0.3]
        content = with_text(whole, self._chance.randrange(1, 10**6))
        headers = {"Content-Type": "image/png"}
        await self._send(caller, "POST", "/files", content=content, headers=headers)

    async def forged(self, caller: httpx.AsyncClient) -> None:
        """Keys that were never made, and the own one with another secret."""
        key = self.key if self._chance.random() < 0.5 else uuid.uuid4().hex
        wrong = (key, uuid.uuid4().hex)
        await self._send(caller, "GET", "/products", auth=wrong)

    async def lists(self, caller: httpx.AsyncClient) -> None:
        """The largest lists in each form, some of them read slowly, and the largest products."""
        if self._chance.random() < 0.2:
            headers = {"Content-Type": "application/json"}
            await self._send(caller, "POST", "/products", content=large_product(), headers=headers)
            return
        path, headers = self._chance.choice(LISTS)
        is_slow = bool(self.answers) and self._chance.random() < 0.1
        try:
            status = await self._read(path, headers, is_slow=is_slow)
            self.answers[status] += 1
        except (OSError, ValueError, TimeoutError) as error:
            await self._failed(error)

    async def _read(self, path: str, headers: dict[str, str], *, is_slow: bool) -> str:
        """Read a list, and return its status; a library would take as much as the platform."""
        place = urlsplit(self.address)
        told = base64.b64encode(f"{self.key}:{self.secret}".encode()).decode()
        more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        reader, writer = await asyncio.open_connection(
            place.hostname, place.port, limit=_READ_BYTES
        )
        try:
            writer.write(
                f"GET {place.path}{path} HTTP/1.1\r\nHost: {place.netloc}\r\n{more}"
                f"Authorization: Basic {told}\r\nConnection: close\r\n\r\n".encode()
            )
            status = (await reader.readline()).split()[1].decode()
            while part := await reader.read(_SLOW_BYTES if is_slow else _READ_BYTES):
                self.answers["kilobytes"] += len(part) // 1000
                if is_slow:
                    await asyncio.sleep(_SLOW_SECONDS)
            return status
        finally:
            writer.close()

    async def _send(
        self, caller: httpx.AsyncClient, method: str, path: str, **more: object
    ) -> None:
        try:
            answer = await caller.request(method, f"{self.address}{path}", **more)  # type: ignore[arg-type]
            self.answers[str(answer.status_code)] += 1
        except httpx.TransportError as error:
            await self._failed(error)

    async def _failed(self, error: Exception) -> None:
        self.answers[type(error).__name__] += 1
        await asyncio.sleep(0.05)

    async def run(self, way: str, stop: asyncio.Event) -> None:
        ways = (self.sockets, self.tags, self.pictures, self.forged, self.lists)
        act = {one.__name__: one for one in ways}
        async with httpx.AsyncClient(
            auth=(self.key, self.secret),
            timeout=30,
            trust_env=False,
            verify=NO_TLS,
            limits=httpx.Limits(max_connections=AT_ONCE),
        ) as caller:

            async def again() -> None:
                while not stop.is_set():
                    await act[way](caller)

            await act[way](caller)
            sys.stdout.write("begun\n")
            sys.stdout.flush()
            tasks = [asyncio.create_task(again()) for _ in range(AT_ONCE)]
            await stop.wait()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def main(way: str, address: str, key: str, secret: str) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    os.nice(10)  # its own processor is that of another machine
    hostile = Hostile(address, key, secret)
    await hostile.run(way, stop)
    sys.stdout.write(json.dumps(hostile.answers) + "\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
