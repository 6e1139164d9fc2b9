"""A tenant that asks for the largest lists and writes the largest products slows others down by a
bounded factor. All programs are real."""

from __future__ import annotations

import asyncio
import http.client
import json
import subprocess
import sys
import time
import uuid
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy import insert, select, update

from pos_app.adapters.clock import SystemClock
from pos_app.bootstrap.platform.accounts import FOLDER
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.tables import ACCOUNT, API_KEY, CATEGORY, PRODUCT
from tests.bench.machine import cpu_seconds
from tests.e2e.hostile_tenant import large_product
from tests.e2e.shop import PATIENCE, Shop
from tests.e2e.test_hostile_tenants import ended, tenant
from tests.e2e.town import Town
from tests.fakes.postgresql import postgresql
from tests.ports import free_ports
from tests.proofs import Proof, at

LARGE_PRODUCTS, SMALL_PRODUCTS, CATEGORIES = 11, 30_000, 1_500
TURNS, TURN_SECONDS, FIRST_SECONDS = 5, 5.0, 1.5
AT_MOST = 3.0
"""The factor by which a neighbour may be slower."""


async def fill(town: Town, credentials: tuple[str, str]) -> None:
    """Give an account a list of large rows after small ones, 20 MB each, and one that an answer
    from memory holds just so."""
    database = await Database.open(town.database, folder=town.folder / FOLDER)
    now = SystemClock().now()
    try:
        async with database.writing() as connection:
            owner = select(API_KEY.c.account_id).where(API_KEY.c.id == credentials[0])
            account = (await connection.execute(owner)).scalar_one()
            for table, count in ((PRODUCT, SMALL_PRODUCTS), (CATEGORY, CATEGORIES)):
                rows = [
                    {
                        "id": str(uuid.uuid4()),
                        "account_id": account,
                        "number": number,
                        "revision": 0,
                        "created_at": now,
                        "updated_at": now,
                        "document": json.dumps(
                            {"id": str(number), "name": "Артикал " * 32}, ensure_ascii=False
                        ),
                    }
                    for number in range(1, count + 1)
                ]
                await connection.execute(insert(table), rows)
            counted = update(ACCOUNT).where(ACCOUNT.c.id == account)
            await connection.execute(counted.values(revision=SMALL_PRODUCTS, written_at=now))
    finally:
        await database.close()
    async with httpx.AsyncClient(auth=credentials, trust_env=False, timeout=60) as caller:
        for _ in range(LARGE_PRODUCTS):
            headers = {"Content-Type": "application/json"}
            made = await caller.post(
                f"{town.url(0)}/products", content=large_product(), headers=headers
            )
            assert made.status_code == 201, made.text


@dataclass
class Quiet:
    """A shop with twenty products and a connected till, which asks one thing after another. took:
    milliseconds by kind of request."""

    town: Town
    credentials: tuple[str, str]
    client: str = field(default_factory=lambda: str(uuid.uuid4()))
    took: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    tag: str = ""
    product: str = ""
    price: int = 100

    def __post_init__(self) -> None:
        place = urlsplit(self.town.url(0))
        self._line = http.client.HTTPConnection(str(place.hostname), place.port, timeout=60)
        self._basic = f"Basic {b64encode(':'.join(self.credentials).encode()).decode()}"
        for number in range(20):
            body = {"name": f"Артикал {number}", "taxRateLabel": "Ђ", "price": 100}
            self.product = self.ask("POST", "/products", body)["id"]
        self.took.clear()

    @contextmanager
    def till(self) -> Iterator[None]:
        """A till that answers each command at once, in a process of its own."""
        address = self.town.url(0).removesuffix("/v2")
        words = ("-m", "tests.bench.relay", address, self._basic)
        pipe = subprocess.PIPE
        with subprocess.Popen((sys.executable, *words), stdin=pipe, stdout=pipe) as child:
            assert child.stdin is not None
            assert child.stdout is not None
            child.stdin.write(json.dumps([self.client]).encode() + b"\n")
            child.stdin.flush()
            assert child.stdout.readline() == b"connected\n"
            yield
            child.stdin.close()
        self._line.close()

    def ask(
        self, method: str, path: str, body: object = None, *, kind: str = "", **headers: str
    ) -> dict[str, str]:
        began = time.monotonic()
        told = {"Authorization": self._basic, "Content-Type": "application/json"}
        told |= {name.replace("_", "-"): value for name, value in headers.items()}
        self._line.request(method, f"/v2{path}", json.dumps(body) if body else None, told)
        answer = self._line.getresponse()
        content = answer.read()
        self.took[kind].append((time.monotonic() - began) * 1000)
        assert answer.status in (200, 201, 304), content
        self.tag = answer.headers.get("ETag", self.tag)
        found = json.loads(content) if content else {}
        return found if isinstance(found, dict) else {}

    def round(self) -> None:
        self.price += 1
        self.ask("GET", "/products", kind="list")
        self.ask("GET", "/products", kind="known", If_None_Match=self.tag)
        self.ask("PATCH", f"/products/{self.product}", {"price": self.price}, kind="patch")
        sale = {"clientId": self.client, "items": [{"sku": 1}]}
        key = {"Idempotency_Key": uuid.uuid4().hex}
        self.ask("POST", "/fiscalization/receipts", sale, kind="receipt", **key)

    def turn(self, seconds: float = TURN_SECONDS) -> dict[str, list[float]]:
        """Ask for so many seconds."""
        self.took.clear()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.round()
        return {**self.took, "all": [one for kind in self.took.values() for one in kind]}


def settle(worker: int) -> None:
    """Wait until the worker has nothing to do, also for callers that are gone."""
    until = time.monotonic() + PATIENCE
    while True:
        before = cpu_seconds(worker)
        time.sleep(0.5)
        if cpu_seconds(worker) - before < 0.05:
            return
        assert time.monotonic() < until, "the worker goes on"


@contextmanager
def started(shop: Shop, address: str) -> Iterator[Town]:
    """A platform as it is started, with nobody connected."""
    town = Town(shop, shop.folder / "town", address, ports=free_ports(1))
    town.start_worker(0)
    yield town
    town.workers[0].stop()


@pytest.mark.long
@pytest.mark.alone
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_tenant_with_the_largest_lists_slows_others_little(
    shop: Shop, kind: str, proof: Proof, record_property: Callable[[str, object], None]
) -> None:
    with ExitStack() as stack:
        address = stack.enter_context(postgresql()) if kind == "postgresql" else ""
        town = stack.enter_context(started(shop, address))
        hostile = town.another_account("Lists")
        asyncio.run(fill(town, hostile))
        quiet = Quiet(town, town.another_account("Quiet"))
        stack.enter_context(quiet.till())
        quiet.turn(FIRST_SECONDS)
        alone, beside = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
        answers = Counter[str]()
        for _ in range(TURNS):
            settle(town.workers[0].child.pid)
            for name, took in quiet.turn().items():
                alone[name] += took
            with tenant(town, "lists", hostile) as other:
                quiet.turn(FIRST_SECONDS)  # until all of its requests have begun
                for name, took in quiet.turn().items():
                    beside[name] += took
                answers.update(ended(other))
        told = {
            f"{name} p{percent}": (at(alone[name], percent), at(beside[name], percent))
            for name in alone
            for percent in (50, 95)
        }
        for name, (before, with_it) in told.items():
            words = f"{before:.1f} ms alone, {with_it:.1f} beside: {with_it / before:.1f}"
            record_property(f"{kind} {name}", words)
        record_property(f"{kind} answers of the other one", json.dumps(answers))
        proof.tried += len(alone["all"]) + len(beside["all"])
        assert answers["kilobytes"] > TURNS * 10, "it gets its lists meanwhile"
        assert answers["201"], answers
        for name, (before, with_it) in told.items():
            if name.endswith("p50") or name.startswith("all"):
                assert with_it <= AT_MOST * before, (name, told, answers)
