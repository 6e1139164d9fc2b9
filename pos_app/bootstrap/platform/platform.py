"""The self-hosted platform as a program."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    nullcontext,
)
from dataclasses import replace
from functools import partial
from typing import Any, cast

from starlette.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from pos_app import __version__, log
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.http_server.protocol import ConnectionLimits
from pos_app.adapters.http_server.serving import serve, stop_on_signals
from pos_app.adapters.open_files import raise_limit
from pos_app.adapters.signers.platform_signers import PlatformSigners
from pos_app.bootstrap.platform.accounts import FOLDER, opened_database
from pos_app.bootstrap.platform.signers import signing
from pos_app.bootstrap.platform.workers import PORT_SETTING, no_core_files, until_parent_ends
from pos_app.http_front.errors import late_body
from pos_app.keep_running import keep_running
from pos_app.platform_api.app import busy, create_app
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.errors import malformed_http
from pos_app.platform_api.file_store import FOLDER as FILES_FOLDER
from pos_app.platform_api.file_store import FileStore
from pos_app.platform_api.files.sweep import keep_swept
from pos_app.platform_api.relay.program import RelayRoom, relaying
from pos_app.settings import Settings

_BODY_SECONDS = 120.0
"""For a picture of 20 MiB over a line of 1.4 Mbit/s."""
_WRITE_SECONDS = 120.0
"""A system with a large buffer takes nothing for 30 seconds while its program reads 100 kB/s."""
_OPEN_CONNECTIONS = 1024
_FILES_BESIDE = 256
"""Open files that are no connection of a caller's or a till's."""

_COLLECT_AFTER = (5_000, 5, 100)
"""Objects that are new, and how often the younger ones are looked through before the older."""

_LIMITS = ConnectionLimits(
    body_seconds=_BODY_SECONDS,
    write_seconds=_WRITE_SECONDS,
    open_connections=_OPEN_CONNECTIONS,
    busy=busy,
    malformed=malformed_http,
    late=late_body,
)

_log = log.get(__name__)


async def run_platform(
    settings: Settings,
    *,
    ready: Callable[[str], None],
    inherited: Sequence[int] = (),
    log_json: bool = False,
) -> None:
    """Serve the platform until SIGTERM.

    inherited: descriptors of listening sockets; this is a worker then, and ends with its parent.
    Raises PortTaken, SettingsBroken, AlreadyRunning and what the database raises.
    """
    stop = asyncio.Event()
    sockets = [socket.socket(fileno=number) for number in inherited]
    told = settings.platform_server
    raise_limit(told.connections + _FILES_BESIDE)

    def on_ready(address: str) -> None:
        _log.info("ready", extra={"fields": {"address": address}})
        _collect_seldom()
        ready(address)

    with stop_on_signals(stop), _alone_on_its_file(settings):
        async with (
            opened_database(settings) as database,
            database.served(),
            _ending_with_parent(stop, bool(inherited)),
            _beside(database.look_for_damage(), "look for damage"),
            nullcontext() if inherited else signing(settings, log_json=log_json),
            _signers(settings) as signers,
        ):
            context = _context(settings, database, signers)
            async with _store_kept(context), _relay(context, told.relay_days) as relay:
                await serve(
                    _behind(told.trusted_proxies, create_app(context, relay)),
                    host=told.host,
                    port=told.port,
                    ready=on_ready,
                    stop=stop,
                    sockets=sockets,
                    setting=PORT_SETTING,
                    limits=replace(_LIMITS, connections=told.connections),
                    websockets=True,
                )


def _relay(context: PlatformContext, keep_days: int) -> AbstractAsyncContextManager[RelayRoom]:
    return relaying(
        context.database,
        context.clock,
        keep_days=keep_days,
        metrics=context.metrics,
        slow_work=context.slow_work,
    )


def _context(
    settings: Settings, database: Database, signers: PlatformSigners | None
) -> PlatformContext:
    told = settings.platform_server
    return PlatformContext(
        database=database,
        clock=SystemClock(),
        version=__version__,
        files=FileStore.open(told.files, folder=settings.data / FOLDER / FILES_FOLDER),
        public_url=told.public_url,
        metrics_token=told.metrics_token,
        signers=signers,
    )


def _collect_seldom() -> None:
    """What the program loaded stays, and is not looked through again and again: with a thousand
    connections that stopped the worker for up to 0.3 s on a busy machine (measured)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)


def _behind(proxies: Sequence[str], app: ASGIApp) -> ASGIApp:
    """What comes from a proxy comes from the address, and by the scheme, that the proxy tells."""
    if not proxies:
        return app
    return cast("ASGIApp", ProxyHeadersMiddleware(cast("Any", app), list(proxies)))


@asynccontextmanager
async def _signers(settings: Settings) -> AsyncIterator[PlatformSigners | None]:
    """None where certificate mode is off."""
    if not settings.platform_server.signers:
        yield None
        return
    no_core_files()
    signers = PlatformSigners(settings)
    try:
        yield signers
    finally:
        await signers.close()


def _alone_on_its_file(settings: Settings) -> AbstractContextManager[object]:
    """A second one on the same file would not know the tills of the first."""
    if settings.platform_server.database_url:
        return nullcontext()
    return FolderLock(settings.data / FOLDER / "serving.lock", what="platform")


@asynccontextmanager
async def _store_kept(context: PlatformContext) -> AsyncIterator[None]:
    """While inside, the store of files is swept and looked at."""
    sweep = partial(keep_swept, context.database, context.files, context.clock)
    async with (
        _beside(keep_running(sweep, "the sweep"), "sweep"),
        _beside(keep_running(context.files.keep_looking, "looks at the files"), "looks"),
    ):
        yield


@asynccontextmanager
async def _ending_with_parent(stop: asyncio.Event, is_worker: bool) -> AsyncIterator[None]:
    if not is_worker:
        yield
        return
    async with _beside(until_parent_ends(stop), "end with the parent"):
        yield


@asynccontextmanager
async def _beside(work: Coroutine[object, object, None], name: str) -> AsyncIterator[None]:
    task = asyncio.create_task(work, name=name)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
