"""Runs the self-hosted platform as a program."""

from __future__ import annotations

import asyncio
import gc
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, cast

from starlette.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from pos_app import __version__, installed, log
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder.lock import locked
from pos_app.adapters.http_server.protocol import ConnectionLimits
from pos_app.adapters.http_server.serving import listening, serve, stop_on_signals
from pos_app.adapters.open_files import raise_limit
from pos_app.adapters.signers.platform_signers import PlatformSigners
from pos_app.adapters.telemetry import tracing
from pos_app.bootstrap.platform.accounts import FOLDER, opened_database
from pos_app.bootstrap.platform.signers import signing
from pos_app.bootstrap.platform.workers import PORT_SETTING, no_core_files, until_parent_ends
from pos_app.errors import MachineError
from pos_app.http_front.errors import late_body
from pos_app.keep_running import keep_running
from pos_app.platform_api.app import SERVICE, busy, create_app
from pos_app.platform_api.audit import drop_outlived
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database.clock import DatabaseClock
from pos_app.platform_api.database.engine import Database, Reserve
from pos_app.platform_api.errors import malformed_http
from pos_app.platform_api.files.sweep import keep_swept
from pos_app.platform_api.picture_files import FOLDER as FILES_FOLDER
from pos_app.platform_api.picture_files import PictureFiles
from pos_app.platform_api.quotas import Quota, Quotas
from pos_app.platform_api.relay.program import RelayRoom, relaying
from pos_app.settings import Settings
from pos_app.settings.shapes import PlatformServerSettings

_BODY_SECONDS = 120.0
"""The limit for a body: a picture of 20 MiB over a connection of 1.4 Mbit/s."""
_WRITE_SECONDS = 120.0
"""The limit for writing: a caller's system with a large buffer takes nothing for 30 seconds while
its program reads 100 kB/s."""
_OPEN_CONNECTIONS = 1024
_FILES_BESIDE = 256
"""Open files that are no connection of a caller or a till."""

_COLLECT_AFTER = (5_000, 5, 100)
"""The thresholds of Python's garbage collector, which looks at the older objects only rarely."""

_SWITCH_SECONDS = 0.001
"""How long a thread of slow work may keep Python from the loop, which waits so long at each step of
a request."""

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
    take_over: bool = False,
) -> None:
    """Serve the platform until SIGTERM.

    inherited: descriptors of listening sockets; the process is then a worker, and ends with its
    parent. take_over: wait until another program releases the port, the file and the signers.
    Raises PortTaken, SettingsBroken, AlreadyRunning and what the database raises.
    """
    stop, end = asyncio.Event(), asyncio.Event()
    sockets = [socket.socket(fileno=number) for number in inherited]
    hosting = settings.platform_server
    raise_limit(hosting.connections + _FILES_BESIDE)
    sys.setswitchinterval(_SWITCH_SECONDS)

    def waits() -> bool:
        return take_over and not stop.is_set()

    with stop_on_signals(stop):
        async with (
            _alone_on_its_file(settings, waits),
            opened_database(settings) as database,
            database.served(),
            _ending_with_parent(stop, bool(inherited)),
            _beside(database.look_for_damage(), "look for damage"),
            nullcontext() if inherited else signing(settings, log_json=log_json, waits=waits),
            _signers(settings) as signers,
        ):
            database.reserve = _reserve(settings)
            clock = DatabaseClock(SystemClock(), database)
            await clock.compare()
            context = _context(settings, database, signers, clock)
            leaving = _leaving(stop, context.leaving, end, hosting.leave_seconds)
            async with (
                _store_kept(context),
                _relay(context, hosting.relay_days) as relay,
                _beside(keep_running(_measuring(context, settings), "measures"), "measures"),
                _beside(keep_running(_dropping(context, hosting.audit_days), "audit log"), "audit"),
                _beside(leaving, "leave"),
                _beside(keep_running(clock.keep_comparing, "compares clocks"), "clock"),
            ):
                sockets = sockets or await listening(
                    hosting.host, hosting.port, setting=PORT_SETTING, waits=waits
                )
                await _serve(hosting, context, relay, sockets, ready=ready, end=end)


async def _serve(
    hosting: PlatformServerSettings,
    context: PlatformContext,
    relay: RelayRoom,
    sockets: list[socket.socket],
    *,
    ready: Callable[[str], None],
    end: asyncio.Event,
) -> None:
    def on_ready(address: str) -> None:
        _log.info("ready", extra={"fields": {"address": address}})
        _collect_seldom()
        ready(address)

    with tracing(SERVICE, context.version) as traced:
        await serve(
            _behind(hosting.trusted_proxies, traced(create_app(context, relay))),
            host=hosting.host,
            port=hosting.port,
            ready=on_ready,
            stop=end,
            sockets=sockets,
            limits=replace(_LIMITS, connections=hosting.connections),
            websockets=True,
            before_websockets_end=relay.leave,
        )


async def _leaving(
    stop: asyncio.Event, leaving: asyncio.Event, end: asyncio.Event, seconds: float
) -> None:
    """When `stop` is set, let /ready say that this platform leaves; after so many seconds set
    `end`, and nobody is accepted any more."""
    await stop.wait()
    leaving.set()
    await asyncio.sleep(seconds)
    end.set()


def _relay(context: PlatformContext, keep_days: int) -> AbstractAsyncContextManager[RelayRoom]:
    return relaying(
        context.database,
        context.clock,
        keep_days=keep_days,
        metrics=context.metrics,
        quotas=context.quotas,
        slow_work=context.slow_work,
    )


def _context(
    settings: Settings, database: Database, signers: PlatformSigners | None, clock: DatabaseClock
) -> PlatformContext:
    hosting = settings.platform_server
    return PlatformContext(
        database=database,
        clock=clock,
        clock_warning=lambda: clock.warning,
        program_warning=_program_warning,
        version=__version__,
        files=PictureFiles.open(hosting.files, folder=settings.data / FOLDER / FILES_FOLDER),
        public_url=hosting.public_url,
        metrics_token=hosting.metrics_token,
        signers=signers,
        most=_quotas(hosting),
    )


def _program_warning() -> str:
    try:
        installed.check_own()
    except MachineError as error:
        return f"{error.what} {error.do}"
    return ""


def _measuring(
    context: PlatformContext, settings: Settings
) -> Callable[[], Coroutine[object, object, None]]:
    return partial(context.metrics.keep_measuring, context.database, settings.data / FOLDER)


def _dropping(context: PlatformContext, days: int) -> Callable[[], Coroutine[object, object, None]]:
    return partial(drop_outlived, context.database, context.clock, days)


def _reserve(settings: Settings) -> Reserve:
    hosting = settings.platform_server
    free, most = hosting.reserve_megabytes, hosting.database_megabytes
    return Reserve(settings.data / FOLDER, free * 1_000_000, most * 1_000_000)


def _quotas(hosting: PlatformServerSettings) -> Quotas:
    return Quotas(
        applications=Quota(hosting.quota_applications, hosting.quota_key_applications),
        requests=Quota(hosting.quota_requests, hosting.quota_key_requests),
        a_second=Quota(hosting.quota_per_second, hosting.quota_key_per_second),
        clients=hosting.quota_clients,
        rows=hosting.quota_rows,
        stored_bytes=hosting.quota_megabytes * 1_000_000,
    )


def _collect_seldom() -> None:
    """Exclude the loaded objects from collections: with a thousand connections these stopped the
    worker for up to 0.3 s on a busy machine (measured)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)


def _behind(proxies: Sequence[str], app: ASGIApp) -> ASGIApp:
    if not proxies:
        return app
    return cast("ASGIApp", ProxyHeadersMiddleware(cast("Any", app), list(proxies)))


@asynccontextmanager
async def _signers(settings: Settings) -> AsyncIterator[PlatformSigners | None]:
    if not settings.platform_server.signers:
        yield None
        return
    no_core_files()
    signers = PlatformSigners(settings)
    try:
        yield signers
    finally:
        await signers.close()


@asynccontextmanager
async def _alone_on_its_file(settings: Settings, waits: Callable[[], bool]) -> AsyncIterator[None]:
    """Keep a second platform off the same file: it would not know the tills of the first."""
    if settings.platform_server.database_url:
        yield
        return
    with await locked(settings.data / FOLDER / "serving.lock", "platform", waits):
        yield


@asynccontextmanager
async def _store_kept(context: PlatformContext) -> AsyncIterator[None]:
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
