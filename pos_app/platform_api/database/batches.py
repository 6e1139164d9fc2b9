"""Writes small changes of many requests in one transaction. A commit waits for the disk, so a
thousand tills would otherwise wait one after the other.

A write is a generator: it yields a statement with its values, gets the rows, and returns the
result. The same generator serves both databases. The statements go to the driver as they are,
because through the layers above the driver each would cost a worker four times as much (measured:
0.4 ms).

On PostgreSQL batches have a connection of their own, and each batch is sent in one packet. If the
database refuses a write, the batch is undone, and each of its writes is repeated by itself, because
they belong to different callers. A write may carry news for another worker, which gets the news
once the write is committed.
"""

from __future__ import annotations

import asyncio
import sqlite3  # noqa: TID251 - aiosqlite's, the only one in this program
from collections.abc import Callable, Generator, Mapping, Sequence
from contextvars import Context
from functools import partial
from typing import Any, TypeVar

import psycopg
from sqlalchemy import ClauseElement
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from pos_app import log
from pos_app.errors import DatabaseBusy, MachineError
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.database.engine import Database, machine_error
from pos_app.platform_api.database.postgresql import answering, connected, is_gone

MOST_AT_ONCE = 64
ANSWER_SECONDS = 15.0
"""The limit for a batch; a database that is silent for so long counts as gone."""

_SQLITE = SQLiteDialect_pysqlite(paramstyle="named")
_POSTGRESQL = PGDialect_psycopg()  # type: ignore[no-untyped-call]

_ANNOUNCING = (
    "WITH changed AS ({}) SELECT changed.*, pg_notify(%(of_channel)s, %(of_message)s) FROM changed"
)

_log = log.get(__name__)

T = TypeVar("T")
Values = Mapping[str, Any]
Rows = Sequence[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class ChannelMessage:
    """A message for the listeners of a channel of PostgreSQL."""

    channel: str
    message: str


class Statement:
    """A statement in the spelling of each driver. A statement that changes something has RETURNING.
    postgresql: its form for PostgreSQL where that differs."""

    def __init__(self, statement: ClauseElement, postgresql: ClauseElement | None = None) -> None:
        compiled = statement.compile(dialect=_SQLITE)
        self.sqlite = str(compiled)
        self.postgresql = str(
            (statement if postgresql is None else postgresql).compile(dialect=_POSTGRESQL)
        )
        self.announcing = _ANNOUNCING.format(self.postgresql)
        """The same statement, which also sends news if it changed a row."""
        self.fixed: dict[str, Any] = dict(compiled.params)
        """The statement's own values; the caller's are None here."""


BoundStatement = tuple[Statement, Values]
Write = Generator[BoundStatement, Rows, T]


def _one_step(statement: Statement, values: Values) -> Write[Rows]:
    return (yield statement, values)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A write in the queue. begin: starts the write. has_steps: further statements may depend on
    the result of the first. line: the required connection, or None for any."""

    begin: Callable[[], Write[Any]]
    order: str
    done: asyncio.Future[Any]
    has_steps: bool = True
    line: object | None = None

    def fail(self, error: BaseException) -> None:
        if not self.done.done():
            self.done.set_exception(error)


class Batches:
    """Collects the writes that come while a transaction is being written; they make up the next
    one. is_durable: whether a commit is on the disk when it is reported. If not, the commit is
    visible at once, but is lost if PostgreSQL crashes within a second."""

    def __init__(self, database: Database, *, is_durable: bool = True) -> None:
        self._database = database
        self._is_durable = is_durable
        self._waiting: list[_Waiting] = []
        self._task: asyncio.Task[None] | None = None
        self._connection: psycopg.AsyncConnection | None = None
        database.closes_first(self.close)

    @property
    def line(self) -> object | None:
        """The connection of the writes. While it stays the same, PostgreSQL has not ended, and no
        reported commit is lost. It is None before the first connection."""
        return self._connection if self._database.is_shared else self

    async def changed(
        self,
        statement: Statement,
        values: Values,
        *,
        order: str = "",
        news: ChannelMessage | None = None,
        line: object | None = None,
    ) -> bool:
        """Tell whether the statement changed a row, once that is committed. Raises MachineError.
        news: sent with the commit if a row was changed. line: the connection that the write needs,
        or None for any; on another connection nothing is changed."""
        if news is not None:
            values = {**values, "of_channel": news.channel, "of_message": news.message}
        return bool(await self.rows(statement, values, order=order, line=line))

    async def rows(
        self, statement: Statement, values: Values, *, order: str = "", line: object | None = None
    ) -> Rows:
        """Return the statement's rows, once it is committed. Raises MachineError."""
        begin = partial(_one_step, statement, values)
        return await self._added(begin, order, has_steps=False, line=line)

    async def done(self, begin: Callable[[], Write[T]], *, order: str = "") -> T:
        """Return the write's result, once it is committed. Raises MachineError. begin: starts the
        write, which may be tried again. order: sorts the writes of a transaction by the row that
        each locks first, so that two workers never wait for each other."""
        return await self._added(begin, order, has_steps=True)

    async def _added(
        self,
        begin: Callable[[], Write[T]],
        order: str,
        *,
        has_steps: bool,
        line: object | None = None,
    ) -> T:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(begin, order, done, has_steps, line))
        if self._task is None or self._task.done():
            work = self._work()  # it serves many requests, so its log names none of them
            self._task = asyncio.create_task(work, name="relay writes", context=Context())
        return await done

    async def _work(self) -> None:
        while self._waiting:
            batch = self._waiting[:MOST_AT_ONCE]
            del self._waiting[:MOST_AT_ONCE]
            batch.sort(key=lambda entry: entry.order)
            try:
                await self._settle(batch)
            except BaseException:
                for one in batch:
                    one.fail(DatabaseBusy("given_up"))
                raise

    async def _settle(self, batch: list[_Waiting]) -> None:
        try:
            await self._commit(batch)
        except MachineError as error:
            for one in batch:
                one.fail(error)
        except (sqlite3.Error, psycopg.Error, ValueError, OverflowError) as error:
            if len(batch) == 1:
                _log.exception("a write that the platform's database refuses")
                batch[0].fail(error)
                return
            for one in batch:
                await self._settle([one])

    async def _commit(self, batch: list[_Waiting]) -> None:
        try:
            if self._database.is_shared:
                batch, entries = await self._on_postgresql(batch)
            else:
                entries = await self._database.written(_on_sqlite([one.begin() for one in batch]))
        except (sqlite3.Error, psycopg.Error) as error:
            fault = machine_error(error)
            if fault is None:
                raise
            raise fault from error
        for one, result in zip(batch, entries, strict=True):
            if not one.done.done():
                one.done.set_result(result)

    async def _on_postgresql(self, batch: list[_Waiting]) -> tuple[list[_Waiting], list[Any]]:
        """Write a batch; writes that need another connection are returned last, unsent."""
        if self._connection is None or is_gone(self._connection):
            await self.close()
            self._connection = await connected(self._database.address)
            if not self._is_durable:
                with answering(self._connection, ANSWER_SECONDS):
                    await self._connection.execute("SET synchronous_commit TO off")
        fits = [one for one in batch if one.line in (None, self._connection)]
        late = [one for one in batch if one.line not in (None, self._connection)]
        try:
            with answering(self._connection, ANSWER_SECONDS):
                entries = await sent(self._connection, fits) if fits else []
                return fits + late, entries + [[] for _ in late]
        except BaseException:  # PostgreSQL then undoes everything half done
            await self.close()
            raise

    async def close(self) -> None:
        """Close the connection; later writes connect again."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


def _on_sqlite(writes: Sequence[Write[Any]]) -> Callable[[sqlite3.Connection], list[Any]]:
    def run(connection: sqlite3.Connection) -> list[Any]:
        return [_run_on_sqlite(connection, write) for write in writes]

    return run


def _run_on_sqlite(connection: sqlite3.Connection, write: Write[T]) -> T:
    try:
        statement, values = next(write)
        while True:
            rows = connection.execute(statement.sqlite, {**statement.fixed, **values}).fetchall()
            statement, values = write.send(rows)
    except StopIteration as end:
        result: T = end.value
        return result


async def sent(driver: psycopg.AsyncConnection, batch: Sequence[_Waiting]) -> list[Any]:
    """Return each result, once everything is committed."""
    writes = [one.begin() for one in batch]
    if len(batch) == 1 and not batch[0].has_steps:  # it is a transaction by itself
        return [await (await _executed(driver, *next(writes[0]))).fetchall()]
    async with driver.pipeline():  # an error ends it before COMMIT is sent
        await driver.execute("BEGIN", prepare=True)
        cursors = [await _executed(driver, *next(write)) for write in writes]
        if not any(one.has_steps for one in batch):
            await driver.execute("COMMIT", prepare=True)
        else:
            rows = [
                await _go_on(driver, write, await cursor.fetchall())
                for write, cursor in zip(writes, cursors, strict=True)
            ]
            await driver.execute("COMMIT", prepare=True)
            return rows
    return [await cursor.fetchall() for cursor in cursors]


async def _go_on(driver: Any, write: Write[T], rows: Rows) -> T:
    try:
        while True:
            step = write.send(rows)
            rows = await (await _executed(driver, *step)).fetchall()
    except StopIteration as end:
        result: T = end.value
        return result


async def _executed(driver: Any, statement: Statement, values: Values) -> Any:
    text = statement.announcing if "of_channel" in values else statement.postgresql
    return await driver.execute(text, {**statement.fixed, **values}, prepare=True)
