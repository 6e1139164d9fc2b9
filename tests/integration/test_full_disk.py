"""On a full disk the server starts for look-ups, says so, and issues again when there is room."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.adapters.clock import SystemClock
from pos_app.errors import DatabaseDamaged, DiskFull
from pos_app.fiscalization import startup_recovery as recovery_module
from pos_app.fiscalization.lane.probe import LEAST_ROOM
from pos_app.fiscalization.startup_recovery import Recovery
from tests.e2e.nursery import born
from tests.fakes.no_tls import NO_TLS
from tests.fakes.small_disk import fill, small_disk
from tests.sweep import sampled

MEGABYTES = 80
SALE = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 100},
    "items": [{"quantity": 1, "unitPrice": 100, "article": {"name": "x", "taxRateLabel": "Ђ"}}],
    "receiptDelivery": {"pdf": False},
}


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", megabytes=MEGABYTES) as disk:
        yield disk


@contextmanager
def server(disk: Path, *, is_killed: bool = False) -> Iterator[str]:
    with Path(os.devnull).open("wb") as nowhere:
        child = born("server", "--data", str(disk / "shop"), "--port", "0", errors=nowhere)
    try:
        yield child.stdout.readline().strip()
    finally:
        child.kill() if is_killed else child.terminate()
        child.communicate()


def issue(address: str, key: str) -> httpx.Response:
    url = f"{address}/fiscalization/receipts"
    headers = {"Idempotency-Key": key}
    return httpx.post(url, json=SALE, headers=headers, trust_env=False, verify=NO_TLS, timeout=30)


def status(disk: Path, address: str) -> Any:
    told = json.loads((disk / "shop/install.json").read_bytes())
    headers = {"X-Pos-Token": told["token"], "X-Pos-Install": told["install_id"]}
    return httpx.get(
        f"{address}/till/status", headers=headers, trust_env=False, verify=NO_TLS
    ).json()


@pytest.mark.parametrize(
    "is_killed", sampled([True, False]), ids=["killed before", "stopped before"]
)
@pytest.mark.deadline(120)
def test_a_full_disk_leaves_the_look_ups(small: Path, is_killed: bool) -> None:
    with server(small, is_killed=is_killed) as address:
        signed = issue(address, "k" * 16).json()
    filler = fill(small)

    with server(small) as address:
        assert httpx.get(f"{address}/health", trust_env=False, verify=NO_TLS).status_code == 200
        one = f"{address}/fiscalization/receipts/{signed['id']}"
        assert httpx.get(one, trust_env=False, verify=NO_TLS).json() == signed
        assert issue(address, "k" * 16).json() == signed
        refused = issue(address, "n" * 16)
        body = refused.json()
        assert (refused.status_code, body["code"], body["class"]) == (400, 40010002, "cure")
        assert "disk" in body["message"].lower()
        assert status(small, address)["processor"]["state"] == "disk"

        filler.unlink()
        last_try = time.monotonic() + 30
        while status(small, address)["processor"]["state"] != "ready":
            assert time.monotonic() < last_try
        assert issue(address, "n" * 16).status_code == 200


# --- what a stopped server left open -----------------------------------------------------------


@dataclass
class Left:
    """A journal with something left open."""

    fault: Exception | None = None
    recovered: list[datetime] = field(default_factory=list)

    def recover(self, *, now: datetime) -> None:
        if self.fault is not None:
            raise self.fault
        self.recovered.append(now)


@dataclass
class Room:
    free: int = 0

    def free_bytes(self) -> int:
        return self.free


async def test_what_was_left_open_is_settled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery_module, "AGAIN_SECONDS", 0.01)
    journal, disk, began = Left(DiskFull(what="no room")), Room(), asyncio.Event()
    recovery = Recovery(journal, SystemClock(), disk, restore=None)  # type: ignore[arg-type]

    async def work() -> None:
        assert journal.recovered
        began.set()

    tasks = [asyncio.create_task(recovery.before(work)()), asyncio.create_task(recovery.watch())]
    disk.free = 2 * LEAST_ROOM
    assert recovery.free_bytes() == 0
    journal.fault = None
    await asyncio.gather(*tasks)
    assert began.is_set()
    assert recovery.free_bytes() == disk.free


def test_another_fault_is_told_at_the_start() -> None:
    with pytest.raises(DatabaseDamaged):
        Recovery(
            Left(DatabaseDamaged(what="torn")),  # type: ignore[arg-type]
            SystemClock(),
            Room(2 * LEAST_ROOM),
            restore=None,
        )
