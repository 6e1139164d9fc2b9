"""Joins the relay of one worker: its memory, its connections, the other workers."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from sqlalchemy import and_, select

from pos_app import log
from pos_app.clock import Clock, now_ms
from pos_app.errors import MachineError
from pos_app.keep_running import keep_running
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.tables import STORE
from pos_app.platform_api.keep_dropping import keep_dropping
from pos_app.platform_api.metrics import WorkerMetrics
from pos_app.platform_api.quotas import QuotaKeeper, Quotas
from pos_app.platform_api.relay.answers import AnswerTaker, PdfFiles
from pos_app.platform_api.relay.connection import Relay, notify_here, refused
from pos_app.platform_api.relay.hub import Hub
from pos_app.platform_api.relay.presence import Presence
from pos_app.platform_api.relay.revocations import keep_closing
from pos_app.platform_api.relay.service import RelayService
from pos_app.platform_api.relay.stored_commands import Commands
from pos_app.platform_api.relay.workers import QUIET_SECONDS, OtherWorkers
from pos_app.platform_api.slow_work import SlowWork
from pos_app.platform_api.sold_articles import written_sold
from pos_app.wire.relay import RefusalCode

BEAT_SECONDS = 5.0
SHED_SECONDS = 600.0
MOST_SHED = 100
"""The most commands that one transaction drops, in some milliseconds."""
_DAY_MS = 24 * 60 * 60 * 1000
_ALONE = "alone"
"""The worker's name for a database with only one."""

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class RelayRoom:
    """The joined relay. service: for callers; front: for applications; files: the PDFs of links;
    answers: stores answers."""

    service: RelayService
    front: Relay
    files: PdfFiles
    answers: AnswerTaker
    hub: Hub
    presence: Presence

    async def leave(self) -> None:
        """Stop the worker: requests to its applications end, new commands are declined, and no
        other worker waits for it."""
        await self.hub.leave()
        await _ended(self.presence, self.service.worker)


@asynccontextmanager
async def relaying(
    database: Database,
    clock: Clock,
    *,
    keep_days: int = 30,
    metrics: WorkerMetrics | None = None,
    quotas: QuotaKeeper | None = None,
    slow_work: SlowWork | None = None,
    quiet_seconds: float = QUIET_SECONDS,
) -> AsyncIterator[RelayRoom]:
    """Relay while inside.

    keep_days: bodies and answers are kept this long after the last request for them. metrics,
    quotas: may be None. slow_work: the worker's `SlowWork`, or None to make one for the relay.
    quiet_seconds: see `workers`. Raises MachineError where the database is away when it begins.
    """
    hub, commands = Hub() if metrics is None else Hub(metrics.connected), Commands(database)
    presence, files = Presence(database, commands.batches), PdfFiles(database)
    store_known = partial(_has_store, database)
    worker = secrets.token_hex(8) if database.is_shared else _ALONE
    await presence.end(worker)  # a killed program left these rows
    async with AsyncExitStack() as stack:
        others = None
        if database.is_shared:
            others = OtherWorkers(
                database=database,
                worker=worker,
                hub=hub,
                commands=commands,
                presence=presence,
                clock=clock,
                quiet_seconds=quiet_seconds,
            )
            stack.push_async_callback(others.close)
            _running(stack, others.run, "news of the workers")
        await presence.beat(worker, now_ms=now_ms(clock))
        _running(stack, partial(_beating, presence, hub, worker, clock), "beat of the worker")
        stack.push_async_callback(_ended, presence, worker)
        _running(stack, partial(_shedding, commands, clock, keep_days), "old commands")
        _running(stack, partial(keep_closing, database, hub, presence, clock), "revoked keys")
        slow = slow_work or SlowWork()
        answers = AnswerTaker(hub, commands, files, clock, slow)
        sold, tell = partial(written_sold, database, slow), others.notify if others else None
        kept = quotas or QuotaKeeper(Quotas(), clock, lambda quota: None)
        service = RelayService(hub, presence, commands, clock, worker, others, store_known, sold)
        relay = Relay(hub, presence, answers, clock, worker, store_known, slow, kept, tell)
        yield RelayRoom(service, relay, files, answers, hub, presence)


async def _ended(presence: Presence, worker: str) -> None:
    try:
        await presence.end(worker)
    except MachineError as error:  # the worker's beats end all the same
        _log.error("the end of the worker can't be told: %s", error.what)


def _running(
    stack: AsyncExitStack, work: Callable[[], Coroutine[object, object, None]], name: str
) -> None:
    task = asyncio.create_task(keep_running(work, name), name=name)

    async def end() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    stack.push_async_callback(end)


async def _beating(presence: Presence, hub: Hub, worker: str, clock: Clock) -> None:
    while True:
        await asyncio.sleep(BEAT_SECONDS)
        try:
            await presence.beat(worker, now_ms=now_ms(clock))
            await _let_go(presence, hub, worker)
        except MachineError as error:
            _log.error("the worker can't tell that it is alive: %s", error.what)


async def _let_go(presence: Presence, hub: Hub, worker: str) -> None:
    """Close the connections that were replaced without this worker's hearing of it: news may be
    lost, and a worker that stood still counts as gone meanwhile."""
    before = hub.admitted()
    noted = await presence.connections_of(worker) if before else set[str]()
    still = {id(each) for each in hub.admitted()}
    for connected in before:
        if connected.application.connection not in noted and id(connected) in still:
            notify_here(hub, connected, refused(RefusalCode.REPLACED))


async def _shedding(commands: Commands, clock: Clock, keep_days: int) -> None:
    async def some() -> int:
        return await commands.shed(before_ms=now_ms(clock) - keep_days * _DAY_MS, most=MOST_SHED)

    await keep_dropping(some, MOST_SHED, "commands", every_seconds=SHED_SECONDS)


async def _has_store(database: Database, account: str, store: str) -> bool:
    mine = and_(STORE.c.id == store, STORE.c.account_id == account, STORE.c.deleted_at.is_(None))
    async with database.reading() as connection:
        return (await connection.execute(select(STORE.c.id).where(mine))).first() is not None
