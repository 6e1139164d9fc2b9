"""Real platforms get random requests, right and wrong, a thousand times as many as `--times`.

Their only failures are the documented ones; they show no secret and nothing of another account, and
their memory does not grow.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import random
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from pos_app import settings
from pos_app.bootstrap.platform.accounts import add_account, add_key
from pos_app.wire import relay
from tests.fakes.no_tls import NO_TLS
from tests.integration.platform_api import random_requests
from tests.integration.platform_api.hosted import DatabasePlace
from tests.integration.platform_api.pictures import picture
from tests.proofs import Proof

LINES = 16
OF_AN_ACCOUNT = 2000
"""Requests before the next account is used, so that lists stay short."""
PARTS = 5
WARM, FLAT_KB = 8000, 40_000
"""The requests after which a program has loaded all that it needs, and the growth of its memory
allowed after them."""
CANARY = "Kanarinac-tuđeg-naloga"
METRICS_TOKEN = "a-token-of-metrics-that-nobody-tells"
_SECRET = re.compile(rb"[A-Za-z0-9_-]{43}")
_LOST = 50080001


@dataclass
class Platform:
    """A program that serves. secrets: neither an answer nor the log may hold them; made: the
    secrets of keys, each in one answer and in no line of the log."""

    folder: Path
    database_url: str
    address: str
    process: subprocess.Popen[bytes]
    secrets: frozenset[bytes] = frozenset()
    made: set[bytes] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    @property
    def place(self) -> tuple[str, int]:
        told = urlsplit(self.address)
        return str(told.hostname), int(told.port or 0)

    @property
    def memory_kb(self) -> int:
        told = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+)", told)[1])  # type: ignore[index]

    async def new_key(self) -> tuple[str, str]:
        shop = settings.load(self.folder, platform_server={"database_url": self.database_url})
        key = await add_key(shop, await add_account(shop, "Налог"))
        self.secrets |= {key.secret.encode()}
        return key.id, key.secret

    def caller(self, credentials: tuple[str, str]) -> httpx.AsyncClient:
        base = f"{self.address}/v2"
        return httpx.AsyncClient(
            base_url=base, auth=credentials, trust_env=False, verify=NO_TLS, timeout=30
        )

    def show_faults(self) -> None:
        if self.faults:
            pytest.fail("\n".join(self.faults[:3]), pytrace=False)

    def read_log(self) -> None:
        """Check the log to its end, in a thread: it may become long, and is not kept."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            words = {*_SECRET.findall(line)}
            if words & self.made or any(one in line for one in self.secrets):
                self.faults.append(f"a secret in the log: {line[:300]!r}")
            if b"Traceback" in line:
                told = b"".join(islice(self.process.stderr, 200))  # reads on until the program ends
                self.faults.append(f"a bug in the log: {told.decode()}")


@contextmanager
def serving(folder: Path, database_url: str) -> Iterator[Platform]:
    environment = {
        "POS_APP_PLATFORM_SERVER__DATABASE_URL": database_url,
        "POS_APP_PLATFORM_SERVER__METRICS_TOKEN": METRICS_TOKEN,
    }
    command = [sys.executable, "-m", "pos_app", "platform", "--data", str(folder), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | environment
    ) as child:
        assert child.stdout is not None
        platform = Platform(folder, database_url, "", child, frozenset({METRICS_TOKEN.encode()}))
        reader = threading.Thread(target=platform.read_log)
        reader.start()
        try:
            platform.address = child.stdout.readline().decode().strip()
            yield platform
        finally:
            child.terminate()
            reader.join()


@dataclass
class Stranger:
    """An account that no other may see: its key, the ids of its rows, and all that it reads."""

    platform: Platform
    credentials: tuple[str, str]
    ids: list[str] = field(default_factory=list)

    async def settle(self) -> None:
        name = {"name": CANARY}
        bodies: dict[str, dict[str, Any]] = {
            "/stores": name,
            "/units": name | {"symbol": "к"},
            "/categories": name,
            "/cashiers": name,
            "/products": name | {"taxRateLabel": "Ђ", "sku": 7},
            "/keys": name | {"scopes": ["catalogue"]},
        }
        async with self.platform.caller(self.credentials) as caller:
            for path, body in bodies.items():
                made = await caller.post(path, json=body)
                assert made.status_code == 201, made.text
                self.ids.append(made.json()["id"])
            kind = {"Content-Type": "image/png"}
            content = picture("PNG", size=(16, 16))
            file = await caller.post(f"/files?filename={CANARY}.png", content=content, headers=kind)
            self.ids.append(file.json()["id"])

    async def sees(self) -> list[Any]:
        found = []
        async with self.platform.caller(self.credentials) as caller:
            for path in ("stores", "units", "categories", "cashiers", "products", "files", "keys"):
                rows = (await caller.get(f"/{path}")).json()
                found += [{**row, "lastUsedAt": None} for row in rows]
        return found


@asynccontextmanager
async def application(
    platform: Platform, credentials: tuple[str, str], client: str, chance: random.Random
) -> AsyncIterator[None]:
    """Run a till's server that answers each command in one of the possible ways."""

    async def run() -> None:
        while True:
            with suppress(WebSocketException, OSError):
                await _answering(platform, credentials, client, chance)

    task = asyncio.create_task(run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _answering(
    platform: Platform, credentials: tuple[str, str], client: str, chance: random.Random
) -> None:
    told = base64.b64encode(":".join(credentials).encode()).decode()
    async with connect(
        f"ws{platform.address.removeprefix('http')}/v2/relay",
        additional_headers={"Authorization": f"Basic {told}"},
        proxy=None,
        compression=None,
    ) as line:
        hello = relay.HelloMessage(version=relay.VERSION, client_id=client, install_id=client)
        await line.send(relay.written(hello))
        async for frame in line:
            message = relay.from_platform(frame)
            if isinstance(message, relay.CommandMessage):
                await line.send(relay.written(_answer_to(message, chance)))


def _answer_to(command: relay.CommandMessage, chance: random.Random) -> relay.FromApplication:
    of: dict[str, Any] = {"command_id": command.command_id, "attempt": command.attempt}
    status, body = chance.choices(
        [
            (200, '{"id":"r-1","invoiceNumber":"A-A-1","pdf":"r-1"}'),
            (200, "[]"),
            (400, '{"code":40010001,"message":"Later"}'),
            (200, "no JSON"),
            (404, '{"code":40400001,"message":"No such receipt"}'),
            (500, '{"code":50010001,"message":"Unknown"}'),
            (0, ""),
        ],
        (12, 2, 2, 1, 1, 1, 1),
    )[0]
    if not status:
        return relay.DeclinedMessage(**of, reason="Too late.")
    return relay.AnswerMessage(**of, status=status, body=body)


def fault_of(
    asked: random_requests.Asked, answered: random_requests.Answered, secrets: frozenset[bytes]
) -> str:
    if answered.status == 0:
        return "" if asked.may_hang_up else "no answer"
    said = answered.head + answered.body
    if any(one in said for one in secrets):
        return "a secret, or what is another account's"
    if answered.status < 400 or not answered.body or b"application/json" not in answered.head:
        return ""
    told = json.loads(answered.body)
    if told["code"] // 100_000 != answered.status or not told["message"]:
        return "an error body that is none"
    is_documented = asked.is_receipt and told["code"] in {_LOST, 50010001}
    return "" if answered.status < 500 or is_documented else "a fault of the platform's own"


async def ask_one_account(
    platform: Platform, requests: random_requests.Requests, count: int, secrets: frozenset[bytes]
) -> Counter[int]:
    """Send that many requests on some connections at once; return how often each status was
    answered."""
    left, statuses = count, Counter[int]()

    async def ask(line: random_requests.Connection) -> None:
        nonlocal left
        while left > 0 and not platform.faults:
            left -= 1
            path, asked = requests.next()
            answered = await line.ask(asked)
            statuses[answered.status] += 1
            if fault := fault_of(asked, answered, secrets):
                told = asked.raw[:2000], answered.status, answered.body[:500]
                platform.faults.append(f"{fault}: {told}")
            if answered.status == 201:
                requests.note(path, answered.body)
                if path.startswith("/v2/keys"):
                    platform.made.add(json.loads(answered.body)["secret"].encode())
        line.close()

    await asyncio.gather(*(ask(random_requests.Connection(*platform.place)) for _ in range(LINES)))
    return statuses


async def ask_at_random(platform: Platform, count: int, seed: str, proof: Proof) -> Counter[int]:
    chance = random.Random(f"{seed} {bool(platform.database_url)}")
    stranger = Stranger(platform, await platform.new_key())
    await stranger.settle()
    before, statuses, warm_kb = await stranger.sees(), Counter[int](), 0
    pictures = [picture(kind, size=(16, 16)) for kind in ("PNG", "JPEG")]
    async with platform.caller(stranger.credentials) as caller:
        document = (await caller.get(f"{platform.address}/openapi.json")).json()
    asked = 0
    while asked < count and not platform.faults:
        credentials, client = await platform.new_key(), str(uuid4())
        requests = random_requests.Requests(
            chance, document, credentials, client, pictures, stranger.ids
        )
        secrets = platform.secrets | {CANARY.encode(), json.dumps(CANARY)[1:-1].encode()}
        some = min(OF_AN_ACCOUNT, count - asked)
        async with application(platform, credentials, client, chance):
            statuses += await ask_one_account(platform, requests, some, secrets)
        platform.secrets -= {credentials[1].encode()}
        asked, proof.tried = asked + some, proof.tried + some
        if asked <= WARM:
            warm_kb = platform.memory_kb
    assert platform.memory_kb - warm_kb < FLAT_KB, (warm_kb, platform.memory_kb)
    assert await stranger.sees() == before
    return statuses


async def check(folder: Path, address: str, count: int, seed: str, proof: Proof) -> Counter[int]:
    with serving(folder, address) as platform:
        statuses = await ask_at_random(platform, count, seed, proof)
        platform.show_faults()
        assert platform.process.poll() is None
    platform.show_faults()
    return statuses


@pytest.mark.long
@pytest.mark.deadline(7000)
@pytest.mark.parametrize("part", range(PARTS))
async def test_random_requests(
    database: DatabasePlace, part: int, times: int, proof: Proof
) -> None:
    """On both databases together it makes a thousand times the tries of other tests of faults."""
    count = times * 1000 // (2 * PARTS)
    statuses = await check(database.folder, database.address, count, f"{part}", proof)
    for status in (200, 201, 400, 401, 404, 405, 409, 500):
        assert statuses[status] or count < WARM, statuses
