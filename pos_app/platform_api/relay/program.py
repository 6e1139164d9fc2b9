"""The relay of one worker, joined: what it remembers, who is connected, the other workers."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from sqlalchemy import and_, select

from pos_app import log
from pos_app.clock import Clock
from pos_app.errors import MachineError
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.tables import STORE
from pos_app.platform_api.metrics import Metrics
from pos_app.platform_api.relay.answers import AnswerTaker
from pos_app.platform_api.relay.connection import Relay
from pos_app.platform_api.relay.hub import Hub
from pos_app.platform_api.relay.rows import SqlCommands, SqlPdfFiles, SqlPresence
from pos_app.platform_api.relay.service import RelayService
from pos_app.platform_api.relay.store import PdfFiles
from pos_app.platform_api.relay.workers import OtherWorkers

BEAT_SECONDS = 5.0
_ALONE = "alone"
"""The worker of a database that has only one."""

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class RelayRoom:
    """service: for callers; front: for applications; files: of the links to PDFs."""

    service: RelayService
    front: Relay
    files: PdfFiles


@asynccontextmanager
async def relaying(
    database: Database, clock: Clock, *, address: str, metrics: Metrics | None = None
) -> AsyncIterator[RelayRoom]:
    """While inside, this worker relays. address: of PostgreSQL, "" for the file."""
    hub, commands = Hub() if metrics is None else Hub(metrics.connected), SqlCommands(database)
    presence, files = SqlPresence(database), SqlPdfFiles(database)
    worker = secrets.token_hex(8) if database.is_shared else _ALONE
    await presence.end(worker)  # what a killed program left
    async with AsyncExitStack() as stack:
        others = None
        if database.is_shared:
            others = OtherWorkers(
                database=database,
                address=address.replace("+psycopg://", "://", 1),  # as SQLAlchemy may be told it
                worker=worker,
                hub=hub,
                commands=commands,
                clock=clock,
            )
            stack.push_async_callback(others.close)
            _running(stack, others.run(), "news of the workers")
        await presence.beat(worker, now_ms=_now(clock))
        _running(stack, _beating(presence, worker, clock), "beat of the worker")
        stack.push_async_callback(presence.end, worker)

        async def store_known(account: str, store: str) -> bool:
            return await _has_store(database, account, store)

        yield RelayRoom(
            RelayService(hub, presence, commands, clock, worker, others),
            Relay(
                hub=hub,
                presence=presence,
                answers=AnswerTaker(hub, commands, files, clock),
                clock=clock,
                worker=worker,
                store_known=store_known,
                elsewhere=None if others is None else others.tell,
            ),
            files,
        )


def _running(stack: AsyncExitStack, work: Coroutine[object, object, None], name: str) -> None:
    task = asyncio.create_task(work, name=name)

    async def end() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    stack.push_async_callback(end)


async def _beating(presence: SqlPresence, worker: str, clock: Clock) -> None:
    while True:
        await asyncio.sleep(BEAT_SECONDS)
        try:
            await presence.beat(worker, now_ms=_now(clock))
        except MachineError as error:
            _log.error("the worker can't tell that it is alive: %s", error.what)


async def _has_store(database: Database, account: str, store: str) -> bool:
    mine = and_(STORE.c.id == store, STORE.c.account_id == account, STORE.c.deleted_at.is_(None))
    async with database.reading() as connection:
        return (await connection.execute(select(STORE.c.id).where(mine))).first() is not None


def _now(clock: Clock) -> int:
    return int(clock.now().timestamp() * 1000)
