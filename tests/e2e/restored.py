"""A shop whose folders are copied and restored, and a program that sends keys to its server."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

from pos_app.domain.receipt.receipt_identity import receipt_id
from pos_app.fiscalization.outcomes.pfr_request_id import pfr_request_id
from pos_app.fiscalization.service import body_hash
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.wire.strict_json import canonical, loads
from tests.e2e.shop import Shop, ask, sale, until
from tests.ports import free_port

SALE = sale(2)


def key(number: int) -> str:
    return f"key-of-a-program-{number:04}"


@dataclass
class Told:
    status: int
    members: Any

    @property
    def number(self) -> str | None:
        is_receipt = self.status == httpx.codes.OK and isinstance(self.members, dict)
        return self.members.get("invoiceNumber") if is_receipt else None


class Asker:
    """Another program, or the till, at the server. ledger: its processor's folder."""

    def __init__(self, shop: Shop, *, ledger: Path | None = None) -> None:
        self.shop = shop
        self._ledger = ledger or shop.ledger_folder

    def sell(self, number: int) -> Told:
        """Make the sale of that number, which has a key and a total of its own."""
        headers = {"Idempotency-Key": key(number)}
        return self.ask("POST", "/fiscalization/receipts", self.body(number), headers)

    def look(self, number: int) -> Told:
        return self.ask("GET", f"/fiscalization/receipts/key:{key(number)}", None, {})

    def as_manager(self, path: str, **members: Any) -> Told:
        body = {"by": "Власник", **members}
        return self.ask("POST", path, body, self.till())

    def sold(self, *numbers: int) -> None:
        """Make these sales; each gets its receipt."""
        for number in numbers:
            told = self.sell(number)
            assert told.number, told

    def compared(self, number: int) -> Told:
        """The look-up once the server has asked its processor."""
        until(lambda: self.look(number).members.get("state") != "not_compared")
        return self.look(number)

    def accepts_element(self) -> None:
        """A manager accepts the offered element, and no other."""
        until(lambda: self.status()["processor"].get("offered"))
        assert self.as_manager("/till/element", uid="WRONG000").status == 409
        uid = self.status()["processor"]["offered"]["uid"]
        assert self.as_manager("/till/element", uid=uid).status == 200

    def decides(self, number: int, word: str, **members: Any) -> Told:
        receipt = receipt_id(origin="local", key=key(number))
        return self.as_manager(f"/till/doubts/{receipt}/{word}", **members)

    def status(self) -> Any:
        return self.ask("GET", "/till/status", None, self.till()).members

    def till(self) -> dict[str, str]:
        return self.shop.as_till()

    def ask(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Told:
        answer = ask(method, self.shop.url + path, json=body, headers=headers)
        return Told(answer.status_code, answer.json())

    def name_of(self, number: int) -> str:
        digest = body_hash(canonical(loads(json.dumps(self.body(number)).encode())))
        return pfr_request_id(origin="local", key=key(number), child=0, body_hash=digest)

    @staticmethod
    def body(number: int) -> dict[str, Any]:
        return SALE | {"payments": {"cash": 200 + number}}

    def signed(self, number: int, *, folder: Path | None = None) -> int:
        name = self.name_of(number)
        entries = read_entries(folder or self._ledger)
        return sum(entry.request_id == name for entry in entries)


@contextmanager
def cloned(shop: Shop) -> Iterator[Asker]:
    """The same installation on a machine that only has another port, at the same processor."""
    folder, port = shop.folder / "clone", free_port()
    shutil.copytree(shop.data, folder / "data")
    settings = f"[server]\nport = {port}\n"
    (folder / "data" / "settings.toml").write_text(settings, encoding="utf-8")
    clone = replace(shop, folder=folder, port=port, running=[], pids=set())
    try:
        yield Asker(clone, ledger=shop.ledger_folder)
    finally:
        clone.close()


@contextmanager
def served(shop: Shop) -> Iterator[None]:
    server = shop.server()
    assert not server.is_over, server.errors()
    try:
        yield
    finally:
        server.stop()


def copied(source: Path, target: Path) -> Path:
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(source, target)
    return target
