"""Runs the development processor as a program, and inside the server."""

from __future__ import annotations

import asyncio
import logging
import os
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import ValidationError
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pos_app import log
from pos_app.adapters.http_server.protocol import TimedH11
from pos_app.adapters.http_server.serving import serve, stop_on_signals
from pos_app.errors import DataFolderNotWritable, DiskFull, Invalid
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.control import create_control_app
from pos_app.pfr_emulator.cutting import CuttableH11
from pos_app.pfr_emulator.processor import Processor

if TYPE_CHECKING:
    from pos_app.pfr_emulator.authority import Authority

Mode = Literal["lpfr", "vpfr"]
_GRACE_SECONDS = 2
"""Stopping waits only so long for a request whose answer a fault delays."""

_log = log.get(__name__)


async def run_processor(
    folder: Path,
    *,
    host: str,
    port: int,
    mode: Mode,
    control_port: int | None,
    ready: Callable[[str], None],
) -> None:
    """Serve the processor of `folder` until SIGTERM, with the control port if requested. A V-PFR is
    served over TLS and demands a certificate of its own authority."""
    stop = asyncio.Event()
    with stop_on_signals(stop):
        processor = Processor.open(folder=folder, mode=mode)
        try:
            authority = _authority(folder) if mode == "vpfr" else None
            tls = authority.server_context(host) if authority is not None else None
            app = create_app(processor)
            servers = [_serve(app, host=host, port=port, ready=ready, stop=stop, tls=tls)]
            if control_port is not None:
                control = create_control_app(processor, authority)
                servers.append(_serve_control(control, control_port, stop))
            await _until_one_ends([asyncio.ensure_future(server) for server in servers], stop)
        finally:
            processor.close()


async def _until_one_ends(servers: list[asyncio.Future[None]], stop: asyncio.Event) -> None:
    """Serve until one server ends, by error or by being stopped; then end all."""
    try:
        await asyncio.gather(*servers)
    finally:
        stop.set()
        await asyncio.gather(*servers, return_exceptions=True)


def _authority(folder: Path) -> Authority:
    """Load the authority. Only a V-PFR needs it, and loading takes 100 ms."""
    from pos_app.pfr_emulator.authority import Authority

    return Authority.open(folder)


def issue_certificate(
    folder: Path,
    file: Path,
    *,
    password: str,
    url: str,
    days: int,
    uid: str | None,
    tin: str | None,
) -> None:
    """Write a client certificate of the V-PFR in `folder` into a new PFX file. Raises Invalid,
    DataFolderNotWritable."""
    from pos_app.pfr_emulator.authority import CertificateOrder

    given = {"uid": uid, "tin": tin}
    try:
        order = CertificateOrder(
            password=password,
            url=url,
            days=days,
            **{name: value for name, value in given.items() if value is not None},
        )
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise Invalid("no_new_certificate", where=where, why=fault["msg"]) from error
    if file.exists():
        raise Invalid("file_exists", file=file)
    pfx = order.issue(_authority(folder))
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(pfx)
    except OSError as error:
        raise DataFolderNotWritable.of(file, error) from error


async def _serve_control(control: ASGIApp, port: int, stop: asyncio.Event) -> None:
    await serve(
        control,
        host="127.0.0.1",
        port=port,
        ready=lambda address: _log.info("control port", extra={"fields": {"address": address}}),
        stop=stop,
        grace_seconds=_GRACE_SECONDS,
    )


class TimedCuttable(CuttableH11, TimedH11):
    """A connection that the faults can cut. It cuts off a silent caller, as all our servers do."""


async def _serve(
    app: ASGIApp,
    *,
    host: str,
    port: int,
    ready: Callable[[str], None],
    stop: asyncio.Event,
    tls: ssl.SSLContext | None = None,
) -> None:
    await serve(
        app,
        host=host,
        port=port,
        ready=ready,
        stop=stop,
        http=TimedCuttable,
        grace_seconds=_GRACE_SECONDS,
        tls=tls,
    )


class _OpenedProcessor:
    """An ASGI application: the processor of a folder. If the disk is full, a later request opens
    it."""

    def __init__(self, folder: Path) -> None:
        """Open the processor. Raises what Processor.open raises, but for DiskFull."""
        self._folder = folder
        self._processor: Processor | None = None
        self._app: ASGIApp = PlainTextResponse("The disk is full", 500)
        self._open(level=logging.ERROR)

    def _open(self, *, level: int = logging.DEBUG) -> None:
        try:
            self._processor = Processor.open(folder=self._folder)
        except DiskFull as error:
            _log.log(level, "the development processor waits for room: %s", error.what)
        else:
            self._app = create_app(self._processor)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._processor is None:
            self._open()
        await self._app(scope, receive, send)

    def close(self) -> None:
        if self._processor is not None:
            self._processor.close()


@asynccontextmanager
async def development_processor(folder: Path) -> AsyncIterator[str]:
    """Serve the processor in `folder` on a free port of the loopback; yield its address. On a full
    disk the processor is opened later, because the shop's server is needed for look-ups too."""
    processor = _OpenedProcessor(folder)
    stop, begun = asyncio.Event(), asyncio.Event()
    addresses: list[str] = []

    def on_ready(address: str) -> None:
        addresses.append(address)
        begun.set()

    serving = asyncio.create_task(
        _serve(processor, host="127.0.0.1", port=0, ready=on_ready, stop=stop),
        name="development processor",
    )
    serving.add_done_callback(lambda _: begun.set())
    try:
        await begun.wait()
        if serving.done():
            await serving
        yield addresses[0]
    finally:
        stop.set()
        await asyncio.gather(serving, return_exceptions=True)
        processor.close()
