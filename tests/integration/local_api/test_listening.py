"""The addresses a server listens on, other programs on its port, and its end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pos_app.adapters.http_server import serving
from pos_app.adapters.http_server.listening import listen, reachable
from pos_app.adapters.http_server.serving import listening, serve, stop_on_signals
from pos_app.errors import PortTaken, SettingsBroken
from tests.fakes.no_tls import NO_TLS
from tests.integration.local_api.wires import WITHIN, running, served, wire


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
    """Serve, and stop at once; raises what keeps the server from starting."""
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
    """Return the addresses on which anybody listens at that port, as the kernel writes them."""
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


async def test_the_same_port_again_right_after_its_end() -> None:
    async with served(APP) as url, served(APP) as other, wire(url) as caller:
        assert url != other
        assert await get(f"{other}/hello") == "/hello"
        await caller.say("GET /hello HTTP/1.1\nHost: x\n\n")
        await caller.answer()
    await start(port_of(url))


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


async def test_our_own_server_on_the_port(folder: Path) -> None:
    async with running(folder) as server:
        with pytest.raises(PortTaken) as taken:
            await start(server.port)
    assert taken.value.values["by"] == "ourselves"


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


async def test_a_cancelled_server_leaves_nothing_behind() -> None:
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(
        serve(APP, host="127.0.0.1", port=0, ready=address.set_result, stop=asyncio.Event())
    )
    async with wire(await address) as caller:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await caller.end() == b""
    await start(port_of(address.result()))


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
    """The port is tried a hundred times a second, and a program that drains holds it for
    minutes."""
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
