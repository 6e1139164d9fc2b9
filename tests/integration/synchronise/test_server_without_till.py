"""A server without a till synchronises itself; one that a till started leaves it to that."""

from __future__ import annotations

import asyncio
import contextlib
import socket
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
from pos_app.domain.receipt.server_status import SyncState
from tests.e2e.nursery import child
from tests.fakes.foreign_platform import ForeignPlatform
from tests.fakes.no_tls import NO_TLS
from tests.integration.local_api.wires import until
from tests.integration.synchronise.conftest import TillBeside

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


async def test_a_till_s_server_leaves_it(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    abroad.keep_settings()
    async with server(abroad.folder, for_till=True) as address:
        assert "synchronisation" not in await health(address)
        assert not [task for task in asyncio.all_tasks() if "synchron" in task.get_name()]
    assert not foreign.asks


async def test_wrong_settings_are_told(foreign: ForeignPlatform, abroad: TillBeside) -> None:
    """The run fails at the settings, before it asks the platform anything."""
    abroad.keep_settings()
    process = SyncProcess(data=abroad.folder, minutes=0)
    (abroad.folder / "settings.toml").write_text("[platform]\nulr = 1\n")
    keeping = asyncio.ensure_future(process.run())
    try:
        await until(lambda: process.outcome.state is SyncState.FAILED, within=30)
    finally:
        keeping.cancel()
        await asyncio.wait({keeping})
    assert process.outcome.code == "settings_broken"
    assert "platform.ulr" in process.outcome.words


async def test_a_run_ends_with_the_server(abroad: TillBeside) -> None:
    """The platform never answers: the run is ended, and its connection with it."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.setblocking(False)
        abroad.url = f"http://127.0.0.1:{silent.getsockname()[1]}/v2"
        abroad.keep_settings()
        loop = asyncio.get_running_loop()
        async with server(abroad.folder) as address, asyncio.timeout(20):
            assert (await health(address))["synchronisation"]["state"] == "not_yet"
            line, _ = await loop.sock_accept(silent)
        with line:
            line.setblocking(False)
            async with asyncio.timeout(10):
                while await loop.sock_recv(line, 4096):
                    pass  # the request of the run
