"""A till, or a server without one, starts synchronisations as programs of their own."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response

from pos_app import installed, settings
from pos_app.adapters import sync_process
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.sync_process import SyncProcess
from pos_app.bootstrap.server import without_till
from pos_app.bootstrap.server.server import run_server
from pos_app.domain.receipt.server_status import SyncState
from pos_app.selling.synchronisation.catalogue_edits import EditState
from tests.e2e.nursery import child
from tests.fakes.foreign_platform import ForeignPlatform
from tests.fakes.no_tls import NO_TLS
from tests.integration.local_api.wires import until
from tests.integration.synchronise.conftest import TillBeside, till_beside
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
    async with running(process):
        await until(lambda: process.outcome.state is SyncState.FAILED, within=30)
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


class SlowPictures(ForeignPlatform):
    """Holds every picture back until `let_go` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()

    async def _file(self, request: Request) -> Response:
        await asyncio.to_thread(self.let_go.wait, 20)
        return await super()._file(request)


def children() -> list[str]:
    tasks = Path("/proc/self/task").iterdir()
    numbers = {one for task in tasks for one in (task / "children").read_text().split()}
    lines = [Path("/proc", one, "cmdline") for one in numbers]
    return [line.read_bytes().replace(b"\0", b" ").decode() for line in lines if line.exists()]


@pytest.mark.skipif(sys.platform != "linux", reason="children are counted in /proc")
async def test_pictures_give_way_to_a_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two would run, and the till's end would end one. A run waits for another's lock."""
    began = time.monotonic()
    with SlowPictures().open() as slow, till_beside(folder, slow) as till:
        assert isinstance(slow, SlowPictures)
        bread = slow.add(name="Хлеб", price=1, coverImage=cover(slow, "bread", PNG))
        till.sync()
        till.keep_settings()
        lock = FolderLock(catalogue_file(folder).parent / "sync.lock", what="synchronisation")
        process = SyncProcess(data=folder, minutes=0)

        def asked_for_picture() -> bool:
            # A slow machine asks later: the child gives way earlier, and is begun again.
            monkeypatch.setattr(sync_process, "_BUSY_SECONDS", 2 + (time.monotonic() - began) / 4)
            process.want_picture(bread["id"])
            return "GET /files/bread" in slow.asks

        def alone() -> list[str]:
            found = [one for one in children() if " sync " in one]
            assert len(found) <= 1, found
            return found

        async with running(process):
            try:
                await until(asked_for_picture, within=100)
                await until(lambda: not any("--pictures" in one for one in alone()))
                assert process.outcome.state is SyncState.NOT_YET
                lock.close()
                await until(lambda: process.outcome.state is SyncState.DONE)
                slow.let_go.set()
                process.want_picture(bread["id"])
                await until(lambda: till.rows()["Хлеб"].picture is not None)
            finally:
                slow.let_go.set()
                lock.close()
