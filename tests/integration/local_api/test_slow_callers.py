"""Callers that are slow, silent, endless or too many: they cost a connection for a short time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pos_app.adapters.http_server.protocol import ConnectionLimits
from tests.integration.local_api.wires import WITHIN, Wire, served, wire

SHORT = ConnectionLimits(head_seconds=0.3, body_seconds=0.4, idle_seconds=0.5, linger_seconds=0.3)
HEAD = "POST / HTTP/1.1\nHost: x\nContent-Type: application/json\n"


@dataclass
class Echo:
    """Answers with the body it was sent; on /early it answers before it has read any."""

    seen: list[str] = field(default_factory=list)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)
    at_work: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    reading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        self.seen.append(request.url.path)
        answer = Response(b"early", 413)
        if request.url.path == "/wait":
            self.at_work.release()
            await self.go_on.wait()
            answer = Response(b"done")
        elif request.url.path == "/endless":
            await self._stream(receive, send)
            return
        elif request.url.path != "/early":
            self.reading.release()
            try:
                answer = Response(await request.body())
            except ClientDisconnect:
                self.left.set()
                return
        await answer(scope, receive, send)

    async def _stream(self, receive: Receive, send: Send) -> None:
        """Send more than any buffer holds; the rest of it reaches no caller that was cut off."""
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(400):
            await send({"type": "http.response.body", "body": b"x" * 262_144, "more_body": True})
        if (await receive())["type"] == "http.disconnect":
            self.left.set()


@contextlib.asynccontextmanager
async def talking(limits: ConnectionLimits = SHORT) -> AsyncIterator[tuple[Wire, Echo, str]]:
    app = Echo()
    async with served(app, limits=limits) as url, wire(url) as caller:
        yield caller, app, url


async def drip(caller: Wire, text: str, pause: float) -> None:
    """Send a byte at a time until the server closes the connection."""
    with contextlib.suppress(ConnectionError):
        while not caller.reader.at_eof():
            for letter in text:
                await caller.say(letter.encode())
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await caller.reader.read()
                        return


BODY, EARLY = HEAD + "Content-Length: {}\n\n", HEAD.replace("/ ", "/early ")
MANNERS: dict[str, tuple[str, str, int | None]] = {
    "nothing": ("", "", None),
    "half a head": ("POST / HTTP/1.1\nHost: x\n", "", None),
    "dripped head": ("POST / HTTP/1.1\nHost: x\nX-Long: ", "a", None),
    "half a body": (BODY.format(100) + "half", "", 408),
    "dripped body": (BODY.format(1000), "a", None),
    "dripped chunks": (HEAD + "Transfer-Encoding: chunked\n\n", "1\r\na\r\n", None),
    "silence after an answer": (BODY.format(2) + "ok", "", 200),
    "half a second head": (BODY.format(2) + "ok", "GET / HTTP/1.1\r\nX: ", 200),
    "drip after an early answer": (EARLY + "Content-Length: 1000\n\n", "a", 413),
}
"""What a caller sends, what it goes on to drip, and the status that it gets before."""


async def test_slow_callers_are_cut_off() -> None:
    """The application learns of it."""
    async with talking() as (_, app, url):

        async def slow(manner: str) -> None:
            sent, dripped, status = MANNERS[manner]
            async with wire(url) as caller:
                await caller.say(sent)
                assert status is None or (await caller.answer())[0] == status, manner
                if dripped:
                    await drip(caller, dripped, 0.05)
                assert await caller.end() == b"", manner

        async with asyncio.timeout(5):
            await asyncio.gather(*map(slow, MANNERS))
            await app.left.wait()
        bodies = ("half a body", "dripped body", "dripped chunks")
        assert len(app.seen) == len(bodies) + 2 + 1  # and the two answers, and the early one


async def test_a_caller_that_takes_no_answer_is_cut_off() -> None:
    async with talking(ConnectionLimits(write_seconds=0.3)) as (caller, app, _):
        transport = caller.writer.transport
        assert isinstance(transport, asyncio.ReadTransport)
        transport.pause_reading()
        await caller.say("GET /endless HTTP/1.1\nHost: x\n\n")
        async with asyncio.timeout(WITHIN):
            await app.left.wait()


async def slowly_taken(caller: Wire) -> int:
    """Read at some 1 MB/s for two seconds; return the number of bytes."""
    taken = 0
    for _ in range(40):
        taken += len(await caller.reader.read(65_536))
        await asyncio.sleep(0.05)
    return taken


async def test_a_caller_that_takes_its_answer_slowly_is_served() -> None:
    """No write waits longer than the server allows."""
    async with talking(ConnectionLimits(write_seconds=0.5)) as (caller, app, _):
        await caller.say("GET /endless HTTP/1.1\nHost: x\n\n")
        assert await slowly_taken(caller) > 1_500_000
        assert not app.left.is_set()


async def pause() -> None:
    """Wait for a quarter of a patient server's deadlines."""
    await asyncio.sleep(0.4)


async def test_a_caller_that_is_only_slow_is_served() -> None:
    """Every part comes in time, and all together take longer than any of the deadlines."""
    patient = ConnectionLimits(head_seconds=1.5, body_seconds=1.5, idle_seconds=1.5)
    async with talking(patient) as (caller, _, _):
        await pause()
        for part in ("POST / HTTP/1.1\nHost: x\n", "Content-Length: 4\n\n", "ab", "cd"):
            await caller.say(part)
            await pause()
        assert (await caller.answer())[2] == b"abcd"


async def test_an_early_answer_is_read_though_the_body_goes_on() -> None:
    """The answer is not lost in a reset, nor are the next requests of the same connection."""
    async with talking(ConnectionLimits(linger_seconds=60)) as (caller, app, _):
        size = 3_000_000
        await caller.say(EARLY + f"Content-Length: {size}\n\n")
        assert (await caller.answer())[0] == 413
        await caller.say(b"x" * size)
        one = BODY.format(1)
        await caller.say(one + "a" + one + "b" + one + "c")
        assert [(await caller.answer())[2] for _ in range(3)] == [b"a", b"b", b"c"]
        assert app.seen == ["/early", "/", "/", "/"]


# --- too many --------------------------------------------------------------------------------


async def too_many(scope: Scope, receive: Receive, send: Send) -> None:
    await Response(b'"too many"', 429)(scope, receive, send)


FEW = ConnectionLimits(
    open_connections=2,
    connections=4,
    is_reserved=lambda scope: scope["path"] == "/health",
    busy=too_many,
)


async def connected(stack: contextlib.AsyncExitStack, url: str) -> Wire:
    return await stack.enter_async_context(wire(url))


async def until(reached: asyncio.Semaphore, number: int) -> None:
    async with asyncio.timeout(WITHIN):
        for _ in range(number):
            await reached.acquire()


async def test_silent_connections_give_way_to_callers() -> None:
    app = Echo()
    async with served(app, limits=FEW) as url, contextlib.AsyncExitStack() as stack:
        silent = [await connected(stack, url) for _ in range(20)]
        caller = await connected(stack, url)
        await caller.say("GET /health HTTP/1.1\nHost: x\n\n")
        assert (await caller.answer())[0] == 200
        assert await silent[0].end() == b""


async def test_the_longest_body_gives_way_first() -> None:
    app = Echo()
    async with served(app, limits=FEW) as url, contextlib.AsyncExitStack() as stack:
        slow = []
        for number in range(2):
            slow.append(await connected(stack, url))
            await slow[-1].say(HEAD.replace("/ ", f"/{number} ") + "Content-Length: 4\n\nab")
            await until(app.reading, 1)
        third = await connected(stack, url)
        await third.say(HEAD + "Content-Length: 2\n\nok")
        assert (await third.answer())[2] == b"ok"
        assert await slow[0].end() == b""
        await slow[1].say("cd")
        assert (await slow[1].answer())[2] == b"abcd"


async def test_when_all_are_at_work_the_next_is_dropped() -> None:
    app = Echo()
    limits = ConnectionLimits(open_connections=1, connections=1, busy=too_many)
    async with served(app, limits=limits) as url, contextlib.AsyncExitStack() as stack:
        first = await connected(stack, url)
        await first.say("GET /wait HTTP/1.1\nHost: x\n\n")
        await until(app.at_work, 1)
        second = await connected(stack, url)
        assert await second.end() == b""
        app.go_on.set()
        assert (await first.answer())[2] == b"done"


# --- bytes that are no HTTP ------------------------------------------------------------------


NO_HTTP = [
    "\x16\x03\x01 hello over TLS\n\n",
    "GET\n\n",
    "GET / HTTP/1.1\nHost : x\n\n",
    "GET / HTTP/1.1\nHost: x\nX: " + "a" * 200_000 + "\n\n",
    BODY.format("x"),
    HEAD + "Content-Length: 1\nContent-Length: 2\n\n",
    HEAD + "Transfer-Encoding: gzip\n\n",
]


async def test_malformed_requests_are_answered_in_our_shape() -> None:
    limits = ConnectionLimits(malformed=lambda fault: (400, b'{"code":40090003}'))
    async with talking(limits) as (_, app, url):
        for text in NO_HTTP:
            async with wire(url) as caller:
                with contextlib.suppress(ConnectionError):
                    await caller.say(text)
                assert await caller.error() == (400, {"code": 40090003}), text[:40]
                assert await caller.end() == b""
        assert app.seen == []


async def test_a_malformed_chunk_ends_the_connection() -> None:
    async with talking() as (caller, app, _):
        await caller.say(HEAD + "Transfer-Encoding: chunked\n\n2\nok\nzz\n")
        assert b'"malformed"' in await caller.end()
        async with asyncio.timeout(WITHIN):
            await app.left.wait()


async def test_an_upgrade_is_an_ordinary_request() -> None:
    async with talking() as (caller, _, _):
        await caller.say(
            "GET / HTTP/1.1\nHost: x\nConnection: Upgrade\nUpgrade: websocket\n"
            "Sec-WebSocket-Version: 13\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\n\n"
        )
        assert (await caller.answer())[0] == 200
