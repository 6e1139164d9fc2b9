"""The guard where it stands: on the wire, in front of the real routes."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import logging
import re
import socket
from collections.abc import Mapping
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from pos_app import log
from pos_app.adapters.http_server.protocol import ConnectionLimits
from pos_app.local_api.access_rules import TILL
from pos_app.local_api.app import handlers_of
from pos_app.selling.people.rights import Act
from tests.fakes.no_tls import NO_TLS
from tests.integration.local_api.test_receipts import KEYED, SALE, is_sending
from tests.integration.local_api.wires import Running, running, until, wire
from tests.integration.platform_api.serving import key_of_new_account, serving_quietly
from tests.integration.test_server_program import program

SHOP = "https://shop.example"
PAGE = {"Origin": SHOP, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
RECEIPTS = "/fiscalization/receipts"
MOST = 1024 * 1024


HOSTILE = [
    ({"Host": "evil.example:9999"}, 421, 42100001, "server.names"),
    ({"Host": "evil.example"}, 421, 42100001, "server.names"),
    ({"Origin": "https://evil.example"}, 403, 40300001, "server.origins"),
    ({"Origin": "null"}, 403, 40300001, "server.origins"),
    ({"Sec-Fetch-Site": "cross-site"}, 403, 40300001, "server.origins"),
    ({"Content-Type": "text/plain"}, 400, 40090003, "Content-Type"),
    ({"Content-Encoding": "gzip"}, 400, 40090003, "Content-Encoding"),
    ({"X-Pos-Token": "guess"}, 401, 40100001, "Unauthorized"),
    ({"X-Pos-Install": "another"}, 421, 42100001, "X-Pos-Install"),
]


async def test_refused_requests_reach_nothing(folder: Path) -> None:
    async with running(folder) as server:
        for headers, status, code, names in HOSTILE:
            answer = await server.issue(SALE, headers=headers)
            body = answer.json()
            assert (answer.status_code, body["code"]) == (status, code)
            named = [names] if names.startswith("Content-") else []
            assert body["validation"].get("headers", {}).get("keys", []) == named
            assert names in body["message"]
            assert "access-control-allow-origin" not in answer.headers
            assert server.shop.journal.restores.tip.rows == 0
            assert server.shop.ledger() == []
            refusal = server.context.refused_requests.latest()[0]
            assert refusal.message == body["message"]
            assert refusal.path == RECEIPTS
            assert refusal.origin == headers.get("Origin", "")


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


async def test_a_body_too_large_is_refused_before_it_comes_and_while_it_comes(folder: Path) -> None:
    limits = ConnectionLimits(linger_seconds=0.3)
    async with running(folder, limits=limits) as server:
        async with wire(server.url) as caller:
            await caller.say(head(server, f"Content-Length: {MOST + 1}", "Expect: 100-continue"))
            status, body = await caller.error()
            assert (status, body["code"]) == (413, 41300001)
        async with wire(server.url) as caller:
            await caller.say(head(server, "Transfer-Encoding: chunked"))
            chunk = b"40000\r\n" + b" " * 0x40000 + b"\r\n"
            for _ in range(5):
                await caller.say(chunk)
            status, body = await caller.error()
            assert (status, body["code"]) == (413, 41300001)
            assert await caller.end() == b""
        assert server.shop.journal.restores.tip.rows == 0
        padded = json.dumps(SALE).encode().ljust(MOST)
        assert len(padded) == MOST
        headers = {"Content-Type": "application/json"}
        answer = await server.ask("POST", RECEIPTS, content=padded, headers=headers)
        assert answer.status_code == 200


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


async def test_a_caller_that_closed_before_its_turn_is_not_signed_for(folder: Path) -> None:
    """It may have ended its side before it closes; a byte of the answer tells that it is gone."""
    async with running(folder) as server:
        for place, (key, has_ended) in enumerate(product(("", 16 * "k"), (False, True))):
            order, before = SALE | {"payments": {"cash": 500 + place}}, len(server.shop.ledger())
            body, name = json.dumps(order).encode(), key and f"{key}-{place}"
            lines = (f"Idempotency-Key: {name}",) if key else ()
            server.shop.fault("late_answer", seconds=0.8)
            first = asyncio.create_task(server.issue(SALE | {"payments": {"cash": 300 + place}}))
            await until(lambda: is_sending(server))
            async with wire(server.url) as caller:
                caller.writer.write(head(server, f"Content-Length: {len(body)}", *lines) + body)
                await caller.writer.drain()
                if has_ended:
                    caller.writer.write_eof()
                if has_ended or key:
                    await until(lambda: len(server.shop.journal.open_requests()) == 2)
            assert (await first).status_code == 200
            await until(lambda: not server.shop.journal.open_requests())
            assert len(server.shop.ledger()) == before + 1
            headers = {"Idempotency-Key": name} if key else {}
            assert (await server.issue(order, headers=headers)).status_code == 200
            assert len(server.shop.ledger()) == before + 2


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


async def test_a_receipt_in_flight_is_answered_though_the_server_stops(folder: Path) -> None:
    async with contextlib.AsyncExitStack() as stack:
        async with running(folder) as server:
            caller = await stack.enter_async_context(wire(server.url))
            server.shop.fault("late_answer", seconds=0.4)
            body = json.dumps(SALE).encode()
            await caller.say(head(server, f"Content-Length: {len(body)}") + body)
            await until(lambda: is_sending(server))
        assert (await caller.answer())[0] == 200


# --- acts of the till ----------------------------------------------------------------------------
LAN = "lan-secret-lan-secret"
FEWEST = 30


def calls(service: str, *methods: str) -> list[str]:
    return [f"POST {TILL}{service}/{method}" for method in methods]


DOORS: Mapping[Act, frozenset[str]] = {
    Act.REFUND: frozenset(), Act.REFUND_BY_HAND: frozenset(), Act.QUEUE: frozenset(),
    Act.DISCOUNT: frozenset(), Act.PRICE: frozenset(), Act.REMOVE_WHILE_PAYING: frozenset(),
    Act.TRAINING: frozenset(), Act.CATALOGUE: frozenset(), Act.X_REPORT: frozenset(),
    Act.CLOSE_SHIFT: frozenset(), Act.CASH_IN_OUT: frozenset(),
    Act.DROP_CART: frozenset({"POST /till/cancel"}),
    Act.DRAWER: frozenset(calls("papers", "open_drawer")),
    Act.REPRINT: frozenset(calls("jobs", "again", "print_all")),
    Act.DECIDE: frozenset(
        {
            "POST /till/alarms/1/seen", "POST /till/doubts/1/absent", "POST /till/doubts/1/again",
            "POST /till/doubts/1/reverse", "POST /till/element", "POST /till/restored/close",
        }
    ),
    Act.REPORTS: frozenset(calls("receipts", "report")),
    Act.SETTINGS: frozenset(
        {
            *calls("mail", "send_trial", "keep_password"),
            *calls("printers", "try_out", "print_page", "change"),
            *calls("platform", "try_out", "change", "keys", "add_key", "rotate_key", "revoke_key"),
            *calls("platform", "add_store", "change_store"),
            *calls("processor", "try_out", "change"), *calls("local_api", "keep_secret"),
        }
    ),
}  # fmt: skip
"""The endpoints behind each act of the table of rights; none where the till alone keeps it."""
NEED_NO_RIGHT = frozenset(
    {
        *calls("mail", "setup"), *calls("platform", "setup"),
        *calls("printers", "setup", "found_printers"),
        "POST /till/doubts/1/correct", "POST /till/doubts/1/found", "POST /till/doubts/1/lookup",
        *calls("local_api", "refused_callers", "requests", "secrets"),
        *calls("jobs", "not_done", "end_of", "seen", "papers", "end_all"),
        *calls("papers", "print", "pdf", "opened"),
        *calls("processor", "setup", "enter_pin"),
        *calls("receipts", "receipt", "elsewhere", "advances", "page", "turnover", "choices"),
        *calls("receipts", "waiting"),
        "POST /till/remembers",
        "POST /till/reopen", "POST /till/stop", "POST /till/witness",
    }
)  # fmt: skip
"""Endpoints for everybody at the till, and those that the till calls by itself."""


def tills(server: Running) -> list[tuple[str, str]]:
    service, context = server.shop.service, server.context
    answering = handlers_of(service=service, context=context, door=server.door)
    served = [one for each in answering for one in each.endpoints()]
    return [
        (one.method, re.sub(r"\{[^}]*\}", "1", one.path))
        for one in served
        if one.path.startswith(TILL)
    ]


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


@pytest.mark.deadline(120)
async def test_each_of_them_is_refused_to_whoever_is_not_this_till(folder: Path) -> None:
    async with running(folder, lan_token=LAN) as server:
        asked = tills(server)
        assert len(asked) >= FEWEST, asked
        answered = []
        async with httpx.AsyncClient(base_url=server.url, trust_env=False, verify=NO_TLS) as line:
            for name, headers in callers(server).items():
                for method, path in asked:
                    body: dict[str, str] | None = {} if method == "POST" else None
                    answer = await line.request(method, path, headers=headers, json=body)
                    if answer.status_code not in (401, 403, 421):
                        answered.append((name, method, path, answer.status_code))
        assert answered == []
        assert server.shop.journal.restores.tip.rows == 0
        assert server.shop.ledger() == []
        assert not server.stopped.is_set()


async def test_each_endpoint_that_changes_something_belongs_to_an_act(folder: Path) -> None:
    """A new endpoint is put behind a right, or listed as one that needs none."""
    async with running(folder) as server:
        asked = {f"{method} {path}" for method, path in tills(server) if method != "GET"}
    assert set(DOORS) == set(Act)
    behind = [door for doors in DOORS.values() for door in doors]
    assert sorted([*behind, *NEED_NO_RIGHT]) == sorted(asked)


async def test_no_other_spelling_of_a_path_leads_there(folder: Path) -> None:
    async with running(folder, lan_token=LAN) as server:
        for path in (
            "/till",
            "/till/",
            "//till/status",
            "/./till/status",
            "/pdf/../till/status",
            "/%74ill/status",
            "/till%2Fstatus",
            "/TILL/status",
            "/health/../till/status",
            "/fiscalization/receipts/../../till/status",
            "/till/status/",
            "/till/status?x=1",
        ):
            for headers in ({}, {"X-Pos-Token": LAN}):
                answer = await server.ask("GET", path, headers=headers)
                assert answer.status_code in (400, 401, 404, 405), (path, answer.status_code)
        allowed = await server.ask("GET", "/till/status", headers=server.till)
        assert allowed.status_code == 200


# --- ids of requests that never reach an application, and two lengths of one body ---
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
