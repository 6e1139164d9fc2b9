"""One exchange over a real socket: whether anything was sent is known, and what came is whole."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import socket
import ssl
import struct
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest

from pos_app.adapters import http_exchange
from pos_app.adapters.http_exchange import HttpExchange
from tests.fakes.mail_server import certificates
from tests.integration.fiscalization.shop import unreachable

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
CONTENT = b'{"number": 1}' * 100
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


@asynccontextmanager
async def served(serve: Serve, *, kept: int = 0) -> AsyncIterator[HttpExchange]:
    async with answering(serve) as port:
        url = f"http://127.0.0.1:{port}/base/"
        exchange = HttpExchange(url, trust=None, connect_seconds=3, headers={}, kept=kept)
        try:
            yield exchange
        finally:
            await exchange.close()


def says(answer: bytes, *, heard: list[bytes] | None = None, times: int = 1) -> Serve:

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(times):
            head = await reader.readuntil(b"\r\n\r\n")
            if heard is not None:
                heard.append(head)
            writer.write(answer)
            await writer.drain()

    return serve


@pytest.mark.parametrize(
    ("coding", "content"),
    [
        ("gzip", gzip.compress(CONTENT, mtime=0)),
        ("x-gzip", gzip.compress(CONTENT, mtime=0)),
        ("deflate", zlib.compress(CONTENT)),
        ("deflate", zlib.compress(CONTENT, wbits=-15)),
        ("deflate, gzip", gzip.compress(zlib.compress(CONTENT), mtime=0)),
        ("identity", CONTENT),
    ],
)
async def test_what_was_compressed_unasked_is_read(coding: str, content: bytes) -> None:
    async with served(says(http(content, f"Content-Encoding: {coding}"))) as exchange:
        answer = await exchange.ask("GET", "/", largest=MOST)
        assert answer.content == CONTENT


@pytest.mark.parametrize(
    "answer",
    [
        http(b"x" * (MOST + 1)),
        http(gzip.compress(b"x" * (MOST + 1), mtime=0), "Content-Encoding: gzip"),
    ],
    ids=["plain", "gzip"],
)
async def test_an_answer_without_measure_is_not_taken(answer: bytes) -> None:
    async with served(says(answer)) as exchange:
        with pytest.raises(http_exchange.TooLarge):
            await exchange.ask("GET", "/", largest=MOST)


@pytest.mark.parametrize(
    "answer",
    [
        b"SSH-2.0-OpenSSH\r\n\r\n",
        http(b"no gzip", "Content-Encoding: gzip"),
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    ],
)
async def test_what_is_no_answer_of_http_is_lost(answer: bytes) -> None:
    async with served(says(answer)) as exchange:
        with pytest.raises(http_exchange.AnswerLost):
            await exchange.ask("POST", "/", body=b"{}", largest=MOST)


def resets(answer: bytes) -> Serve:

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        line: socket.socket = writer.get_extra_info("socket")
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    return serve


async def test_an_answer_that_came_whole_counts_though_its_line_was_reset() -> None:
    async with served(resets(http(CONTENT))) as exchange:
        asking = asyncio.create_task(exchange.ask("POST", "/", body=b"{}", largest=MOST))
        assert (await asking).content == CONTENT
    async with served(resets(b"")) as exchange:
        with pytest.raises(http_exchange.AnswerLost) as failed:
            await exchange.ask("POST", "/", body=b"{}", largest=MOST)
    assert any(isinstance(one, ConnectionResetError) for one in causes_of(failed.value))


def causes_of(error: BaseException) -> Iterator[BaseException]:
    while (cause := error.__cause__ or error.__context__) is not None:
        yield cause
        error = cause


@pytest.mark.parametrize("url", ["ftp://127.0.0.1", "http://", "127.0.0.1:80", "http://a:b"])
async def test_where_nobody_can_be_nothing_is_sent(url: str) -> None:
    for address in (await unreachable(), url):
        exchange = HttpExchange(address, trust=None, connect_seconds=3, headers={})
        with pytest.raises(http_exchange.NotConnected):
            await exchange.ask("POST", "/", body=b"{}", largest=MOST)


@pytest.mark.parametrize(
    ("base", "host", "path", "pair"),
    [
        ("http://[::1]:81/a/", "[::1]:81", "/a/x", ""),
        (
            "http://127.0.0.1:8888/v 3/пфр%20",
            "127.0.0.1:8888",
            "/v%203/%D0%BF%D1%84%D1%80%20/x",
            "",
        ),
        ("https://ana:t%40j@пфр.example/v3", "xn--o1acl.example", "/v3/x", "YW5hOnRAag=="),
    ],
)
async def test_each_form_of_address_is_asked(base: str, host: str, path: str, pair: str) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert (request.headers["Host"], request.url.raw_path.decode()) == (host, path)
        assert request.headers.get("Authorization", "") == (pair and f"Basic {pair}")
        return httpx.Response(200, stream=httpx.ByteStream(b"told"))

    network = httpx.MockTransport(answer)
    exchange = HttpExchange(base, trust=None, connect_seconds=3, headers={}, transport=network)
    assert (await exchange.ask("GET", "/x", largest=MOST)).content == b"told"


@pytest.mark.parametrize(
    "answer",
    [
        http(CONTENT[:40]),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n0\r\n\r\n",
    ],
    ids=["length", "chunked"],
)
async def test_an_answer_is_lost_wherever_it_is_cut(answer: bytes) -> None:
    for size in range(len(answer)):
        async with served(says(answer[:size])) as exchange:
            with pytest.raises(http_exchange.AnswerLost):
                await exchange.ask("POST", "/", body=b"{}", largest=MOST)
    async with served(says(answer)) as exchange:
        assert (await exchange.ask("POST", "/", body=b"{}", largest=MOST)).status == 200


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
