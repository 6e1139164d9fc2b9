"""Connections and transactions.

SQLite: readers see the state at which they began, and never wait. One connection writes, each time
under BEGIN IMMEDIATE (the driver's own transactions lose updates) and under a lock of the system
that other programs on the same file take too. The lock is also held while the log is copied into
the file: SQLite before 3.51.3 can lose a write at the very moment of a copy. PostgreSQL has its own
transactions; a transaction that reads and then writes locks the row that it read.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3  # noqa: TID251 - aiosqlite's, the only one in this program
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)
from contextvars import ContextVar
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar
from weakref import WeakValueDictionary

import psycopg
from sqlalchemy import URL, event, inspect, make_url, text, update
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import QueuePool

from pos_app import errors, log
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.database import damage, lost_log, postgresql, schema, tables
from pos_app.platform_api.database.migrations import STEP_TABLE, migrate
from pos_app.platform_api.database.write_lock import WriteLock
from pos_app.wire.keys_and_clients import read_seen_by

FILE = "platform.db"
IF_DAMAGED = (
    "Stop the platform and delete nothing: have support read what is in its database before a copy"
    " takes its place."
)
READERS = 16
"""Connections that read the file at once; further requests wait."""
POOLED = 12
"""Connections to PostgreSQL in one worker, beside those of its batches and news."""
_BUSY_MILLISECONDS = 10_000
_POSTGRESQL = "postgresql+psycopg"

_log = log.get(__name__)

T = TypeVar("T")


LEAST_FREE = 64_000_000
"""The least free bytes on the file's disk."""
FULL = "The disk of the platform's database is full."
NEARLY_FULL = "The disk of the platform's database is nearly full: {megabytes} MB are free."
_FULL_SECONDS = 60.0
"""The time for which a write that found no room is reported. Smaller writes may still find room."""

_MEASURED_SECONDS = 5.0
"""The time for which the size of a PostgreSQL database is remembered."""

Begin = Callable[[AsyncConnection], Awaitable[None]]


class OneWrite:
    """The writes of one task in one transaction. connection is None until the first write."""

    def __init__(self, opened: Callable[[], Awaitable[AsyncConnection]], begin: Begin) -> None:
        self._opened, self._begin = opened, begin
        self.connection: AsyncConnection | None = None

    async def begun(self) -> AsyncConnection:
        if self.connection is None:
            self.connection = await self._opened()
            await self._begin(self.connection)
        return self.connection


_ONE_WRITE: ContextVar[OneWrite | None] = ContextVar("one write", default=None)
WRITES_OF: ContextVar[str] = ContextVar("writes of", default="")
"""The account of the task's request; "" for the platform's own work."""
IS_WRITING: ContextVar[bool] = ContextVar("is writing", default=False)
"""Whether the task has a transaction that writes, or waits for one."""


@dataclass(frozen=True, slots=True)
class Reserve:
    """The room that is kept for receipts. free: bytes on the disk of `folder`. most: the bytes that
    a PostgreSQL database may have on its own disk, or 0 where nobody said."""

    folder: Path
    free: int
    most: int = 0


@dataclass(frozen=True, slots=True)
class Connections:
    """The connections of one process. most: the limit; used: the present number; waiting: tasks
    that wait for one, or for their turn."""

    most: int
    used: int
    waiting: int


class Database:
    """The open database of one process, used on one loop."""

    def __init__(
        self,
        *,
        reader: AsyncEngine,
        writer: AsyncEngine,
        lock: WriteLock | None,
        at_once: _WriterThread | None = None,
        file: Path | None = None,
        address: str = "",
    ) -> None:
        """address: the address of PostgreSQL, in the form that its own library takes."""
        self.address = address
        self._file = file
        self._damage: list[str] = []
        self._was_without_log: bool | None = None  # the log was not looked for yet
        self._reader = reader
        self._writer = writer
        self._lock = lock
        self._at_once = at_once
        self._turn = asyncio.Lock()
        self._turns_of_accounts = WeakValueDictionary[str, asyncio.Lock]()
        self._was_full_seconds = -_FULL_SECONDS
        self.reserve: Reserve | None = None
        self._size, self._measured_seconds = 0, -_MEASURED_SECONDS
        self._waiting = 0
        self._closing: list[Callable[[], Awaitable[None]]] = []

    @classmethod
    async def open(cls, address: str, *, folder: Path, make: bool = True) -> Self:
        """Open the database at `address`, "postgresql://…", or with "" the file in `folder`.

        It is brought to today's schema. make: whether a missing database is made. Raises
        SettingsBroken for an invalid address, DatabaseBusy where nobody answers there,
        DatabaseTooNew, DatabaseDamaged, NotFound.
        """
        if not address and not make:
            await asyncio.to_thread(check_there, folder / FILE)
        database = cls._postgresql(address) if address else cls._sqlite(folder / FILE)
        try:
            await database.begin(make=make)
        except BaseException:
            await database.close()
            raise
        return database

    @classmethod
    def _sqlite(cls, file: Path) -> Self:
        url = URL.create("sqlite+aiosqlite", database=str(file))
        reader = create_async_engine(
            url, pool_size=READERS, max_overflow=0, pool_timeout=30, hide_parameters=True
        )
        writer = create_async_engine(url, pool_size=1, max_overflow=0, hide_parameters=True)
        _prepare(reader, begin="BEGIN", pragmas=("query_only = ON",))
        _prepare(writer, begin="BEGIN IMMEDIATE", pragmas=())
        lock = WriteLock(file.with_name("platform.lock"))
        return cls(reader=reader, writer=writer, lock=lock, at_once=_WriterThread(file), file=file)

    @classmethod
    def _postgresql(cls, address: str) -> Self:
        engine = create_async_engine(
            _url(address),
            pool_size=POOLED,
            max_overflow=0,
            pool_timeout=30,
            pool_pre_ping=True,
            hide_parameters=True,  # they hold callers' values, and errors are logged
            connect_args=postgresql.TIMES,
        )
        plain = address.replace("+psycopg://", "://", 1)
        return cls(reader=engine, writer=engine, lock=None, address=plain)

    @property
    def is_shared(self) -> bool:
        """Whether several workers may use it."""
        return self._lock is None

    @asynccontextmanager
    async def reading(self, *, one_state: bool = False) -> AsyncIterator[AsyncConnection]:
        """Yield a connection that only reads. Raises MachineError where the database fails.
        one_state: all its queries see the state of one moment; those of SQLite always do."""
        with _errors_translated():
            async with self._connected() as plain:
                connection = plain
                if one_state and self.is_shared:
                    connection = await plain.execution_options(
                        isolation_level="REPEATABLE READ", postgresql_readonly=True
                    )
                async with connection.begin():
                    yield connection

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[AsyncConnection]:
        async with AsyncExitStack() as stack:
            with self._wanted():
                connection = await stack.enter_async_context(self._reader.connect())
            yield connection

    @contextmanager
    def _wanted(self) -> Iterator[None]:
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    @property
    def connections(self) -> Connections:
        pools = {self._reader.pool, self._writer.pool}
        known = [pool for pool in pools if isinstance(pool, QueuePool)]
        most = sum(pool.size() for pool in known)
        return Connections(most, sum(pool.checkedout() for pool in known), self._waiting)

    @asynccontextmanager
    async def one_write(self, begin: Begin) -> AsyncIterator[OneWrite]:
        """Put all writes of this task into one transaction while inside; it is committed at the
        end, and an exception undoes it. begin: called in it before the first write."""
        async with AsyncExitStack() as stack:
            one = OneWrite(lambda: stack.enter_async_context(self._transaction()), begin)
            before = _ONE_WRITE.set(one)
            try:
                yield one
            finally:
                _ONE_WRITE.reset(before)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Run a transaction, committed at the end; an exception undoes it. Raises MachineError."""
        one = _ONE_WRITE.get()
        if one is not None:
            with _errors_translated():
                yield await one.begun()
            return
        async with self._transaction() as connection:
            yield connection

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        with _known_as_writing(), self._fullness_noted(), _errors_translated():
            async with AsyncExitStack() as stack:
                with self._wanted():
                    await stack.enter_async_context(self._turn_of_account())
                    if self._lock is not None:
                        await stack.enter_async_context(self._turn)
                        await stack.enter_async_context(self._lock.held())
                        await self._look_for_log()
                    connection = await stack.enter_async_context(self._writer.begin())
                yield connection

    def _turn_of_account(self) -> AbstractAsyncContextManager[object]:
        """Return the account's turn: its writes follow each other, and so use one connection at
        most. With PostgreSQL each write locks the account's row, and forty of one account held all
        connections of the worker while they waited."""
        account = WRITES_OF.get()
        if not account:
            return nullcontext()
        return self._turns_of_accounts.setdefault(account, asyncio.Lock())

    async def _look_for_log(self) -> None:
        """Look for the log before the first connection, which makes a new one."""
        if self._was_without_log is None and self._file is not None:
            look = asyncio.to_thread(lost_log.is_without_log, self._file)
            self._was_without_log = await look

    @contextmanager
    def _fullness_noted(self) -> Iterator[None]:
        try:
            yield
        except errors.DiskFull:
            self._was_full_seconds = time.monotonic()
            raise

    @property
    def no_room(self) -> str:
        if self._was_full:
            return FULL
        least = max(LEAST_FREE, self.reserve.free if self.reserve else 0)
        try:
            free = shutil.disk_usage(self._file.parent).free if self._file else least
        except OSError:
            return ""
        return "" if free >= least else NEARLY_FULL.format(megabytes=free // 1_000_000)

    @property
    def _was_full(self) -> bool:
        return time.monotonic() - self._was_full_seconds < _FULL_SECONDS

    async def check_reserve(self) -> None:
        """Check that there is room for more than receipts. Raises DiskFull. The room on the disk of
        PostgreSQL is known by what the operator said of it, and by a write that found none."""
        reserve = self.reserve
        if reserve is None or not reserve.free:
            return
        try:
            free = shutil.disk_usage(reserve.folder).free
        except OSError:
            free = reserve.free
        if self.is_shared:
            free = 0 if self._was_full else min(free, await self._left_of(reserve))
        if free < reserve.free:
            least = reserve.free // 1_000_000
            raise errors.DiskFull("platform_reserve", free=max(0, free) // 1_000_000, least=least)

    async def _left_of(self, reserve: Reserve) -> int:
        if not reserve.most:
            return reserve.free
        now = time.monotonic()
        if now - self._measured_seconds >= _MEASURED_SECONDS:
            self._measured_seconds = now
            async with self.reading() as connection:
                sized = await connection.execute(
                    text("SELECT pg_database_size(current_database())")
                )
                self._size = sized.scalar_one()
        return reserve.most - self._size

    async def written(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` as a whole transaction of the file in one turn of a thread. Nothing waits
        between the statements, so many of them fit between two commits. For a database that is not
        shared. Raises sqlite3.Error, MachineError."""
        assert self._lock is not None
        assert self._at_once is not None
        async with self._turn, self._lock.held():
            running = self._at_once.run(work)
            try:
                return await asyncio.shield(running)
            except asyncio.CancelledError:  # the lock is held while it writes
                await asyncio.wait({running})
                raise

    async def begin(self, *, make: bool) -> None:
        """Bring the database to the present schema, and note a loss. Raises what `open` does."""
        if not make and self.is_shared:
            await self._check_made()
        async with self.writing() as connection:
            await schema.check_place(connection, file=self._file)
            await migrate(connection)
            await schema.check_tables(connection)
            if self._was_without_log:
                for statement in lost_log.FOUND:
                    await connection.exec_driver_sql(statement)
        self._was_without_log = False  # from now on a row reports the loss, not the file's head
        for loss in await self.losses():
            _log.error("%s", loss)

    async def _check_made(self) -> None:
        async with self.reading() as connection:
            await schema.check_place(connection)
            if not await connection.run_sync(lambda inner: inspect(inner).has_table(STEP_TABLE)):
                raise errors.NotFound("platform_made")

    async def losses(self) -> list[str]:
        """Return the losses of the file that the operator has not confirmed; the file is served all
        the same. Raises MachineError."""
        if self._file is None:
            return []
        async with self.reading() as connection:
            found = await connection.exec_driver_sql(lost_log.UNSEEN)
            return lost_log.words_of(found)

    async def losses_seen(self, *, by: str, now: datetime) -> list[str]:
        """Note that a person handled the `losses`, and return them. Raises Invalid for the person's
        name, MachineError."""
        name, parts = read_seen_by(by), await self.losses()
        async with self.writing() as connection:
            seen = update(tables.LOST_LOG).where(tables.LOST_LOG.c.seen_at.is_(None))
            await connection.execute(seen.values(seen_at=now, seen_by=name))
        return parts

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        """Mark the file as being written while inside; see `lost_log`."""
        await self._note(lost_log.note_served)
        try:
            yield
        finally:
            await self._note(lost_log.note_closed)

    async def _note(self, note: Callable[[Path], None]) -> None:
        if self._file is None or self._lock is None:
            return
        try:
            async with self._turn, self._lock.held():
                await asyncio.to_thread(note, self._file)
        except (sqlite3.Error, errors.MachineError) as error:
            _log.warning("the database can't note whether it is being written: %s", error)

    async def check(self) -> None:
        """Query the database. Raises MachineError where it does not answer, is damaged, or lacks a
        table."""
        if self._damage:
            raise _damaged()
        async with self.reading() as connection:
            await schema.check_tables(connection)

    async def check_version(self) -> None:
        """Raises MachineError where a program of another version has changed the tables."""
        async with self.reading() as connection:
            await schema.check_version(connection)

    async def look_for_damage(self) -> None:
        """Read the file's pages once; `check` reports the damage from then on, and it is logged."""
        if self._file is None:
            return
        try:
            self._damage = await damage.found_while_it_serves(self._file)
        except sqlite3.Error as error:
            _log.warning("the database could not be looked through: %s", error)
        for fault in self._damage:
            _log.error("the database is damaged: %s", fault)

    def closes_first(self, close: Callable[[], Awaitable[None]]) -> None:
        """Close an object with a connection of its own before the database."""
        self._closing.append(close)

    async def close(self) -> None:
        for close in self._closing:
            await close()
        if self._lock is None:
            await self._reader.dispose()
            return
        await self._reader.dispose()
        async with self._turn, self._lock.held():  # the last to close copies the log
            if self._at_once is not None:
                await self._at_once.close()
            await self._writer.dispose()
            await self._note_copied()
        self._lock.close()

    async def _note_copied(self) -> None:
        if self._file is None:
            return
        noted = partial(
            lost_log.note_copied, self._file, was_without_log=self._was_without_log is not False
        )
        try:
            await asyncio.to_thread(noted)
        except sqlite3.Error as error:
            _log.warning("the database can't note that its log was copied: %s", error)


def check_there(file: Path) -> None:
    """Raise NotFound where the platform's file is missing, naming its data folder."""
    if not file.exists():
        folder = file.parent.parent
        kind = "platform_database" if folder.is_dir() else "platform_folder"
        raise errors.NotFound(kind, folder=folder)


class _WriterThread:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._thread = ThreadPoolExecutor(1, "platform writer")
        self._connection: sqlite3.Connection | None = None

    def run(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._thread, self._run, work)

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        connection = self._connection
        if connection is None:
            connection = sqlite3.connect(self._file, isolation_level=None)
            for pragma in _PRAGMAS:
                connection.execute(f"PRAGMA {pragma}")
            self._connection = connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            result = work(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return result

    async def close(self) -> None:
        def end() -> None:
            if self._connection is not None:
                self._connection.close()

        await asyncio.get_running_loop().run_in_executor(self._thread, end)
        self._thread.shutdown()


_PRAGMAS = (
    f"busy_timeout = {_BUSY_MILLISECONDS}",
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    "cell_size_check = ON",
)


def _prepare(engine: AsyncEngine, *, begin: str, pragmas: tuple[str, ...]) -> None:
    @event.listens_for(engine.sync_engine, "connect")
    def on_connect(connection: Any, row: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (*_PRAGMAS, *pragmas):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def on_begin(connection: Any) -> None:
        connection.exec_driver_sql(begin)


def _url(address: str) -> URL:
    try:
        url = make_url(address)
    except ArgumentError:
        url = URL.create("none")
    if url.drivername not in {"postgresql", "postgres", _POSTGRESQL}:
        raise errors.SettingsBroken("database")
    return url.set(drivername=_POSTGRESQL)


@contextmanager
def _known_as_writing() -> Iterator[None]:
    before = IS_WRITING.set(True)
    try:
        yield
    finally:
        IS_WRITING.reset(before)


@contextmanager
def _errors_translated() -> Iterator[None]:
    """Raise the driver's errors as faults of the machine, without addresses or passwords."""
    try:
        yield
    except PoolTimeout as error:
        raise errors.DatabaseBusy("busy") from error
    except DBAPIError as error:
        fault = machine_error(error.orig)
        if fault is not None:
            raise fault from error
        if not error.connection_invalidated:
            raise
        raise errors.DatabaseBusy("closed") from error


_WRONG_SCHEMA = (
    psycopg.errors.UndefinedTable,
    psycopg.errors.UndefinedColumn,
    psycopg.errors.UndefinedFunction,
    psycopg.errors.InvalidSchemaName,
    psycopg.errors.DuplicateTable,
    psycopg.errors.DuplicateColumn,
    psycopg.errors.DuplicateObject,
    psycopg.errors.DuplicateFunction,
)
_WRONG_SCHEMA_WORDS = (
    "no such table",
    "no such column",
    "has no column named",
    "already exists",
    "duplicate column name",
)
"""SQLite's words."""


def machine_error(error: BaseException | None) -> errors.MachineError | None:
    """Return a driver's error as a fault of the machine, or None where it is a fault of this
    program."""
    message = str(error)
    if isinstance(error, psycopg.errors.DiskFull) or "disk is full" in message:
        return errors.DiskFull("platform_database")
    if isinstance(error, psycopg.errors.DataCorrupted | psycopg.errors.IndexCorrupted) or any(
        words in message for words in ("malformed", "not a database")
    ):
        return _damaged()
    if isinstance(error, _WRONG_SCHEMA) or (
        isinstance(error, sqlite3.OperationalError)
        and any(words in message for words in _WRONG_SCHEMA_WORDS)
    ):
        return errors.DatabaseDamaged("platform_tables", why=message.partition("\n")[0])
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return errors.MachineError("database_rights", why=message.partition("\n")[0])
    if isinstance(error, sqlite3.OperationalError | psycopg.OperationalError):
        return errors.DatabaseBusy("away")
    return None


def _damaged() -> errors.DatabaseDamaged:
    return errors.DatabaseDamaged("platform")
