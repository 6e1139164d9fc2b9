"""A till, or a server without one, starts synchronisations as programs of their own."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app import installed, settings
from pos_app.adapters.sync_process import SyncProcess
from pos_app.bootstrap.server import without_till
from pos_app.bootstrap.server.server import run_server
from pos_app.selling.synchronisation.catalogue_edits import EditState
from tests.e2e.nursery import child
from tests.fakes.foreign_platform import ForeignPlatform
from tests.fakes.no_tls import NO_TLS
from tests.integration.local_api.wires import until
from tests.integration.synchronise.conftest import TillBeside
from tests.integration.synchronise.test_pictures import PNG, cover

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the child is told by a signal")


@contextlib.asynccontextmanager
async def server(folder: Path, *, for_till: bool = False) -> AsyncIterator[str]:
    """Run the server of the folder as a service or as a till starts it; yield its address."""
    told: list[str] = []
    shop = settings.load(folder, server={"port": 0})
    running = asyncio.create_task(run_server(shop, ready=told.append, for_till=for_till))
    try:
        await until(lambda: bool(told) or running.done(), within=30)
        yield told[0]
    finally:
        running.cancel()
        await asyncio.wait({running}, timeout=20)
    assert running.cancelled()


@contextlib.asynccontextmanager
async def running(process: SyncProcess) -> AsyncIterator[None]:
    keeping = asyncio.ensure_future(process.run())
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.wait({keeping})


async def health(address: str) -> dict[str, Any]:
    async with httpx.AsyncClient(verify=NO_TLS) as caller:
        answer: dict[str, Any] = (await caller.get(f"{address}/health")).json()
    return answer


async def told_as(address: str, state: str) -> dict[str, Any]:
    """Return health's part about the synchronisation once it is in that state."""
    async with asyncio.timeout(30):
        while True:
            told: dict[str, Any] = (await health(address))["synchronisation"]
            if told["state"] == state:
                return told
            await asyncio.sleep(0.05)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(without_till, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(installed, "command", child)


@pytest.mark.parametrize(("secret", "code"), [("", ""), ("another", "platform_key")])
async def test_a_server_alone_synchronises_and_tells_how_it_went(
    foreign: ForeignPlatform, abroad: TillBeside, secret: str, code: str
) -> None:
    foreign.add(name="Хлеб", price=1)
    abroad.keep_settings(secret=secret)
    async with server(abroad.folder) as address:
        told = await told_as(address, "away" if code else "done")
    assert ("Хлеб" in abroad.rows()) is (not code)
    assert (told["code"], told["doneAt"]) == (code, None if code else told["at"])
    assert ("does not take the key" in told["words"]) is bool(code)


# --- at a till: also for its pictures -------------------------------------------------------------


async def test_the_till_runs_it_beside_itself(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    """Real children: for a platform set up in the open till, for pictures, and on demand."""
    foreign.add(name="Хлеб", price=1, coverImage=cover(foreign, "bread", PNG))
    process = SyncProcess(data=abroad.folder, minutes=0, has_platform=False)
    async with running(process):
        await asyncio.sleep(0)
        abroad.keep_settings()
        process.ask()
        await until(lambda: "Хлеб" in abroad.rows())
        process.want_picture(abroad.rows()["Хлеб"].product_id)
        await until(lambda: abroad.rows()["Хлеб"].picture is not None)
        abroad.add("Нови", 10)
        process.ask()
        await until(lambda: EditState.WAITING not in abroad.states() and len(foreign.live()) == 2)


def children() -> list[str]:
    tasks = Path("/proc/self/task").iterdir()
    numbers = {one for task in tasks for one in (task / "children").read_text().split()}
    lines = [Path("/proc", one, "cmdline") for one in numbers]
    return [line.read_bytes().replace(b"\0", b" ").decode() for line in lines if line.exists()]
