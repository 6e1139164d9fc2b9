"""The lines between the programs of one process, each with its faults.

A request is handed to the other program's application without a socket. The other program works on
by itself, as a process does: a caller that gives up does not end it.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import httpx
from starlette.types import ASGIApp

from pos_app.adapters.http_exchange import HttpExchange

URL = "http://127.0.0.1:9999"
LATE_SECONDS = 0.3


class Fate(StrEnum):
    """What may happen to one exchange."""

    REFUSED = "refused"
    LOST_BEFORE = "lost before it was delivered"
    LOST_AFTER = "lost after it was delivered"
    HALF = "half an answer"
    TWICE = "delivered twice"
    SLOW = "delivered late"
    LATE = "answered late"


FATES_OF_PROCESSOR = tuple(one for one in Fate if one is not Fate.TWICE)
"""Our server sends one POST to the processor, and no network doubles a request."""


@dataclass
class Door:
    """A program as others reach it. app: None while it does not run. is_open: whether a connection
    to it can be made. done: counts the requests that reached it, by method."""

    app: ASGIApp | None = None
    is_open: bool = True
    done: Counter[str] = field(default_factory=Counter)
    works: set[asyncio.Task[httpx.Response]] = field(default_factory=set)

    def deliver(self, request: httpx.Request) -> asyncio.Task[httpx.Response]:
        assert self.app is not None
        self.done[request.method] += 1
        to = httpx.ASGITransport(self.app, client=("127.0.0.1", 40_000))
        work = asyncio.create_task(_whole(to, request), name=f"{request.method} {request.url.path}")
        self.works.add(work)
        work.add_done_callback(self.works.discard)
        return work

    async def drop(self) -> None:
        """Drop the work that is under way, as a killed program does."""
        self.app = None
        works = list(self.works)
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)


async def _whole(to: httpx.ASGITransport, request: httpx.Request) -> httpx.Response:
    response = await to.handle_async_request(request)
    content = b"".join([piece async for piece in response.aiter_raw()])
    stream = httpx.ByteStream(content)  # one that was not read, which the caller does
    return httpx.Response(response.status_code, headers=response.headers, stream=stream)


@dataclass
class FaultyTransport(httpx.AsyncBaseTransport):
    """One program's line to a door. planned: what happens to the next requests that are no GET, one
    each. dice: names the fate of any other request, None for none. hits: counts fates."""

    door: Door
    planned: deque[Fate] = field(default_factory=deque)
    dice: Callable[[str], Fate | None] = lambda method: None
    hits: Counter[str] = field(default_factory=Counter)
    late_seconds: float = LATE_SECONDS
    _is_cut: bool = False
    _waiting: set[asyncio.Task[Any]] = field(default_factory=set)

    def cut(self) -> None:
        """End every exchange now and later: the program that asks is gone."""
        self._is_cut = True
        for one in self._waiting:
            one.cancel()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self._is_cut:
            raise httpx.ConnectError("this program is gone", request=request)
        await request.aread()
        is_write = request.method != "GET"
        fate = self.planned.popleft() if is_write and self.planned else self.dice(request.method)
        if fate is not None:
            self.hits[f"{request.method} {fate}"] += 1
        if fate is Fate.REFUSED or self.door.app is None or not self.door.is_open:
            raise httpx.ConnectError("nobody listens", request=request)
        waiting = asyncio.create_task(self._exchange(request, fate))
        self._waiting.add(waiting)
        try:
            await asyncio.wait({waiting})
            if waiting.cancelled():
                raise httpx.ReadError("the connection ended", request=request)
            return waiting.result()
        finally:
            waiting.cancel()
            self._waiting.discard(waiting)

    async def _exchange(self, request: httpx.Request, fate: Fate | None) -> httpx.Response:
        if fate is Fate.LOST_BEFORE:
            raise httpx.ReadError("the connection ended", request=request)
        if fate is Fate.SLOW:
            await asyncio.sleep(self.late_seconds)
        if self.door.app is None:
            raise httpx.ReadError("the connection ended", request=request)
        work = self.door.deliver(request)
        if fate is Fate.TWICE:
            await asyncio.shield(work)
            work = self.door.deliver(request)
        response = await asyncio.shield(work)
        if fate is Fate.LATE:
            await asyncio.sleep(self.late_seconds)
        if fate in (Fate.LOST_AFTER, Fate.HALF):
            raise httpx.RemoteProtocolError("the answer broke off", request=request)
        return response


def connection(transport: httpx.AsyncBaseTransport) -> HttpExchange:
    headers = {"Accept-Encoding": "identity"}
    return HttpExchange(URL, trust=None, connect_seconds=3.0, headers=headers, transport=transport)
