"""Another program holds a database for a while: health answers at once, and a sale waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.articles import CatalogueView
from pos_app.adapters.sqlite.catalogue.writer import open_writer
from pos_app.errors import DatabaseBusy
from tests.integration.local_api.test_receipts import KEYED, SALE
from tests.integration.local_api.wires import Running, running

LONGEST = 2.0
"""Seconds that a question may take beside a lock, on a machine that runs other tests too."""
FEW = 5
"""Answers while the lock is held: a loop that waited for it would give none."""


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """While inside, nobody else can write to the database."""
    with closing(apsw.Connection(str(path))) as holder:
        holder.execute("BEGIN IMMEDIATE")
        yield
        holder.execute("ROLLBACK")


@contextlib.asynccontextmanager
async def pinged(server: Running) -> AsyncIterator[list[int]]:
    """Ask for health all the time; yield the statuses of the answers."""
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


async def test_a_lock_before_sending_refuses_no_sale(folder: Path) -> None:
    async with running(folder) as server:
        selling = asyncio.create_task(server.issue(SALE, headers=KEYED, within=25))
        while server.shop.journal.restores.tip.rows == 0:
            await asyncio.wait({selling}, timeout=0.001)
        with held(folder / "journal" / "journal.db"):
            await asyncio.wait({selling}, timeout=1.0)
        answer = await selling
        assert answer.status_code == 200, answer.text
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
