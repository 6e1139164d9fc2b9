"""One exchange over a real socket: whether anything was sent is known, and what came is whole."""

from __future__ import annotations

import asyncio
import itertools
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from pos_app.adapters import http_exchange
from pos_app.adapters.http_exchange import HttpExchange
from tests.fakes.mail_server import certificates
from tests.integration.fiscalization.shop import unreachable

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
MOST = 10_000


def http(content: bytes, *headers: str, status: int = 200) -> bytes:
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(content)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + content


@asynccontextmanager
async def answering(serve: Serve) -> AsyncIterator[int]:
    """Handle each connection like this; yield the port."""
    tasks = set[asyncio.Task[None]]()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            await serve(reader, writer)
        except ConnectionError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.gather(*tasks)


@pytest.mark.parametrize("url", ["ftp://127.0.0.1", "http://", "127.0.0.1:80", "http://a:b"])
async def test_where_nobody_can_be_nothing_is_sent(url: str) -> None:
    for address in (await unreachable(), url):
        exchange = HttpExchange(address, trust=None, connect_seconds=3, headers={})
        with pytest.raises(http_exchange.NotConnected):
            await exchange.ask("POST", "/", body=b"{}", largest=MOST)


@asynccontextmanager
async def cut_way(to: int, sizes: list[int], gone: asyncio.Event) -> AsyncIterator[int]:
    """A way to a port that ends without a word after so many bytes; yields its own port."""

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, on = await asyncio.open_connection("127.0.0.1", to)

        async def there() -> None:
            while data := await reader.read(65536):
                on.write(data)
            on.write_eof()  # else the server waits half a minute for the end of the caller's side

        going, left = asyncio.create_task(there()), sizes[0]
        try:
            while left and (data := await back.read(left)):
                writer.write(data)
                left -= len(data)
            await writer.drain()
        finally:
            for one in (writer, on):
                one.transport.abort()
            going.cancel()
            gone.set()

    async with await asyncio.start_server(carry, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


@pytest.mark.deadline(120)
@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.long), 59])
async def test_what_may_have_been_read_is_never_not_sent(tmp_path: Path, step: int) -> None:
    """It ends within handshake, tickets, or answer."""
    made = certificates(tmp_path)
    trust = ssl.create_default_context(cafile=str(made.authority))
    came = [0]

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            await reader.readuntil(b"{}")
            came[0] += 1
            writer.write(http(b"whole"))
            await writer.drain()
        writer.close()

    endings = list[str]()
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=made.server)
    async with server:
        port = server.sockets[0].getsockname()[1]
        sizes, gone = [0], asyncio.Event()
        async with cut_way(port, sizes, gone) as way:
            for size in itertools.count(step=step):
                sizes[0], came[0] = size, 0
                gone.clear()
                exchange = HttpExchange(
                    f"https://localhost:{way}", trust=trust, connect_seconds=3, headers={}
                )
                try:
                    await exchange.ask("POST", "/", body=b"{}", largest=MOST)
                    endings.append("answered")
                except http_exchange.NotConnected:
                    endings.append("not sent")
                except http_exchange.AnswerLost:
                    endings.append("lost")
                await exchange.close()
                await gone.wait()
                assert endings[-1] != "not sent" or came == [0], size
                if endings[-1] == "answered":
                    break
    order = [ending for ending, _ in itertools.groupby(endings)]
    assert order == ["not sent", "lost", "answered"]
