"""Both HTTP servers, byte by byte: the id of requests that never reach the application, and a
request with two lengths of its body."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import socket
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit

from pos_app import log
from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.wires import running, wire
from tests.integration.platform_api.serving import key_of_new_account, serving_quietly
from tests.integration.test_server_program import program

TWO_LENGTHS = (
    "POST {path} HTTP/1.1\nHost: {host}\nContent-Type: application/json\n"
    "Content-Length: 4\nTransfer-Encoding: chunked\n\n"
    "0\n\nGET /health HTTP/1.1\nHost: {host}\n\n"
)
TURNED = TWO_LENGTHS.replace(
    "Content-Length: 4\nTransfer-Encoding: chunked", "transfer-encoding: chunked\ncontent-length: 4"
)


async def _is_refused(url: str, text: str) -> None:
    """The answer is 400, and the connection is closed: nothing behind it is taken for a request."""
    async with wire(url) as caller:
        await caller.say(text)
        status, headers, body = await caller.answer()
        assert (status, headers["connection"]) == (400, "close"), body
        assert json.loads(body)["code"] == 40090003
        assert headers["x-request-id"]
        assert await caller.end() == b""


async def test_the_local_api_takes_no_second_length(folder: Path) -> None:
    async with running(folder) as server:
        host = f"127.0.0.1:{server.port}"
        for text in (TWO_LENGTHS, TURNED):
            await _is_refused(server.url, text.format(path="/fiscalization/receipts", host=host))


def half_sent(address: str, *lines: str) -> tuple[int, bytes]:
    """Return status and body of the answer to a POST without its last byte; its caller ends the
    writing side, and still reads."""
    place = urlsplit(address)
    told = ("Content-Type: application/json", "Content-Length: 20", *lines)
    head = "\r\n".join((f"POST {place.path} HTTP/1.1", f"Host: {place.netloc}", *told, "", ""))
    with socket.create_connection((place.hostname, place.port), timeout=10) as line:
        line.sendall(head.encode() + b'{"name": "P", "x": ')
        line.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: line.recv(4096), b""))
    begun, _, body = answer.partition(b"\r\n\r\n")
    return int(begun.split()[1]), body


def test_a_platform_takes_no_second_length_and_no_body_that_was_cut(folder: Path) -> None:
    key = ":".join(key_of_new_account(folder)).encode()
    authorization = f"Authorization: Basic {base64.b64encode(key).decode()}"
    with serving_quietly(folder) as address:
        for text in (TWO_LENGTHS, TURNED):
            asyncio.run(_is_refused(address, text.format(path="/v2/stores", host="platform")))
        status, body = half_sent(f"{address}/v2/stores", authorization)
    assert (status, b'"code":40800001' in body) == (408, True)
    assert "Traceback" not in folder.with_name("platform.log").read_text(encoding="utf-8")


def test_the_development_processor_takes_no_body_that_was_cut(folder: Path) -> None:
    with program("processor", "--data", str(folder), "--port", "0") as (_, address):
        assert half_sent(f"{address}/api/v3/invoices") == (408, b'"late"')


async def test_each_answer_of_the_local_api_has_an_id(folder: Path) -> None:
    async with running(folder) as server:
        host = f"127.0.0.1:{server.port}"
        for text in (
            f"GET /health HTTP/1.1\nHost: {host}\n\n",
            f"GET /nowhere HTTP/1.1\nHost: {host}\n\n",
            "GET /health HTTP/1.1\nHost: evil.example\n\n",
            f"OPTIONS /health HTTP/1.1\nHost: {host}\n\n",
        ):
            async with wire(server.url) as caller:
                await caller.say(text.replace("\n\n", "\nX-Request-Id: mine-1\n\n"))
                _, headers, _ = await caller.answer()
            assert headers["x-request-id"] == "mine-1", text
        async with wire(server.url) as caller:  # two ids count as none
            await caller.say(
                f"GET /health HTTP/1.1\nHost: {host}\n" + "X-Request-Id: a1\n" * 2 + "\n"
            )
            _, headers, _ = await caller.answer()
        assert headers["x-request-id"] not in ("a1", "a1, a1")
        async with wire(server.url) as caller:
            await caller.say("hello\n\n")
            _, headers, _ = await caller.answer()
        assert len(headers["x-request-id"]) == 24


async def test_a_fault_stands_in_the_log_under_its_id(folder: Path) -> None:
    written = StringIO()
    before = logging.getLogger().handlers[:]
    async with running(folder) as server:
        server.shop.fault("sign_then_drop")
        log.configure(stream=written)
        try:
            answer = await server.issue(SALE, headers={"X-Request-Id": "read-out"})
        finally:
            logging.getLogger().handlers[:] = before
        assert answer.status_code == 500
    told = (
        "a request was answered with a fault method=POST route=/fiscalization/receipts status=500"
    )
    assert f"{told} request=read-out" in written.getvalue()
