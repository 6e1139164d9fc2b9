"""A platform with its workers, and a shop whose server is connected to it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from pos_app.pfr_emulator.ledger import read_entries
from tests.e2e.shop import Program, Shop, ask, sale, until
from tests.ports import free_ports

SALE = sale()


@dataclass
class Town:
    """A platform, and a shop connected to its first worker. of_each: workers of a program."""

    shop: Shop
    folder: Path
    database: str = ""
    of_each: int = 1
    ports: list[int] = field(default_factory=lambda: free_ports(2))
    workers: dict[int, Program] = field(default_factory=dict)
    credentials: tuple[str, str] = ("", "")
    server: Program = field(init=False, repr=False)

    def open(self, *, join: str) -> None:
        """Make account, key, settings and workers. join: what happens to the shop's articles."""
        self.credentials = self.another_account("Town")
        self.shop.join(self.url(0), *self.credentials, join=join)
        for number in range(len(self.ports)):
            self.start_worker(number)

    def another_account(self, name: str) -> tuple[str, str]:
        account = self._told("account", "add", name)["account"]
        key = self._told("key", "add", account)
        return key["key"], key["secret"]

    def _words(self, *after: str) -> list[str]:
        words = ["-m", "pos_app", "platform", *after, "--data", str(self.folder)]
        return [*words, *(["--database-url", self.database] if self.database else [])]

    def _told(self, *words: str) -> dict[str, str]:
        program = self.shop.run(*self._words(*words), "--json", name="words")
        assert program.wait() == 0, program.errors()
        told: dict[str, str] = json.loads(" ".join(program.lines()[-1]))
        return told

    def _place(self, number: int) -> list[str]:
        return ["--port", str(self.ports[number]), "--workers", str(self.of_each)]

    def start_worker(self, number: int, *wrapper: str) -> None:
        """wrapper: words for `kill_at`, which ends the worker at that statement."""
        words = [*self._words(), *self._place(number)]
        if wrapper:
            words = ["-m", "tests.e2e.kill_at", *wrapper, "--", *words[2:]]
        program = self.shop.run(*words, name=f"worker-{number}")
        program.until(lambda: program.lines("http") or program.is_over)
        self.workers[number] = program

    def deploy(self) -> None:
        """Another program replaces the first worker at its port."""
        ending, words = self.workers[0], [*self._words(), *self._place(0)]
        following = self.shop.run(*words, "--take-over", name="worker-0")
        ending.child.terminate()
        following.until(lambda: following.lines("http") or following.is_over)
        assert ending.wait() == 0, ending.errors()
        self.workers[0] = following

    def url(self, number: int) -> str:
        return f"http://127.0.0.1:{self.ports[number]}/v2"

    @property
    def client(self) -> str:
        told = json.loads((self.shop.data / "client.json").read_bytes())
        return str(told["client_id"])

    @property
    def signed(self) -> list[str]:
        return [entry.number for entry in read_entries(self.shop.ledger_folder)]

    def post(self, key: str | None, *, worker: int = 0, **members: Any) -> httpx.Response:
        """Raises httpx.TransportError where the worker is gone."""
        return ask(
            "POST",
            f"{self.url(worker)}/fiscalization/receipts",
            json=SALE | {"clientId": self.client} | members,
            headers={"Idempotency-Key": key} if key else {},
            auth=self.credentials,
        )

    def ask(self, method: str, path: str, *, worker: int = 0, **members: Any) -> httpx.Response:
        """Ask the platform itself, or through it the till, without a key."""
        return ask(method, f"{self.url(worker)}{path}", json=members, auth=self.credentials)

    def asked(self, method: str, path: str, *, worker: int = 0, **members: Any) -> dict[str, Any]:
        """The platform's answer to a change of its lists."""
        answer = self.ask(method, path, worker=worker, **members)
        assert answer.is_success, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def sold(self, sku: int, *, worker: int = 0) -> list[tuple[str, list[str]]]:
        """Names and labels of the lines that the processor signed for a sale of this code."""
        before, key = len(self.signed), uuid.uuid4().hex
        item = {"sku": sku, "quantity": 1, "unitPrice": 58.99}
        answer = self.post(key, worker=worker, items=[item])
        assert answer.status_code == httpx.codes.OK, answer.text
        (entry,) = list(read_entries(self.shop.ledger_folder))[before:]
        items = json.loads(entry.request)["items"]
        return [(one["name"], one["labels"]) for one in items]

    def until_issued(self, key: str, *, worker: int = 0) -> str:
        """The number of the key's receipt in the end; before, answers are "wait" or "unknown"."""

        def issued() -> str:
            with suppress(httpx.TransportError):
                answer = self.post(key, worker=worker)
                told = answer.json()
                if answer.status_code == httpx.codes.OK:
                    return str(told["invoiceNumber"])
                assert told["class"] in ("wait", "unknown"), told
            return ""

        return until(issued, told=self.workers[worker].errors)

    def told_to_the_till(self) -> tuple[str, str]:
        told = ask("GET", f"{self.shop.url}/till/status", headers=self.shop.as_till()).json()
        told = told["publicMode"]
        return told["state"], told["clientId"]

    def is_connected(self) -> bool:
        """Tell whether the platform lists the shop's server; nothing is sold for that."""
        return self.told_to_the_till()[0] == "connected"

    def connected(self, *, worker: int = 0) -> None:
        assert self.until_issued(uuid.uuid4().hex, worker=worker)


@contextmanager
def town_of(
    shop: Shop, database: str = "", workers: int = 1, *, of_each: int = 1
) -> Iterator[Town]:
    """workers: programs, each at its port."""
    town = Town(shop, shop.folder / "town", database, of_each, ports=free_ports(workers))
    town.open(join="ask")
    shop.processor()
    town.server = shop.server()
    yield town
