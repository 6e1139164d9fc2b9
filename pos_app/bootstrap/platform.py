"""The self-hosted platform as a program, and its first accounts and keys by command line."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from pos_app import __version__, log
from pos_app.adapters.clock import SystemClock
from pos_app.bootstrap.http_protocol import ConnectionLimits
from pos_app.bootstrap.platform_workers import PORT_SETTING, until_parent_ends
from pos_app.bootstrap.serving import serve, stop_on_signals
from pos_app.platform_api.accounts import make_account
from pos_app.platform_api.app import busy, create_app
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.errors import malformed_http
from pos_app.platform_api.files.store import FOLDER as FILES_FOLDER
from pos_app.platform_api.files.store import FileStore
from pos_app.platform_api.keys import ALL_SCOPES, NewKey, make_key
from pos_app.platform_api.relay.program import relaying
from pos_app.settings import Settings

FOLDER = "platform"
"""In the data folder."""
_BODY_SECONDS = 120.0
"""For a picture of 20 MiB over a line of 1.4 Mbit/s."""
_CONNECTIONS = 4096
_OPEN_CONNECTIONS = 1024

_log = log.get(__name__)


async def run_platform(
    settings: Settings, *, ready: Callable[[str], None], inherited: Sequence[int] = ()
) -> None:
    """Serve the platform until SIGTERM.

    inherited: descriptors of listening sockets; this is a worker then, and ends with its parent.
    Raises PortTaken, SettingsBroken and what the database raises.
    """
    stop = asyncio.Event()
    sockets = [socket.socket(fileno=number) for number in inherited]
    told = settings.platform_server

    def on_ready(address: str) -> None:
        _log.info("ready", extra={"fields": {"address": address}})
        ready(address)

    with stop_on_signals(stop):
        async with _database(settings) as database, _ending_with_parent(stop, bool(inherited)):
            context = PlatformContext(
                database=database,
                clock=SystemClock(),
                version=__version__,
                files=FileStore.open(told.files, folder=settings.data / FOLDER / FILES_FOLDER),
                public_url=told.public_url,
                metrics_token=told.metrics_token,
            )
            limits = ConnectionLimits(
                body_seconds=_BODY_SECONDS,
                connections=_CONNECTIONS,
                open_connections=_OPEN_CONNECTIONS,
                busy=busy,
                malformed=malformed_http,
            )
            async with relaying(
                database, context.clock, address=told.database_url, metrics=context.metrics
            ) as relay:
                await serve(
                    create_app(context, relay),
                    host=told.host,
                    port=told.port,
                    ready=on_ready,
                    stop=stop,
                    sockets=sockets,
                    setting=PORT_SETTING,
                    limits=limits,
                    websockets=True,
                )


@asynccontextmanager
async def _ending_with_parent(stop: asyncio.Event, is_worker: bool) -> AsyncIterator[None]:
    if not is_worker:
        yield
        return
    watching = asyncio.create_task(until_parent_ends(stop), name="end with the parent")
    try:
        yield
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


async def add_account(settings: Settings, name: str) -> str:
    """Make an account; its id."""
    async with _database(settings) as database, database.writing() as connection:
        return await make_account(connection, name=name, now=SystemClock().now())


async def add_key(settings: Settings, account_id: str) -> NewKey:
    """Make a key with all scopes. Raises NotFound for an unknown account."""
    async with _database(settings) as database, database.writing() as connection:
        return await make_key(
            connection,
            account_id,
            name="command line",
            scopes=ALL_SCOPES,
            now=SystemClock().now(),
        )


@asynccontextmanager
async def _database(settings: Settings) -> AsyncIterator[Database]:
    folder = settings.data / FOLDER
    database = await Database.open(settings.platform_server.database_url, folder=folder)
    try:
        yield database
    finally:
        await database.close()
