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

from pos_app import __version__
from pos_app.adapters.install import Install, open_install
from pos_app.adapters.server_address import remember_address
from pos_app.adapters.server_process import ServerProcess
from pos_app.bootstrap.listening import free_port
from tests.integration.local_api.wires import served, until

OLDER, NEWER = "0.9.12", "3.10.0"


@dataclass
class LeftOver:
    """A server of this installation, of any version, that stops when asked."""

    install: Install
    version: str
    looked_at: int = 0
    """How often it was asked who it is."""
    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    def asgi(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/health", self.health),
                Route("/till/stop", self.stop, methods=["POST"]),
            ]
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
async def kept(data: Path, install: Install, *, adopt: bool) -> AsyncIterator[ServerProcess]:
    """A keeper at work on a free port; its server ends with it."""
    server = ServerProcess(data=data, install=install, port=free_port(), adopt=adopt)
    keeper = asyncio.create_task(server.keep())
    try:
        yield server
        assert not keeper.done()
    finally:
        keeper.cancel()
        await asyncio.wait({keeper})
        await server.stop()


async def test_a_start_that_failed_is_tried_again(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    install = open_install(folder, environment="demo")
    in_the_way = folder / "logs"
    in_the_way.write_text("a file where the folder of the logs is wanted")
    async with kept(folder, install, adopt=False) as server:
        await until(lambda: "the server can't be started" in caplog.text)
        assert server.pid is None
        in_the_way.unlink()
        await until(lambda: server.pid is not None)


@pytest.mark.parametrize("adopt", [True, False], ids=["shop", "demo"])
async def test_an_older_server_is_replaced(folder: Path, adopt: bool) -> None:
    install = open_install(folder, environment="demo")
    left = LeftOver(install, OLDER)
    async with served(left.asgi()) as address:
        remember_address(folder_of(folder), address)
        async with kept(folder, install, adopt=adopt):
            await asyncio.wait_for(left.stopped.wait(), 10)


@pytest.mark.parametrize("adopt", [True, False], ids=["shop", "demo"])
@pytest.mark.parametrize("version", [NEWER, f"{__version__}.1", "unreadable"])
async def test_a_newer_server_is_left_alone(folder: Path, version: str, adopt: bool) -> None:
    install = open_install(folder, environment="demo")
    left = LeftOver(install, version)
    async with served(left.asgi()) as address:
        remember_address(folder_of(folder), address)
        async with kept(folder, install, adopt=adopt) as server:
            await until(lambda: left.looked_at >= 2)
            assert server.pid is None
            assert not left.stopped.is_set()


async def test_a_server_starts_when_the_newer_one_is_gone(folder: Path) -> None:
    install = open_install(folder, environment="demo")
    left = LeftOver(install, NEWER)
    async with served(left.asgi()) as address:
        remember_address(folder_of(folder), address)
        async with kept(folder, install, adopt=True) as server:
            await until(lambda: left.looked_at >= 1)
            left.stopped.set()
            await until(lambda: server.pid is not None)


def folder_of(data: Path) -> Path:
    """The data folder with the place where a server keeps its address."""
    (data / "journal").mkdir(exist_ok=True)
    return data
