"""Callers that are slow, silent, endless or too many cost a connection for a short time; the
addresses a server listens on, other programs on its port, and its end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from pos_app.adapters.http_server import serving
from pos_app.adapters.http_server.listening import listen, reachable
from pos_app.adapters.http_server.protocol import ConnectionLimits
from pos_app.adapters.http_server.serving import listening, serve, stop_on_signals
from pos_app.errors import PortTaken, SettingsBroken
from tests.fakes.no_tls import NO_TLS
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


# --- addresses, a port that is taken, and the end ---
async def hello(request: Request) -> PlainTextResponse:
    return PlainTextResponse(request.url.path)


APP = Starlette(routes=[Route("/hello", hello)])


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as door:
            door.bind(("::1", 0))
    except OSError:
        return False
    return True


needs_ipv6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")


def port_of(url: str) -> int:
    port = urlsplit(url).port
    assert port is not None
    return port


async def start(port: int, host: str = "127.0.0.1") -> None:
    stop = asyncio.Event()
    await serve(APP, host=host, port=port, ready=lambda _: stop.set(), stop=stop)


async def get(url: str) -> str:
    async with httpx.AsyncClient(verify=NO_TLS, trust_env=False, timeout=WITHIN) as client:
        return (await client.get(url)).text


ANSWERING = {
    **dict.fromkeys(("127.0.0.1", "localhost", "::1"), ("127.0.0.1", "[::1]")),
    **dict.fromkeys(("0.0.0.0", "::"), ("127.0.0.1", "127.0.0.2", "[::1]")),
}


@needs_ipv6
async def test_the_loopback_is_both_addresses_on_one_port_and_any_address_is_all() -> None:
    for host, names in ANSWERING.items():
        async with served(APP, host=host) as url:
            port = port_of(url)
            assert url == f"http://127.0.0.1:{port}"
            for name in names:
                assert await get(f"http://{name}:{port}/hello") == "/hello", host


def listening_on(port: int) -> list[str]:
    rows = [
        line.split()
        for name in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]
    ]
    doors = [row[1].rpartition(":") for row in rows if row[3] == "0A"]
    return [address for address, _, number in doors if int(number, 16) == port]


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux who listens")
async def test_only_the_loopback_is_reached() -> None:
    async with served(APP) as url:
        listening = listening_on(port_of(url))
    assert set(listening) <= {"0100007F", "00000000000000000000000001000000"}
    assert "0100007F" in listening


# --- a port that is taken ----------------------------------------------------------------------
async def test_a_stranger_that_answers() -> None:
    answers: list[Response] = [
        JSONResponse({"service": "something else"}),
        JSONResponse(["pos-app-server"]),
        PlainTextResponse("pos-app-server"),
        PlainTextResponse("[" * 100_000),
    ]

    async def tell(request: Request) -> Response:
        return answers.pop()

    async with served(Starlette(routes=[Route("/health", tell)])) as url:
        while answers:
            with pytest.raises(PortTaken) as taken:
                await start(port_of(url))
            assert taken.value.values["by"] == "stranger"


async def test_nobody_takes_the_port_from_a_server() -> None:
    async with served(APP) as url:
        for address in ("127.0.0.1", "0.0.0.0"):
            with socket.socket() as thief:
                thief.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                thief.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                with pytest.raises(OSError, match="in use"):
                    thief.bind((address, port_of(url)))
        assert await get(f"{url}/hello") == "/hello"


@pytest.mark.parametrize("host", ["192.0.2.1", "name.invalid"])
async def test_an_address_that_is_not_ours(host: str) -> None:
    with pytest.raises(SettingsBroken, match=host):
        await start(0, host)


@pytest.mark.parametrize(
    ("host", "name"),
    [("0.0.0.0", "127.0.0.1"), ("::", "127.0.0.1"), ("fd00::7", "[fd00::7]"), ("kasa", "kasa")],
)
def test_how_a_server_is_reached(host: str, name: str) -> None:
    assert reachable(host) == name


# --- the end -----------------------------------------------------------------------------------
@contextlib.asynccontextmanager
async def stoppable(app: Starlette, grace: int = 5) -> AsyncIterator[tuple[str, asyncio.Event]]:
    stop = asyncio.Event()
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    async with asyncio.TaskGroup() as group:
        group.create_task(
            serve(
                app,
                host="127.0.0.1",
                port=0,
                ready=address.set_result,
                stop=stop,
                grace_seconds=grace,
            )
        )
        yield await address, stop
        stop.set()


async def longer_than_it_takes_to_stop() -> None:
    """A plain pause: a server that waits does nothing that could be waited for."""
    await asyncio.sleep(0.4)


async def test_what_is_in_flight_is_answered() -> None:
    began, go_on = asyncio.Event(), asyncio.Event()

    async def work(request: Request) -> PlainTextResponse:
        await request.body()
        began.set()
        await go_on.wait()
        return PlainTextResponse("done")

    app = Starlette(routes=[Route("/work", work, methods=["GET", "POST"])])
    async with (
        stoppable(app) as (url, stop),
        wire(url) as caller,
        wire(url) as idle,
        wire(url) as half,
    ):
        await half.say("POST /work HTTP/1.1\nHost: x\nContent-Length: 9\n\nhal")
        await caller.say("GET /work HTTP/1.1\nHost: x\n\n")
        await began.wait()
        stop.set()
        assert await idle.end() == b""
        assert await half.end() == b""
        with pytest.raises(httpx.ConnectError):
            await get(f"{url}/hello")
        await longer_than_it_takes_to_stop()
        go_on.set()
        assert (await caller.answer())[2] == b"done"
        assert await caller.end() == b""


async def test_who_never_ends_is_let_go_after_the_grace() -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    async def work(request: Request) -> PlainTextResponse:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        raise AssertionError

    app = Starlette(routes=[Route("/work", work)])
    async with stoppable(app, grace=1) as (url, stop), wire(url) as caller:
        await caller.say("GET /work HTTP/1.1\nHost: x\n\n")
        await began.wait()
        stop.set()
        async with asyncio.timeout(WITHIN):
            await ended.wait()


async def test_signals_set_the_event_and_are_given_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    for number in (signal.SIGTERM, signal.SIGINT):
        stop = asyncio.Event()
        with stop_on_signals(stop):
            os.kill(os.getpid(), number)
            async with asyncio.timeout(WITHIN):
                await stop.wait()
    assert signal.getsignal(signal.SIGTERM) is before


async def test_a_port_is_waited_for_however_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is tried a hundred times a second, and a program that drains holds it for minutes."""
    monkeypatch.setattr(serving, "_LOOK_SECONDS", 0)
    others, looks = listen("127.0.0.1", 0), 0
    port = others[0].getsockname()[1]

    def waits() -> bool:
        nonlocal looks
        looks += 1
        if looks == 3 * sys.getrecursionlimit():
            for one in others:
                one.close()
        return True

    for one in await listening("127.0.0.1", port, waits=waits):
        one.close()
    assert looks >= 3 * sys.getrecursionlimit()
