"""Public mode with real programs: whoever is killed on the way, each key has one receipt.

A caller asks the platform, which relays to the till's server, which asks the processor. The server
is killed after the hand-over, the worker with its callers; then the same key is asked again.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from pos_app.pfr_emulator.ledger import read_entries
from pos_app.platform_api.relay.routes import NOBODY
from tests.e2e.shop import PATIENCE, Program, Shop
from tests.fakes.no_tls import NO_TLS
from tests.fakes.postgresql import postgresql
from tests.ports import free_ports
from tests.proofs import Proof

DELAY = 0.2
"""Seconds that the processor takes for a receipt."""
SALE = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 200},
    "items": [{"sku": 1, "quantity": 1, "unitPrice": 58.99}],
    "receiptDelivery": {"pdf": False},
}


@dataclass
class Town:
    """A platform with its workers, and a shop whose server is connected to the first of them."""

    shop: Shop
    folder: Path
    database: str = ""
    ports: list[int] = field(default_factory=lambda: free_ports(2))
    workers: dict[int, Program] = field(default_factory=dict)
    credentials: tuple[str, str] = ("", "")
    server: Program = field(init=False)

    def open(self) -> None:
        """Account and key, the shop's settings, one worker for each of `ports`."""
        account = self._told("account", "add", "Town")["account"]
        key = self._told("key", "add", account)
        self.credentials = key["key"], key["secret"]
        with (self.shop.data / "settings.toml").open("a", encoding="utf-8") as file:
            file.write(
                f'[platform]\nurl = "{self.url(0)}"\nkey = "{key["key"]}"\npublic_mode = true\n'
            )
        secrets = self.shop.data / "secrets.toml"
        secrets.touch(0o600)
        secrets.write_text(f'platform_secret = "{key["secret"]}"\n', encoding="utf-8")
        for number in range(len(self.ports)):
            self.start_worker(number)

    def _words(self, *after: str) -> list[str]:
        words = ["-m", "pos_app", "platform", *after, "--data", str(self.folder)]
        return [*words, *(["--database-url", self.database] if self.database else [])]

    def _told(self, *words: str) -> dict[str, str]:
        program = self.shop.run(*self._words(*words), "--json", name="words")
        assert program.wait() == 0, program.errors()
        told: dict[str, str] = json.loads(" ".join(program.lines()[-1]))
        return told

    def start_worker(self, number: int) -> None:
        words = [*self._words(), "--port", str(self.ports[number])]
        program = self.shop.run(*words, name=f"worker-{number}")
        program.until(lambda: program.lines("http") or program.is_over)
        self.workers[number] = program

    def url(self, number: int) -> str:
        return f"http://127.0.0.1:{self.ports[number]}/v2"

    @property
    def client(self) -> str:
        told = json.loads((self.shop.data / "client.json").read_bytes())
        return str(told["client_id"])

    @property
    def signed(self) -> list[str]:
        """The numbers of all receipts that the processor has made."""
        return [entry.number for entry in read_entries(self.shop.ledger_folder)]

    def post(self, key: str, *, worker: int = 0, **members: Any) -> httpx.Response:
        """Raises httpx.TransportError where the worker is gone."""
        with httpx.Client(trust_env=False, verify=NO_TLS, timeout=30.0) as caller:
            return caller.post(
                f"{self.url(worker)}/fiscalization/receipts",
                json=SALE | {"clientId": self.client} | members,
                headers={"Idempotency-Key": key},
                auth=self.credentials,
            )

    def until_issued(self, key: str, *, worker: int = 0) -> str:
        """The number that the key has in the end; nothing but "wait" and "unknown" before."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self.post(key, worker=worker)
            except httpx.TransportError:
                assert time.monotonic() < end, "the worker does not answer"
                continue
            if answer.status_code == httpx.codes.OK:
                return str(answer.json()["invoiceNumber"])
            told = answer.json()
            assert told["class"] in ("wait", "unknown"), told
            assert time.monotonic() < end, told
            time.sleep(0.1)

    def told_to_the_till(self) -> tuple[str, str]:
        """State and clientId of public mode, as the till reads them of its server."""
        install = json.loads((self.shop.data / "install.json").read_bytes())
        headers = {"X-Pos-Token": install["token"], "X-Pos-Install": install["install_id"]}
        with httpx.Client(trust_env=False, verify=NO_TLS, timeout=30.0) as till:
            told = till.get(f"{self.shop.url}/till/status", headers=headers).json()["publicMode"]
        return told["state"], told["clientId"]

    def connected(self, *, worker: int = 0) -> None:
        """Wait until the shop's server is."""
        assert self.until_issued(uuid.uuid4().hex, worker=worker)


@contextmanager
def town_of(shop: Shop, database: str = "", workers: int = 1) -> Iterator[Town]:
    town = Town(shop, shop.folder / "town", database, ports=free_ports(workers))
    town.open()
    shop.processor()
    town.server = shop.server()
    yield town


@pytest.mark.faults
def test_whoever_is_killed_on_the_way_each_key_has_one_receipt(
    swift: Shop, times: int, proof: Proof
) -> None:
    chance = Random(4711)
    with town_of(swift) as town, ThreadPoolExecutor(1) as callers:
        town.connected()
        assert town.told_to_the_till() == ("connected", town.client)
        swift.change(delay_ms=int(DELAY * 1000))
        for number in range(max(4, times // 8)):
            victim = ("server", "worker")[number % 2]
            key, before = uuid.uuid4().hex, len(town.signed)
            asking: Future[httpx.Response] = callers.submit(town.post, key)
            _let_go_on(chance.uniform(0.0, 2 * DELAY))
            if victim == "server":
                town.server.kill()
                town.server = swift.server()
            else:
                town.workers[0].kill()
                town.start_worker(0)
            first = _seen(asking)
            issued = town.until_issued(key)
            if first is not None and first.status_code == httpx.codes.OK:
                assert first.json()["invoiceNumber"] == issued
            made = town.signed[before:]
            proof.count(signed=len(made))
            assert made == [issued], (victim, made, issued)


def _let_go_on(seconds: float) -> None:
    """The kill comes anywhere on the way."""
    time.sleep(seconds)


def _seen(asking: Future[httpx.Response]) -> httpx.Response | None:
    """What the caller saw; None where its worker was killed. "No" is never said of a doubt."""
    try:
        answer = asking.result(PATIENCE)
    except httpx.TransportError:
        return None
    if answer.status_code == httpx.codes.BAD_REQUEST:
        assert answer.json()["class"] == "wait", answer.text
    elif answer.status_code != httpx.codes.OK:
        assert answer.json()["code"] in (50080001, 50010001), answer.text
        assert answer.json()["receiptId"]
    return answer


def test_two_workers_of_one_platform_and_the_till_sells_meanwhile(swift: Shop) -> None:
    with ExitStack() as stack:
        address = stack.enter_context(postgresql())
        town = stack.enter_context(town_of(swift, address, workers=2))
        town.connected(worker=1)
        before = len(town.signed)
        robot = swift.robot(total=4)  # the till's own sales go on
        keys = [uuid.uuid4().hex for _ in range(6)]
        with ThreadPoolExecutor(3) as callers:
            issued = list(callers.map(lambda key: town.until_issued(key, worker=1), keys))
        assert robot.wait() == 0, robot.errors()
        assert len(set(issued)) == len(keys)
        assert len(town.signed) == before + len(keys) + 4
        town.workers[0].kill()  # to which the server is connected
        assert [town.until_issued(key, worker=1) for key in keys] == issued
        fresh = uuid.uuid4().hex
        end = time.monotonic() + PATIENCE
        while (told := town.post(fresh, worker=1).json())["code"] != 40080001:
            assert told["class"] == "unknown", told  # its end is noticed by its missing beat
            assert time.monotonic() < end
        assert told["message"] == NOBODY
        town.start_worker(0)
        assert town.until_issued(fresh, worker=1) not in issued
        assert len(town.signed) == before + len(keys) + 5
