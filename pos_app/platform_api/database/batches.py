"""Small writes of many requests at once, in one transaction: a commit waits for the disk, and a
thousand tills would wait one after the other.

A write is a generator: it gives a statement with its values, gets the rows, and returns what came
of it; the same one serves both databases. Its statements go to the driver as they are: through the
layers above each costs a worker four times as much (measured: 0.4 ms).
"""

from __future__ import annotations

import asyncio
import sqlite3  # noqa: TID251 - aiosqlite's, the only one in this program
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import psycopg
from sqlalchemy import ClauseElement
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from pos_app.errors import DatabaseBusy, MachineError
from pos_app.platform_api.database.engine import Database, machine_error

MOST_AT_ONCE = 64

_SQLITE = SQLiteDialect_pysqlite(paramstyle="named")
_POSTGRESQL = PGDialect_psycopg()  # type: ignore[no-untyped-call]

T = TypeVar("T")
Values = Mapping[str, Any]
Rows = Sequence[tuple[Any, ...]]


class Statement:
    """A statement in the spelling of each driver; one that changes something has RETURNING.

    postgresql: where it is another one there.
    """

    def __init__(self, statement: ClauseElement, postgresql: ClauseElement | None = None) -> None:
        compiled = statement.compile(dialect=_SQLITE)
        self.sqlite = str(compiled)
        self.postgresql = str(
            (statement if postgresql is None else postgresql).compile(dialect=_POSTGRESQL)
        )
        self.fixed: dict[str, Any] = dict(compiled.params)
        """Values that belong to the statement; those that the caller gives are None here."""


Step = tuple[Statement, Values]
Write = Generator[Step, Rows, T]


def _changed(statement: Statement, values: Values) -> Write[bool]:
    return bool((yield statement, values))


@dataclass(frozen=True, slots=True)
class _Waiting:
    write: Write[Any]
    order: str
    done: asyncio.Future[Any]

    def fail(self, error: BaseException) -> None:
        if not self.done.done():
            self.done.set_exception(error)


class Batches:
    """What comes while a transaction is written goes into the next one."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[_Waiting] = []
        self._task: asyncio.Task[None] | None = None

    async def changed(self, statement: Statement, values: Values) -> bool:
        """Whether the statement changed a row, once that is committed. Raises MachineError."""
        return await self.done(_changed(statement, values))

    async def done(self, write: Write[T], *, order: str = "") -> T:
        """What the write returns, once it is committed. Raises MachineError.

        order: by which the writes of a transaction are sorted: the row that each locks before the
        rest, so that two workers never wait for each other.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(write, order, done))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work(), name="relay writes")
        return await done

    async def _work(self) -> None:
        while self._waiting:
            batch = self._waiting[:MOST_AT_ONCE]
            del self._waiting[:MOST_AT_ONCE]
            batch.sort(key=lambda one: one.order)
            try:
                await self._commit(batch)
            except MachineError as error:
                for one in batch:
                    one.fail(error)
            except BaseException:
                for one in batch:
                    one.fail(DatabaseBusy("A write to the platform's database was given up."))
                raise

    async def _commit(self, batch: list[_Waiting]) -> None:
        writes = [one.write for one in batch]
        try:
            if self._database.is_shared:
                async with self._database.writing() as connection:
                    driver = (await connection.get_raw_connection()).driver_connection
                    told = await _on_postgresql(driver, writes)
            else:
                told = await self._database.written(_on_sqlite(writes))
        except (sqlite3.Error, psycopg.Error) as error:
            busy = DatabaseBusy("The platform's database does not take a write.")
            raise (machine_error(error) or busy) from error
        for one, result in zip(batch, told, strict=True):
            if not one.done.done():
                one.done.set_result(result)


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


async def _on_postgresql(driver: Any, writes: Sequence[Write[Any]]) -> list[Any]:
    """The first statements of all go in one packet: most writes have no second one."""
    first = [next(write) for write in writes]
    async with driver.pipeline():
        cursors = [await _executed(driver, *step) for step in first]
        told = [await cursor.fetchall() for cursor in cursors]
    return [await _go_on(driver, write, rows) for write, rows in zip(writes, told, strict=True)]


async def _go_on(driver: Any, write: Write[T], rows: Rows) -> T:
    try:
        while True:
            step = write.send(rows)
            rows = await (await _executed(driver, *step)).fetchall()
    except StopIteration as end:
        result: T = end.value
        return result


async def _executed(driver: Any, statement: Statement, values: Values) -> Any:
    return await driver.execute(statement.postgresql, {**statement.fixed, **values}, prepare=True)
