"""The guard where it stands: on the wire, in front of the real routes."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from pos_app.adapters.http_server.protocol import ConnectionLimits
from tests.integration.local_api.test_receipts import KEYED, SALE, is_sending
from tests.integration.local_api.wires import Running, running, until, wire
from tests.integration.test_server_program import program

SHOP = "https://shop.example"
PAGE = {"Origin": SHOP, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
RECEIPTS = "/fiscalization/receipts"


# --- pages that may --------------------------------------------------------------------------
def cors_in(answer: httpx.Response) -> list[str]:
    return [name for name in answer.headers if name.startswith("access-control")]


async def test_an_allowed_page_is_told_so_and_nobody_else(folder: Path) -> None:
    asked = PAGE | {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,idempotency-key",
        "Access-Control-Request-Private-Network": "true",
    }
    async with running(folder, origins=(SHOP,)) as server:
        answer = await server.ask("OPTIONS", RECEIPTS, headers=asked)
        assert (answer.status_code, answer.content) == (204, b"")
        assert answer.headers["access-control-allow-origin"] == SHOP
        assert "POST" in answer.headers["access-control-allow-methods"]
        assert "Idempotency-Key" in answer.headers["access-control-allow-headers"]
        assert answer.headers["access-control-allow-private-network"] == "true"
        assert answer.headers["vary"] == "Origin"
        assert "access-control-allow-credentials" not in answer.headers
        other = await server.ask("OPTIONS", RECEIPTS, headers=asked | {"Origin": "https://x.rs"})
        assert (other.status_code, cors_in(other)) == (403, [])
        plain = PAGE | {"Content-Type": "text/plain"}
        for body, headers, status in ((SALE, PAGE, 200), ({}, PAGE, 400), (SALE, plain, 400)):
            answer = await server.issue(body, headers=headers)
            assert answer.status_code == status
            assert answer.headers["access-control-allow-origin"] == SHOP
        assert cors_in(await server.issue(SALE)) == []


# --- bytes ---------------------------------------------------------------------------------------
def head(server: Running, *lines: str, host: str | None = None) -> bytes:
    named = host or f"127.0.0.1:{server.port}"
    first = (f"POST {RECEIPTS} HTTP/1.1", f"Host: {named}", "Content-Type: application/json")
    return "\r\n".join((*first, *lines, "", "")).encode()


ODD_HEADS = [
    ("GET /health HTTP/1.1\n\n", 421, 42100001),
    ("GET /health HTTP/1.0\n\n", 421, 42100001),
    ("GET /health HTTP/1.1\nHost: a\nHost: b\n\n", 421, 42100001),
    ("GET http://evil.example/health HTTP/1.1\nHost: evil.example\n\n", 421, 42100001),
    ("GET http://evil.example/health HTTP/1.1\nHost: 127.0.0.1:PORT\n\n", 421, 42100001),
    ("GET http://127.0.0.1:PORT/health HTTP/1.1\nHost: evil.example\n\n", 421, 42100001),
    ("GET http://x@127.0.0.1:PORT/health HTTP/1.1\nHost: 127.0.0.1:PORT\n\n", 421, 42100001),
    ("GET https://127.0.0.1:PORT/health HTTP/1.1\nHost: 127.0.0.1:PORT\n\n", 404, 40400001),
    ("POST http://127.0.0.1:PORT/till/stop HTTP/1.1\nHost: 127.0.0.1:PORT\n\n", 401, 40100001),
    ("hello\n\n", 400, 40090003),
]


async def test_odd_heads_are_answered_in_our_shape(folder: Path) -> None:
    """Callers that take us for a proxy send the whole address in the first line."""
    async with running(folder) as server:
        ours = f"127.0.0.1:{server.port}"
        for text, status, code in ODD_HEADS:
            async with wire(server.url) as caller:
                await caller.say(text.replace("PORT", str(server.port)))
                told, body = await caller.error()
            assert (told, body["code"], body["validation"]) == (status, code, {}), text
            if "Host" not in text and status == 421:
                assert body["message"].startswith('the request has no "Host"')
        for path, status in (("/health", 200), ("/openapi.json?a", 200), ("", 404)):
            for scheme in ("http", "HTTP"):
                async with wire(server.url) as caller:
                    await caller.say(f"GET {scheme}://{ours}{path} HTTP/1.1\nHost: {ours}\n\n")
                    assert (await caller.answer())[0] == status


async def test_a_caller_that_ends_before_its_body_is_answered_at_once(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    body = json.dumps(SALE).encode()
    too_long = f"Content-Length: {len(body) + 1}", body
    chunk = "Transfer-Encoding: chunked", f"{len(body):x}\r\n".encode() + body
    async with running(folder) as server:
        for line, sent in (too_long, chunk, ("Content-Length: 5", b"")):
            async with wire(server.url) as caller:
                await caller.say(head(server, line) + sent)
                caller.writer.write_eof()
                status, told = await caller.error()
                assert (status, told["code"], told["class"]) == (408, 40800001, "wait"), line
                assert await caller.end() == b""
        assert server.shop.journal.restores.tip.rows == 0
        assert (await server.issue(SALE)).status_code == 200
    assert not [one for one in caplog.records if one.levelname == "ERROR"]


async def _whole_and_ended(server: Running, *lines: str) -> dict[str, Any]:
    body = json.dumps(SALE).encode()
    async with wire(server.url) as caller:
        caller.writer.write(head(server, f"Content-Length: {len(body)}", *lines) + body)
        caller.writer.write_eof()
        status, _, answer = await caller.answer()
        assert status == 200, answer
        assert await caller.end() == b""
        receipt: dict[str, Any] = json.loads(answer)
        return receipt


async def test_a_caller_that_ends_its_side_after_its_request_is_answered(folder: Path) -> None:
    """As `nc -N` does. It has read its answer, so the same body is another sale."""
    async with running(folder) as server:
        server.shop.fault("late_answer", seconds=0.3)
        keyed = [await _whole_and_ended(server, "Idempotency-Key: " + 16 * "k") for _ in range(2)]
        assert keyed[0] == keyed[1]
        assert (await server.issue(SALE, headers={"Idempotency-Key": 16 * "k"})).json() == keyed[0]
        server.shop.fault("late_answer", seconds=0.3)
        made = await asyncio.gather(*(_whole_and_ended(server) for _ in range(4)))
        assert len({one["invoiceNumber"] for one in made}) == 4
        assert len(server.shop.ledger()) == 5


async def test_health_answers_though_every_open_place_is_taken(folder: Path) -> None:
    limits = ConnectionLimits(open_connections=1, connections=4)
    async with running(folder, limits=limits) as server, wire(server.url) as caller:
        server.shop.fault("late_answer", seconds=0.6)
        body = json.dumps(SALE).encode()
        await caller.say(head(server, f"Content-Length: {len(body)}") + body)
        await until(lambda: is_sending(server))
        too_many = await server.issue(SALE, headers=KEYED)
        told: dict[str, Any] = too_many.json()
        assert (too_many.status_code, told["code"], told["class"]) == (429, 42900001, "wait")
        assert int(too_many.headers["Retry-After"]) > 0
        assert (await server.ask("GET", "/health")).status_code == 200
        status = await server.ask("GET", "/till/status", headers=server.till)
        assert status.status_code == 200
        assert (await caller.answer())[0] == 200
        assert len(server.shop.ledger()) == 1


# --- acts of the till ----------------------------------------------------------------------------
LAN = "lan-secret-lan-secret"


def callers(server: Running) -> dict[str, dict[str, str]]:
    install = server.till["X-Pos-Install"]
    return {
        "nobody": {},
        "a guess": {"X-Pos-Token": "guess"},
        "another machine's program": {"X-Pos-Token": LAN},
        "one that read whose server it is": {"X-Pos-Token": LAN, "X-Pos-Install": install},
        "a name without a token": {"X-Pos-Install": install},
        "a till of another shop": server.till | {"X-Pos-Install": "another"},
        "a web page": server.till | {"Origin": "https://evil.example"},
    }


# --- ids of requests that never reach an application, and two lengths of one body ---


def half_sent(address: str, *lines: str) -> tuple[int, bytes]:
    """Send a POST without its last byte and end the writing side; return status and body."""
    place = urlsplit(address)
    told = ("Content-Type: application/json", "Content-Length: 20", *lines)
    head = "\r\n".join((f"POST {place.path} HTTP/1.1", f"Host: {place.netloc}", *told, "", ""))
    with socket.create_connection((place.hostname, place.port), timeout=10) as line:
        line.sendall(head.encode() + b'{"name": "P", "x": ')
        line.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: line.recv(4096), b""))
    begun, _, body = answer.partition(b"\r\n\r\n")
    return int(begun.split()[1]), body


def test_the_development_processor_takes_no_body_that_was_cut(folder: Path) -> None:
    with program("processor", "--data", str(folder), "--port", "0") as (_, address):
        assert half_sent(f"{address}/api/v3/invoices") == (408, b'"late"')
