"""Real platforms get random requests: their only failures are the documented ones; they show no
secret and nothing of another account, and their memory does not grow."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import threading
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid4

import httpx
import pytest
from websockets.exceptions import WebSocketException

from pos_app import settings
from pos_app.bootstrap.platform.accounts import add_account, add_key
from pos_app.platform_api.keys import NewKey
from pos_app.wire import relay
from tests.integration.platform_api.hosted import Place
from tests.integration.platform_api.pictures import picture
from tests.integration.platform_api.relayed import ISSUE, METRICS_TOKEN, Reached, TillServer
from tests.proofs import Proof

LINES, OF_AN_ACCOUNT, PARTS = 16, 2000, 5
"""Requests at once; requests before the next account is used, so that lists stay short."""
WARM, FLAT_KB = 8000, 40_000
"""Requests after which all that is needed is loaded, and the growth of memory after them."""
CANARY = "Kanarinac-tuđeg-naloga"
_SECRET = re.compile(rb"[A-Za-z0-9_-]{43}")
_LOST = {50080001, 50010001}
VALUES: tuple[Any, ...] = (
    *(None, True, False, [], {}, 0, -1, 7, 58.9, 1e-9, 1e308, -0.0, 2**31, 2**63, 10**30),
    *("", " ", "Хлеб", "x" * 300, "a\x00b", "\ud800", "\u202eдам", "🥖" * 40, "58.90", "null"),
    *("2026-09-01T05:30:00.000Z", "0001-01-01T00:00:00Z", "2026-02-30", "' OR 1=1 --", "%s%n"),
    *("Ђ", "10:100000049", "../../etc/passwd", "\x01platform\x01", "1e400", "<b onload=a(1)>х</b>"),
)
BROKEN = (
    *(b"", b"{", b"nul", b"{}{}", b'{"a":1,"a":2}', b"[" * 5000, b"\xef\xbb\xbf{}", b"\x00"),
    *(b'{"name": NaN}', b'{"sku": 1e999}', b'"' + b"x" * 100_000 + b'"', b"{" + b" " * 200_000),
    *(b'{"name":"\\ud800"}', b'{"price":' + b"9" * 5000 + b"}", b"[" + b"1," * 20_000 + b"1]"),
)
HEADS = (
    *({"Content-Encoding": "gzip"}, {"Content-Type": "text/plain"}, {"If-Match": '"2026"'}),
    *({"If-None-Match": '"1", *'}, {"X-Forwarded-For": "1, 2"}, {"Origin": "null"}),
    *({"pfx": "eA==", "password": "x", "pac": "DEV123"}, {"X-Long": "x" * 9000}),
    *({"Authorization": "Basic !!"}, {"Authorization": "Bearer x"}, {"Range": "bytes=0-1"}),
)
RAW = (
    *(b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
    *(b"GET /health\r\n\r\n", b"\r\n\r\n\r\n", b"GET /%zz%00%ff HTTP/1.1\r\nHost: a\r\n\r\n"),
    b"POST /v2/products HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    b"POST /v2/products HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n",
    b"POST /v2/products HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{",
    b"GET / HTTP/1.1\r\nHost: a\r\nX: \xd0\xa5\r\n Y: folded\r\n\r\n",
    b"GET /health HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 300 + b"\r\n",
)


@dataclass
class Platform:
    """A program that serves. secrets: no answer or log may hold them; made: no line of the log."""

    folder: Path
    database_url: str
    process: subprocess.Popen[bytes]
    address: str = ""
    secrets: frozenset[bytes] = frozenset({METRICS_TOKEN.encode()})
    made: set[bytes] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    @property
    def memory_kb(self) -> int:
        told = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+)", told)[1])  # type: ignore[index]

    async def new_account(self) -> Reached:
        shop = settings.load(self.folder, platform_server={"database_url": self.database_url})
        key = await add_key(shop, await add_account(shop, "Налог"))
        self.secrets |= {key.secret.encode()}
        return Reached(self.address, NewKey(key.id, key.secret))

    def read_log(self) -> None:
        """Check the log to its end, in a thread: it may become long, and is not kept."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if {*_SECRET.findall(line)} & self.made or any(one in line for one in self.secrets):
                self.faults.append(f"a secret in the log: {line[:300]!r}")
            if b"Traceback" in line:
                told = b"".join(islice(self.process.stderr, 200))  # reads on until the end
                self.faults.append(f"a bug in the log: {told.decode()}")


@contextmanager
def serving(folder: Path, database_url: str) -> Iterator[Platform]:
    environment = {
        "POS_APP_PLATFORM_SERVER__DATABASE_URL": database_url,
        "POS_APP_PLATFORM_SERVER__METRICS_TOKEN": METRICS_TOKEN,
    }
    command = [sys.executable, "-m", "pos_app", "platform", "--data", str(folder), "--port", "0"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=os.environ | environment) as child:
        assert child.stdout is not None
        platform = Platform(folder, database_url, child)
        reader = threading.Thread(target=platform.read_log)
        reader.start()
        try:
            platform.address = child.stdout.readline().decode().strip()
            yield platform
        finally:
            child.terminate()
            reader.join()


async def settled(stranger: Reached) -> list[str]:
    """Make a row of each kind in an account that no other may see; return their ids."""
    name = {"name": CANARY}
    bodies: dict[str, dict[str, Any]] = {
        **dict.fromkeys(("/stores", "/categories", "/cashiers"), name),
        "/units": name | {"symbol": "к"},
        "/products": name | {"taxRateLabel": "Ђ", "sku": 7},
        "/keys": name | {"scopes": ["catalogue"]},
    }
    async with stranger.caller() as caller:
        made = [await caller.post(path, json=body) for path, body in bodies.items()]
        assert {one.status_code for one in made} == {201}
        return [one.json()["id"] for one in made]


async def seen(stranger: Reached) -> list[Any]:
    kinds = ("stores", "units", "categories", "cashiers", "products", "files", "keys")
    async with stranger.caller() as caller:
        lists = [(await caller.get(f"/{path}")).json() for path in kinds]
    return [{**row, "lastUsedAt": None} for rows in lists for row in rows]


@asynccontextmanager
async def application(at: Reached, client: str, chance: random.Random) -> AsyncIterator[None]:
    """Run a till's server that answers each command in one of the possible ways."""
    ways = (
        (200, '{"id":"r-1","invoiceNumber":"A-A-1","pdf":"r-1"}'),
        *((200, "[]"), (200, "no JSON"), (400, '{"code":40010001,"message":"Later"}')),
        (500, '{"code":50010001,"message":"Unknown"}'),
    )

    async def run() -> None:
        while True:
            with suppress(WebSocketException, OSError):
                async with TillServer.connected(at, client=client, install=client) as till:
                    while True:
                        message = await till.hears()
                        if isinstance(message, relay.CommandMessage):
                            status, body = chance.choice(ways)
                            await till.answer_text(message, body, status)

    task = asyncio.create_task(run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@dataclass
class Requests:
    """Draws requests. document: the platform's OpenAPI one. foreign: ids of another account."""

    chance: random.Random
    document: Mapping[str, Any]
    client: str
    foreign: Sequence[str]
    known: dict[str, deque[str]] = field(default_factory=dict)

    def next(self, own_key: str) -> tuple[str, str, dict[str, str], bytes]:
        """Return method, target, headers and body."""
        path, item = self._one(sorted(self.document["paths"].items()))
        method = self._one(sorted(item.keys() & {"get", "post", "put", "patch", "delete"}))
        headers, body = dict[str, str](), b""
        if self._is_now(3):
            headers["Idempotency-Key"] = self._one([f"key-{self.chance.randrange(200):016}", "no"])
        if "requestBody" in item[method]:
            content = item[method]["requestBody"]["content"]
            headers["Content-Type"] = "application/json"
            if path == "/v2/files":
                headers["Content-Type"] = self._one(["image/png", "image/jpeg"])
                body = self._spoilt(picture("PNG", size=(16, 16)))
            else:
                body = self._body(content.get("application/json", {}))
        while self._is_now(4):
            headers |= self._one(HEADS)
        target = self._filled(path) + self._query(item[method])
        if self._is_now(40):
            method = self._one(["head", "options", "trace", "post", "brew"])
        if method == "delete" and own_key in target:
            method = "get"  # otherwise no later request would be accepted
        return method.upper(), target, headers, body

    def note(self, target: str, row_id: object) -> None:
        self.known.setdefault(target.partition("?")[0], deque(maxlen=40)).append(str(row_id))

    def _filled(self, path: str) -> str:
        known = list(self.known.get(path.partition("/{")[0], ()))
        anybody = [str(UUID(int=self.chance.getrandbits(128), version=4)), self._text()]
        chosen = self._one(known if known and self._is_now(2) else [*self.foreign, *anybody])
        return re.sub(r"\{[^}]*\}", lambda _: _quoted(chosen), path)

    def _query(self, operation: Mapping[str, Any]) -> str:
        names = [one["name"] for one in operation.get("parameters", ()) if one.get("in") == "query"]
        if not names or self._is_now(3):
            return ""
        values = [self._text(), self.client, self._one(self.foreign)]
        said = f"{_quoted(self._one([*names, 'page']))}={_quoted(self._one(values))}"
        return f"?{said}&{said}" if self._is_now(10) else f"?{said}"

    def _body(self, content: Mapping[str, Any]) -> bytes:
        if self._is_now(12):
            return bytes(self._one(BROKEN))
        examples = [one["value"] for one in content.get("examples", {}).values()]
        document = dict(self._one(examples)) if examples else {}
        for code in ("sku", "ean"):
            document.pop(code, None)
        if "clientId" in document or self._is_now(2):
            document["clientId"] = self.client
        schema = str(content.get("schema", {}).get("$ref", "")).rpartition("/")[2]
        members = self.document["components"]["schemas"].get(schema, {}).get("properties", {})
        while self._is_now(2):
            value = self._one(VALUES)
            wrapped = self._one([value, [value], {"name": value}, self._one(self.foreign)])
            document[self._one([*members, *document, "unknown"])] = wrapped
        if self._is_now(6):
            document.pop(self._one([*document, ""]), None)
        return self._spoilt(json.dumps(document).encode())

    def _spoilt(self, content: bytes) -> bytes:
        made, at = bytearray(content), self.chance.randrange(len(content) + 1)
        if self._is_now(10):
            made[at : at + self.chance.randrange(3)] = self.chance.randbytes(2)
        return bytes(made)

    def _text(self) -> str:
        return str(self._one(VALUES))

    def _is_now(self, once_in: int) -> bool:
        return self.chance.randrange(once_in) == 0

    def _one(self, of: Sequence[Any]) -> Any:
        return of[self.chance.randrange(len(of))]


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


def fault_of(path: str, answer: httpx.Response, secrets: frozenset[bytes]) -> str:
    said = repr(answer.headers).encode() + answer.content
    if any(one in said for one in secrets):
        return "a secret, or what is another account's"
    if answer.status_code < 400 or "application/json" not in answer.headers.get("Content-Type", ""):
        return ""
    if not answer.content:
        return ""
    told = answer.json()
    if told["code"] // 100_000 != answer.status_code or not told["message"]:
        return "an error body that is none"
    is_documented = path.startswith(f"/v2{ISSUE}") and told["code"] in _LOST
    return "" if answer.status_code < 500 or is_documented else "a fault of the platform's own"


async def ask_one_account(
    platform: Platform, at: Reached, requests: Requests, count: int, secrets: frozenset[bytes]
) -> Counter[int]:
    """Send that many requests, some at once; return how often each status was answered."""
    left, statuses = count, Counter[int]()
    place = httpx.URL(platform.address)

    async def ask(caller: httpx.AsyncClient) -> None:
        nonlocal left
        while left > 0 and not platform.faults:
            left -= 1
            if requests.chance.randrange(25) == 0:
                reader, writer = await asyncio.open_connection(place.host, place.port)
                writer.write(requests.chance.choice(RAW))
                writer.write_eof()
                with suppress(TimeoutError, ConnectionError):
                    await asyncio.wait_for(reader.read(), 0.2)
                writer.transport.abort()
                continue
            method, target, headers, body = requests.next(at.key.id)
            url = f"{platform.address}{target}"
            answer = await caller.request(method, url, headers=headers, content=body)
            statuses[answer.status_code] += 1
            if fault := fault_of(target, answer, secrets):
                told = method, target, headers, body[:500], answer.status_code, answer.text[:500]
                platform.faults.append(f"{fault}: {told}")
            if answer.status_code == 201:
                made = answer.json()
                requests.note(target, made.get("id"))
                if target.startswith("/v2/keys"):
                    platform.made.add(made["secret"].encode())

    async with at.caller() as caller:
        caller.timeout = httpx.Timeout(120)
        await asyncio.gather(*(ask(caller) for _ in range(LINES)))
    return statuses


async def ask_at_random(platform: Platform, count: int, seed: str, proof: Proof) -> Counter[int]:
    chance = random.Random(f"{seed} {bool(platform.database_url)}")
    stranger = await platform.new_account()
    foreign = await settled(stranger)
    before, statuses, warm_kb, asked = await seen(stranger), Counter[int](), 0, 0
    async with stranger.caller() as caller:
        document = (await caller.get(f"{platform.address}/openapi.json")).json()
    while asked < count and not platform.faults:
        at, client = await platform.new_account(), str(uuid4())
        requests = Requests(chance, document, client, foreign)
        secrets = platform.secrets | {CANARY.encode(), json.dumps(CANARY)[1:-1].encode()}
        some = min(OF_AN_ACCOUNT, count - asked)
        async with application(at, client, chance):
            statuses += await ask_one_account(platform, at, requests, some, secrets)
        platform.secrets -= {at.key.secret.encode()}
        asked, proof.tried = asked + some, proof.tried + some
        if asked <= WARM:
            warm_kb = platform.memory_kb
    assert platform.memory_kb - warm_kb < FLAT_KB, (warm_kb, platform.memory_kb)
    assert await seen(stranger) == before
    return statuses


@pytest.mark.long
@pytest.mark.deadline(7000)
@pytest.mark.parametrize("part", range(PARTS))
async def test_random_requests(database: Place, part: int, times: int, proof: Proof) -> None:
    """On both databases together it makes a thousand times the tries of other tests of faults."""
    count = times * 1000 // (2 * PARTS)
    with serving(database.folder, database.address) as platform:
        statuses = await ask_at_random(platform, count, f"{part}", proof)
        assert platform.process.poll() is None
    assert not platform.faults, "\n".join(platform.faults[:3])
    for status in (200, 201, 400, 401, 404, 405, 409, 500):
        assert statuses[status] or count < WARM, statuses
