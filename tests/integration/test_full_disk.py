"""On a full disk the server starts for look-ups, says so, and issues again when there is room."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder.held_file import HeldFile
from pos_app.adapters.data_folder.settings_file import settings_with, write_settings
from pos_app.adapters.data_folder.upgrade_mark import OPENED_BY
from pos_app.adapters.sqlite.catalogue.schema import IF_DAMAGED
from pos_app.adapters.sqlite.checksums import keep_log, with_checksums
from pos_app.adapters.sqlite.database import open_reader
from pos_app.errors import DatabaseDamaged, DiskFull
from pos_app.fiscalization import startup_recovery as recovery_module
from pos_app.fiscalization.lane.probe import LEAST_ROOM
from pos_app.fiscalization.startup_recovery import Recovery
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.settings import LAST_GOOD
from tests.e2e.nursery import born
from tests.fakes.no_tls import NO_TLS
from tests.fakes.processor_key import give_key
from tests.fakes.small_disk import fill, small_disk
from tests.integration.test_server_program import SALE, demo, post, program
from tests.sweep import sampled

MEGABYTES = 80
OF_A_NAMED_ARTICLE = {
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
    return httpx.post(
        url, json=OF_A_NAMED_ARTICLE, headers=headers, trust_env=False, verify=NO_TLS, timeout=30
    )


def status(folder: Path, address: str) -> Any:
    told = json.loads((folder / "install.json").read_bytes())
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
        assert status(small / "shop", address)["processor"]["state"] == "disk"

        filler.unlink()
        last_try = time.monotonic() + 30
        while status(small / "shop", address)["processor"]["state"] != "ready":
            assert time.monotonic() < last_try
        assert issue(address, "n" * 16).status_code == 200


# --- what a stopped server left open -----------------------------------------------------------
@dataclass
class Left:
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


# --- files are replaced under a running server (exactly-once.md, "Storage") ---
__all__ = ["demo"]


def put_back(path: Path) -> None:
    copy = path.with_name("backup")
    shutil.copyfile(path, copy)
    copy.replace(path)


REPLACED: dict[str, Callable[[Path], object]] = {
    "put back": put_back,
    "its log put back": lambda path: put_back(path.with_name("journal.db-wal")),
    "deleted": Path.unlink,
    "its folder replaced": lambda path: shutil.copytree(
        path.parent.rename(path.parent.with_name("before")), path.parent
    ),
}


@pytest.fixture
def shop(demo: Path, tmp_path: Path) -> Path:
    return shutil.copytree(demo, tmp_path / "shop")


def sold(address: str, key: str) -> Any:
    return post(address, SALE, **{"Idempotency-Key": key})


def of(number: int) -> str:
    return f"key-of-sale-number-{number}"


@pytest.mark.parametrize("act", sampled(REPLACED.values()), ids=REPLACED)
def test_a_journal_that_was_replaced(shop: Path, act: Callable[[Path], object]) -> None:
    path = shop / "journal" / "journal.db"
    with program("server", "--data", str(shop), "--port", "0") as (_, address):
        first = sold(address, of(1))
        assert first.status_code == 200, first.text
        act(path)
        told = sold(address, of(2))
        assert (told.status_code, told.json()["class"]) == (400, "wait"), told.text
        assert "was moved, deleted or replaced while the program had it open" in told.text
        found = httpx.get(
            f"{address}/fiscalization/receipts/{first.json()['id']}", trust_env=False, verify=NO_TLS
        )
        assert found.json()["invoiceNumber"] == first.json()["invoiceNumber"]
    assert [one.number for one in read_entries(shop / "processor")] == [
        first.json()["invoiceNumber"]
    ]
    (copy,) = path.parent.glob("journal-kept-*.db")
    with closing(open_reader(copy)) as kept:
        assert kept.execute("SELECT number FROM receipts").get == first.json()["invoiceNumber"]


def test_a_file_whose_number_the_system_does_not_tell(tmp_path: Path) -> None:
    """Windows gives none for a file looked up in its folder."""
    path = tmp_path / "file"
    path.touch()
    held = HeldFile(path, device=0, inode=0)
    assert held.is_there()
    path.unlink()
    assert not held.is_there()


def test_a_copy_of_the_settings_that_can_t_be_made_keeps_nobody_from_selling(shop: Path) -> None:
    (shop / LAST_GOOD).unlink(missing_ok=True)
    (shop / LAST_GOOD).mkdir()
    with program("server", "--data", str(shop), "--port", "0") as (server, address):
        assert sold(address, of(1)).status_code == 200
        server.terminate()
        _, log = server.communicate(timeout=20)
    assert "the settings can't be kept a second time" in log


def test_two_servers_after_the_lock_was_deleted(shop: Path) -> None:
    give_key(shop / "elsewhere" / "processor")
    elsewhere = str(shop / "elsewhere")
    with program("processor", "--data", elsewhere, "--port", "0") as (_, processor):
        write_settings(shop, settings_with(shop, {"processor.url": processor})[1])
        with program("server", "--data", str(shop), "--port", "0") as (_, address):
            assert sold(address, of(1)).status_code == 200
            (shop / "journal" / "server.lock").unlink()
            with program("server", "--data", str(shop), "--port", "0") as (_, second):
                refused = sold(address, of(2))
                assert (refused.status_code, refused.json()["class"]) == (400, "wait")
                assert "another program may work with the same data" in refused.text
                assert sold(second, of(2)).status_code == 200
    assert len(read_entries(shop / "elsewhere" / "processor")) == 2


# --- a catalogue that is damaged, or of a newer version (platform-contract.md 3) ---
BY_SKU = SALE | {"receiptDelivery": {"pdf": False}}
BY_ITSELF = BY_SKU | {
    "receiptDelivery": {"pdf": True},
    "items": [
        {"quantity": 2, "unitPrice": 58.99, "article": {"name": "Хлеб", "taxRateLabel": "Е"}}
    ],
}


def flipped(path: Path) -> None:
    chance, held = random.Random(3), bytearray(path.read_bytes())
    for _ in range(200):
        held[chance.randrange(100, len(held))] ^= 1 << chance.randrange(8)
    path.write_bytes(held)


def without_log(path: Path) -> None:
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    os.truncate(path, 0)


def misled(path: Path) -> None:
    """Leave each page whole, and let the schema name another first page of the articles."""
    with closing(with_checksums(path)) as connection:
        keep_log(connection)
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute(
            "UPDATE sqlite_schema SET rootpage ="
            " (SELECT rootpage FROM sqlite_schema WHERE name = 'article_by_ean')"
            " WHERE name = 'article'"
        )


@pytest.mark.parametrize("spoil", sampled([flipped, misled, without_log]))
def test_it_is_told_with_its_cure_and_sales_that_need_nothing_of_it_are_signed(
    shop: Path, spoil: Callable[[Path], None]
) -> None:
    catalogue = shop / "catalogue/catalogue.db"
    with program("server", "--data", str(shop), "--port", "0") as (server, address):
        signed = {"Idempotency-Key": "signed-before-0001"}
        before = post(address, BY_SKU, **signed).json()["invoiceNumber"]
        server.terminate()
        assert server.wait(20) == 0
    whole = shutil.copytree(catalogue.parent, shop.parent / "whole")
    spoil(catalogue)
    with program("server", "--data", str(shop), "--port", "0") as (server, address):
        key = {"Idempotency-Key": "damaged-catalogue-1"}
        by_itself = post(address, BY_ITSELF, **{"Idempotency-Key": "by-itself-00000001"})
        assert (by_itself.status_code, by_itself.json()["pdf"] is None) == (200, False)
        for _ in range(3):
            refused = post(address, BY_SKU, **key)
            told = refused.json()
            assert (refused.status_code, told["code"], told["class"]) == (400, 40010006, "cure")
            assert "catalogue.db" in told["message"]
            assert told["message"].endswith(f". {IF_DAMAGED}")
            alarms = status(shop, address)["alarms"]
            assert [alarm["what"] for alarm in alarms] == ["catalogue_damaged"]
        assert post(address, BY_SKU, **signed).json()["invoiceNumber"] == before

        shutil.rmtree(catalogue.parent)
        shutil.move(whole, catalogue.parent)
        assert post(address, BY_SKU, **key).is_success
        assert status(shop, address)["alarms"] == []
        server.terminate()
        _, log = server.communicate(timeout=20)
    lines = [line for line in log.splitlines() if "catalogue.db" in line and "ERROR" in line]
    assert len(lines) == 1, log


def make_newer(path: Path, sql: str) -> None:
    with closing(with_checksums(path)) as connection:
        keep_log(connection)
        connection.execute(sql)
        connection.pragma("user_version", connection.pragma("user_version") + 1)


@pytest.mark.parametrize("has_view", [True, False])
def test_a_newer_one_is_told_and_read_while_it_has_the_views(shop: Path, has_view: bool) -> None:
    (shop / OPENED_BY).write_text("99.0.0\n", encoding="utf-8")
    make_newer(shop / "catalogue/catalogue.db", "" if has_view else "DROP VIEW article_v1")
    with program("server", "--data", str(shop), "--port", "0") as (server, address):
        health = httpx.get(f"{address}/health", trust_env=False, verify=NO_TLS).json()
        assert health["catalogue"] == "newer"
        by_itself = post(address, BY_ITSELF, **{"Idempotency-Key": "by-itself-00000001"})
        assert by_itself.is_success
        answer = post(address, BY_SKU, **{"Idempotency-Key": "newer-catalogue-01"})
        assert answer.is_success is has_view, answer.text
        if not has_view:
            told = answer.json()
            assert (told["code"], told["class"]) == (40010006, "cure")
            assert "was written by a newer version" in told["message"]
            assert IF_DAMAGED not in told["message"]
        assert status(shop, address)["alarms"] == []
        server.terminate()
        _, log = server.communicate(timeout=20)
    assert "catalogue.db was written by a newer version" in log
    assert "ERROR" not in log
    assert not list(shop.glob("backups/before-*")), "no copy of what this version can't bring back"


def test_a_journal_that_is_gone_too_denies_nothing_that_may_be_signed(shop: Path) -> None:
    signed = {"Idempotency-Key": "signed-before-0001"}
    with program("server", "--data", str(shop), "--port", "0") as (server, address):
        assert post(address, BY_SKU, **signed).is_success
        server.terminate()
        assert server.wait(20) == 0
    shutil.rmtree(shop / "journal")
    (shop / "witness.json").unlink()
    flipped(shop / "catalogue/catalogue.db")
    with program("server", "--data", str(shop), "--port", "0") as (_, address):
        answer = post(address, BY_SKU, **signed)
        assert answer.status_code == 500, answer.text
        assert answer.json()["class"] == "unknown"
