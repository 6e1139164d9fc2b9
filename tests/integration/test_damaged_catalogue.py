"""A server whose catalogue.db is damaged, or of a newer version: who learns it, what is refused,
and what is still signed.

Source: platform-contract.md 3.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.data_folder.upgrade_mark import OPENED_BY
from pos_app.adapters.sqlite.catalogue.schema import IF_DAMAGED
from pos_app.adapters.sqlite.checksums import keep_log, with_checksums
from tests.fakes.no_tls import NO_TLS
from tests.integration.test_server_program import SALE, post, program, run
from tests.sweep import sampled

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


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    assert run("demo", "--prepare", "--data", str(folder)).returncode == 0
    return folder


def status(folder: Path, address: str) -> Any:
    install = open_install(folder, environment="demo")
    known = {"X-Pos-Token": install.token, "X-Pos-Install": install.install_id}
    return httpx.get(
        f"{address}/till/status", headers=known, trust_env=False, verify=NO_TLS, timeout=30
    ).json()


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
def test_a_newer_one_is_told_and_read_as_long_as_it_has_the_views(
    shop: Path, has_view: bool
) -> None:
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
