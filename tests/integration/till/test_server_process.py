"""The keeper of the till's server: failed starts are tried again, newer servers are left alone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from pos_app import __version__, installed
from pos_app.adapters.data_folder.install import Install, open_install
from pos_app.adapters.server_process.address import last_address, remember_address
from pos_app.adapters.server_process.process import ServerProcess
from pos_app.adapters.server_process.service import MARK, check_till_may_open
from pos_app.errors import DataFolderNotWritable, MachineError, ServerEnded
from tests.e2e.nursery import child
from tests.integration.local_api.wires import served, until
from tests.integration.test_server_program import program
from tests.ports import free_port, free_ports


@pytest.fixture(autouse=True)
def in_the_nursery(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "command", child)


@dataclass
class LeftOver:
    """A server of this installation, of any version, that stops when asked."""

    install: Install
    version: str
    looked_at: int = 0
    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    def asgi(self) -> Starlette:
        return Starlette(
            routes=[Route("/health", self.health), Route("/till/stop", self.stop, methods=["POST"])]
        )

    async def health(self, request: Request) -> JSONResponse:
        self.looked_at += 1
        if self.stopped.is_set():
            return JSONResponse({"hello": "world"})
        nonce = request.query_params["nonce"]
        return JSONResponse(
            {
                "service": "pos-app-server",
                "version": self.version,
                "installId": self.install.install_id,
                "environment": self.install.environment,
                "journal": {"id": "journal-1", "rows": 0},
                "proof": self.install.proof(
                    nonce=nonce, version=self.version, journal_id="journal-1"
                ),
            }
        )

    async def stop(self, request: Request) -> JSONResponse:
        assert request.headers["X-Pos-Token"] == self.install.token
        self.stopped.set()
        return JSONResponse({})


@contextlib.asynccontextmanager
async def kept(
    data: Path, install: Install, *, adopt: bool, port: int | None = None
) -> AsyncIterator[ServerProcess]:
    server = ServerProcess(data=data, install=install, port=port or free_port(), adopt=adopt)
    keeper = asyncio.create_task(server.run())
    try:
        yield server
        assert not keeper.done()
    finally:
        keeper.cancel()
        await asyncio.wait({keeper})
        await server.stop()


async def test_a_log_that_can_t_be_written_is_told_until_it_can(folder: Path) -> None:
    install = open_install(folder, environment="production")
    in_the_way = folder / "logs"
    in_the_way.write_text("a file where the folder of the logs is wanted")
    async with kept(folder, install, adopt=False) as server:
        told = heard(server)
        await until(lambda: codes(told) == ["data_folder_not_writable"])
        assert server.pid is None
        in_the_way.unlink()
        server.try_again()
        await until(lambda: told[-1] is None)
        assert server.pid is not None


@pytest.mark.parametrize("is_copied", [False, True])
async def test_a_server_on_data_that_were_moved_away_is_replaced(
    folder: Path, is_copied: bool
) -> None:
    """A copy was put back in place of a folder whose server still ran: the till's own server found
    its port taken for ever, while the other one answered for it. is_copied: with its address."""
    install = open_install(folder, environment="production")
    left = LeftOver(install, __version__)
    async with served(left.asgi()) as address:
        if is_copied:
            remember_address(folder_of(folder), address)
        port = int(address.rpartition(":")[2])
        async with kept(folder, install, adopt=True, port=port) as server:
            told = heard(server)
            await asyncio.wait_for(left.stopped.wait(), 20)
            assert codes(told) == ([] if is_copied else ["port_taken"])


async def test_a_service_s_server_goes_to_the_port_that_was_set_meanwhile(folder: Path) -> None:
    """The service was started with the old port; the till is opened with the new one."""
    before, now = free_ports(2)
    words = ("server", "--data", str(folder), "--port", str(before))
    with program(*words):
        install = open_install(folder, environment="production")
        (folder / MARK).write_text("")
        async with kept(folder, install, adopt=True, port=now) as server:
            told = heard(server)
            await until(lambda: told[-1:] == [None])
            assert last_address(folder) == f"http://127.0.0.1:{now}"
            assert server.pid is None


def test_a_till_that_may_not_read_a_service_s_folder_is_told_what_to_do(folder: Path) -> None:
    check_till_may_open(folder)  # there is no service
    (folder / MARK).write_text("")
    with pytest.raises(ServerEnded):  # the service was never started on it
        check_till_may_open(folder)
    unreadable = folder / "install.json"
    unreadable.mkdir()
    with pytest.raises(DataFolderNotWritable) as refused:
        check_till_may_open(folder)
    assert (refused.value.kind, refused.value.values["path"]) == ("service", str(folder))
    assert "administrator" in refused.value.do
    unreadable.rmdir()
    open_install(folder, environment="production")
    check_till_may_open(folder)


def heard(server: ServerProcess) -> list[MachineError | None]:
    told: list[MachineError | None] = []
    server.listen(told.append)
    return told


def codes(told: list[MachineError | None]) -> list[str]:
    return [one.code if one else "" for one in told]


def folder_of(data: Path) -> Path:
    (data / "journal").mkdir(exist_ok=True)
    return data
