"""One flipped byte in any page of a journal: never a wrong receipt, none denied, all in words.

Source: exactly-once.md, "Restores, replacements, damage".
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.articles import CatalogueView
from pos_app.adapters.sqlite.catalogue.writer import open_writer
from pos_app.errors import DatabaseBusy, MachineError
from tests.fakes import faulty_disk
from tests.fakes.no_tls import NO_TLS
from tests.integration.local_api.test_receipts import KEYED, SALE
from tests.integration.local_api.wires import Running, running
from tests.proofs import Proof

JOURNAL = Path("journal", "journal.db")
SALES = 5
UNKNOWN_KEY = "a-key-that-nobody-has-sent"


def key_of(number: int) -> dict[str, str]:
    return {"Idempotency-Key": f"key-of-sale-number-{number}"}


def sale(number: int) -> dict[str, Any]:
    return {
        "invoiceType": "normal",
        "transactionType": "sale",
        "payments": {"cash": 100 * number},
        "items": [{"sku": 1, "quantity": number, "unitPrice": 100}],
        "receiptDelivery": {"pdf": False},
    }


async def a_shop(folder: Path) -> dict[int, dict[str, Any]]:
    async with running(folder) as server:
        answers = {}
        for number in range(1, SALES + 1):
            told = await server.issue(sale(number), headers=key_of(number))
            assert told.status_code == 200, told.text
            answers[number] = told.json()
    faulty_disk.settle(folder / JOURNAL)
    return answers


async def everything_is_asked(server: Running, answers: dict[int, dict[str, Any]]) -> None:
    async with httpx.AsyncClient(
        base_url=server.url, trust_env=False, verify=NO_TLS, timeout=25
    ) as client:
        path, before = "/fiscalization/receipts", len(server.shop.ledger())
        for number, answer in answers.items():
            name = key_of(number)["Idempotency-Key"]
            for reference in (f"key:{name}", answer["invoiceNumber"], answer["id"]):
                check(await client.get(f"{path}/{reference}"), answer)
            check(await client.post(path, json=sale(number), headers=key_of(number)), answer)
        assert len(server.shop.ledger()) == before
        stranger = await client.get(f"{path}/key:{UNKNOWN_KEY}")
        # 202 where the damage keeps the journal from being compared with the processor
        assert stranger.status_code in (202, 404, 500), stranger.text
        refunded = answers[2]["invoiceNumber"]
        refund: dict[str, Any] = {"payments": {"cash": 200}, "buyerId": "10:123456788"}
        refund["receiptDelivery"] = {"pdf": False}
        told = await client.post(f"{path}/{refunded}/refund", json=refund, headers=key_of(90))
        signed = server.shop.ledger()[before:]
        if told.status_code == 200:
            assert {entry.total for entry in signed} <= {200}, signed
        else:
            assert told.status_code == 500 or "surely not sent" in told.text, told.text
            assert told.status_code == 500 or not signed, told.text


def check(told: httpx.Response, answer: dict[str, Any]) -> None:
    assert told.status_code in (200, 500), told.text
    if told.status_code == 200:
        mine = {name: told.json()[name] for name in ("invoiceNumber", "totalAmount", "id")}
        assert mine == {name: answer[name] for name in mine}
    else:
        assert told.json()["code"], told.text


@pytest.mark.deadline(3600)
@pytest.mark.faults
async def test_a_flipped_byte_in_every_page_of_a_journal(
    folder: Path, tmp_path: Path, times: int, proof: Proof
) -> None:
    whole, shop = tmp_path / "whole", tmp_path / "shop"
    shutil.copytree(folder, whole)
    answers = await a_shop(whole)
    pages = (whole / JOURNAL).stat().st_size // faulty_disk.PAGE
    # A few pages in each run, too few to compare; `make faults` takes them all.
    takes_all = times > 50
    outcomes = {"refused to start": 0, "answered": 0}
    for page in range(0, pages, 1 if takes_all else 10):
        for turn in range(max(1, times // 250)):
            offset = (page * 977 + turn * 1361) % faulty_disk.PAGE
            shutil.rmtree(shop, ignore_errors=True)
            shutil.copytree(whole, shop)
            faulty_disk.flip(shop / JOURNAL, page, offset, bits=1 << (page + turn) % 8)
            try:
                async with running(shop, until_compared=False) as server:
                    await everything_is_asked(server, answers)
                outcomes["answered"] += 1
            except MachineError:
                outcomes["refused to start"] += 1
            proof.tried += 1
    least = outcomes["refused to start"] if takes_all else 0
    assert outcomes["answered"] > least, outcomes


# --- another program holds a database ------------------------------------------------------------
LONGEST = 2.0
"""Seconds that a question may take beside a lock, on a machine that runs other tests too."""
FEW = 5
"""Answers while the lock is held: a loop that waited for it would give none."""


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    with closing(apsw.Connection(str(path))) as holder:
        holder.execute("BEGIN IMMEDIATE")
        yield
        holder.execute("ROLLBACK")


@contextlib.asynccontextmanager
async def pinged(server: Running) -> AsyncIterator[list[int]]:
    told: list[int] = []

    async def ping() -> None:
        while True:
            told.append((await server.ask("GET", "/health")).status_code)

    task = asyncio.create_task(ping())
    try:
        yield told
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_short_lock_refuses_no_sale_and_stops_no_loop(folder: Path) -> None:
    async with running(folder) as server, pinged(server) as told:
        with held(folder / "journal" / "journal.db"):
            selling = asyncio.create_task(server.issue(SALE, headers=KEYED, within=25))
            while len(told) < FEW:
                await asyncio.wait({selling}, timeout=0.05)
                assert not selling.done()
        answer = await selling
        assert answer.status_code == 200, answer.text
        assert set(told) == {200}
        assert len(server.shop.ledger()) == 1


async def test_a_catalogue_that_is_held_whole(folder: Path) -> None:
    path = catalogue_file(folder)
    open_writer(path, durable=True).close()
    with closing(apsw.Connection(str(path))) as holder, closing(CatalogueView(path)) as view:
        holder.pragma("locking_mode", "EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        with pytest.raises(DatabaseBusy):
            view.articles(1)
        assert time.monotonic() - began < LONGEST
        holder.execute("ROLLBACK")
