"""The platform's database itself: its schema, its transactions, its faults."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3  # noqa: TID251 - the platform's
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit
from uuid import uuid4

import httpx
import psycopg
import pytest
from sqlalchemy import insert, select, text, update

from pos_app.errors import (
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseTooNew,
    MachineError,
    SettingsBroken,
)
from pos_app.platform_api.accounts import make_account
from pos_app.platform_api.authentication import REMEMBERED_SECONDS
from pos_app.platform_api.database import batches
from pos_app.platform_api.database.batches import Batches, Statement, Write
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.migrations import STEPS, migrate, step_after
from pos_app.platform_api.database.tables import ACCOUNT, FAILURE
from pos_app.platform_api.keys import NewKey
from pos_app.platform_api.relay.commands import receipt_id_of
from tests.integration.platform_api.hosted import PLATFORM, Place, SetClock, hosted
from tests.integration.platform_api.relayed import KEY, TillServer, sale, worker
from tests.integration.platform_api.test_platform_program import run
from tests.integration.test_server_program import run as program


async def test_programs_that_start_at_once_migrate_once(database: Place) -> None:
    opened = await asyncio.gather(*(database.open() for _ in range(4)))
    async with opened[0].writing() as connection:
        assert await migrate(connection) == 0
        more = (*STEPS, ("CREATE TABLE step_of_a_test (id TEXT)", "DROP TABLE step_of_a_test"))
        assert await migrate(connection, more) == 1
        with pytest.raises(DatabaseTooNew):
            await migrate(connection)
        await connection.execute(text(f"DELETE FROM schema_step WHERE number > {step_after()}"))
    for one in opened:
        await one.close()


async def test_no_update_is_lost(database: Place) -> None:
    first, second = await database.open(), await database.open()
    async with first.writing() as connection:
        account = await make_account(connection, name="Прва", now=SetClock().now())
    mine = ACCOUNT.c.id == account

    async def count(opened: Database) -> None:
        async with opened.writing() as connection:
            query = select(ACCOUNT.c.last_sku).where(mine).with_for_update()
            sku = (await connection.execute(query)).scalar_one()
            await asyncio.sleep(0)
            await connection.execute(update(ACCOUNT).where(mine).values(last_sku=sku + 1))

    await asyncio.gather(*(count(one) for one in (first, second) for _ in range(10)))
    async with first.reading() as connection:
        query = select(ACCOUNT.c.last_sku).where(mine)
        assert (await connection.execute(query)).scalar_one() == 20
    await first.close()
    await second.close()


async def test_a_reader_sees_one_state_and_holds_nobody_up(database: Place) -> None:
    async with hosted(database) as platform:
        place = platform.context.database
        named = select(ACCOUNT.c.name).where(ACCOUNT.c.id == platform.account)
        async with place.reading(one_state=True) as reader:
            await reader.execute(named)
            async with place.writing() as connection:
                await connection.execute(
                    update(ACCOUNT).where(ACCOUNT.c.id == platform.account).values(name="Друга")
                )
            assert (await reader.execute(named)).scalar_one() == "Прва"
        async with place.reading() as reader:
            assert (await reader.execute(named)).scalar_one() == "Друга"


async def test_a_reader_of_the_file_can_write_nothing(file_database: Place) -> None:
    opened = await file_database.open()
    with pytest.raises(DatabaseBusy):
        async with opened.reading() as connection:
            await connection.execute(insert(ACCOUNT).values(id="x"))
    await opened.close()


async def test_addresses_that_are_none(file_database: Place) -> None:
    for address in ("sqlite:///x", "mysql://host/x", "://", "nonsense", "postgresql"):
        with pytest.raises(SettingsBroken):
            await Database.open(address, folder=file_database.folder)
    with pytest.raises(DatabaseBusy) as fault:
        await Database.open("postgresql://u:a-secret@127.0.0.1:1/x", folder=file_database.folder)
    assert "a-secret" not in str(fault.value)


async def test_a_refused_write_fails_alone_and_a_connection_is_renewed(shared: Place) -> None:
    """One transaction holds the writes of many callers."""
    database = await shared.open()
    added = Statement(insert(FAILURE).returning(FAILURE.c.name))
    looked = Statement(select(FAILURE.c.name).where(FAILURE.c.name.like("batch %")))
    process = Statement(text("SELECT pg_backend_pid()"))
    ended = Statement(text("SELECT pg_terminate_backend(:process, 5000)"))

    def values(name: str) -> dict[str, Any]:
        return {"name": f"batch {name}", "since_ms": 0, "count": 1}

    def steps(*names: str) -> Write[None]:
        for name in names:
            yield added, values(name)

    try:
        one, other = Batches(database), Batches(database)
        many = [one.done(partial(steps, "a", "b")), one.changed(added, values("c"))]
        spoilt = [one.done(partial(steps, "d", "d")), one.changed(added, values("\0"))]
        done = await asyncio.gather(*many, *spoilt, return_exceptions=True)
        refused = [psycopg.errors.UniqueViolation, psycopg.DataError]
        assert (done[:2], [type(each) for each in done[2:]]) == ([None, True], refused)
        found = await one.rows(looked, {})
        assert {name for (name,) in found} == {f"batch {name}" for name in "abc"}
        ((of_one,),) = await one.rows(process, {})
        await other.rows(ended, {"process": of_one})
        assert len(await one.rows(looked, {})) == 3
    finally:
        await database.close()


# --- a connection that falls silent --------------------------------------------------------------


ISSUE = "/fiscalization/receipts"
SOCKET = ".s.PGSQL.5432"


class Between:
    """Passes bytes to PostgreSQL and back, until a connection that sent a word falls silent."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._tasks: set[asyncio.Task[None]] = set()
        self._lines: list[tuple[bytearray, asyncio.Event]] = []
        self._more = asyncio.Event()
        self._unanswered = b""
        self._is_fallen = False

    async def until(self, word: bytes) -> None:
        async with asyncio.timeout(10):
            while not any(word in said for said, _ in self._lines):
                self._more.clear()
                await self._more.wait()

    def fall_silent(self, word: bytes) -> int:
        """Silence the connections that sent it; return their number. Later ones are passed on."""
        silent = [passes for said, passes in self._lines if word in said and passes.is_set()]
        for passes in silent:
            passes.clear()
        return len(silent)

    def answer_no_more(self, word: bytes) -> None:
        """Keep the answers to connections that send it from now on; the word is passed on."""
        for said, _ in self._lines:
            said.clear()
        self._unanswered = word

    async def fall(self) -> None:
        """End every connection, and accept no more."""
        self._is_fallen = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_fallen:
            writer.close()
            return
        far_reader, far_writer = await asyncio.open_unix_connection(self._server)
        said, passes, is_answered = bytearray(), asyncio.Event(), asyncio.Event()
        passes.set()
        is_answered.set()
        self._lines.append((said, passes))

        def hear(data: bytes) -> None:
            said.extend(data)
            self._more.set()
            if self._unanswered and self._unanswered in said:
                is_answered.clear()

        for one in (
            self._copy(reader, far_writer, (passes,), hear),
            self._copy(far_reader, writer, (passes, is_answered), lambda data: None),
        ):
            task = asyncio.create_task(one)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _copy(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        gates: Sequence[asyncio.Event],
        hear: Callable[[bytes], None],
    ) -> None:
        try:
            with contextlib.suppress(ConnectionError):
                while data := await reader.read(65536):
                    hear(data)
                    for gate in gates:
                        await gate.wait()
                    writer.write(data)
        finally:
            writer.close()


@asynccontextmanager
async def between(shared: Place) -> AsyncIterator[tuple[Place, Between]]:
    """Yield the same database, reached through connections that can fall silent."""
    host = parse_qs(urlsplit(shared.address).query)["host"][0]
    way, door = Between(f"{host}/{SOCKET}"), shared.folder / "pg"
    door.mkdir()
    server = await asyncio.start_unix_server(way.come, door / SOCKET)
    try:
        yield Place(f"postgresql://postgres@/postgres?host={door}", shared.folder), way
    finally:
        server.close()
        await way.fall()


@pytest.mark.parametrize("asks", [False, True], ids=["the till's", "the asking one"])
async def test_a_worker_hears_again_after_its_line_fell_silent(shared: Place, asks: bool) -> None:
    async with (
        between(shared) as (place, way),
        worker(shared if asks else place, quiet_seconds=0.3) as far,
        worker(place if asks else shared, of=far, quiet_seconds=0.3) as near,
        TillServer.connected(far) as till,
        near.caller() as caller,
    ):
        await way.until(b"LISTEN")
        assert way.fall_silent(b"LISTEN") == 1
        await till.signs(caller.post(ISSUE, json=sale(till.client)))
        assert way.fall_silent(b"LISTEN") == 1  # not the connection of before


async def test_nobody_is_denied_what_another_worker_was_told_with_a_commit_without_an_answer(
    shared: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        between(shared) as (place, way),
        worker(place) as near,
        worker(shared, of=near) as far,
        TillServer.connected(far) as till,
        near.caller() as caller,
    ):
        posting = asyncio.create_task(caller.post(ISSUE, json=sale(till.client)))
        await till.answer(await till.command())
        assert (await posting).status_code == 200  # from now on the statement is prepared
        monkeypatch.setattr(batches, "ANSWER_SECONDS", 1.0)
        way.answer_no_more(f"relay_{far.relay.service.worker}".encode())
        posting = asyncio.create_task(caller.post(ISSUE, json=sale(till.client)))
        command = await till.command()
        answer = await posting
        assert (answer.status_code, answer.json()["code"]) == (500, 50080001)
        await till.answer(command, id="r-1")
        again = await caller.post(ISSUE, json=sale(till.client))
        assert (again.status_code, again.json()["id"]) == (200, "r-1")


async def test_a_receipt_that_may_exist_is_told_while_the_database_is_away(shared: Place) -> None:
    """A caller let in before gets the receipt's id: its key was checked then."""
    headers = {"Idempotency-Key": KEY}
    async with (
        between(shared) as (place, way),
        worker(place) as at,
        TillServer.connected(at) as till,
        at.caller() as caller,
    ):
        await till.signs(caller.post(ISSUE, json=sale(till.client), headers=headers))
        began = time.monotonic()
        while time.monotonic() < began + REMEMBERED_SECONDS:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        await way.fall()
        told = await caller.post(ISSUE, json=sale(till.client), headers=headers)
        assert (told.status_code, told.json()["code"]) == (500, 50080001)
        assert told.json()["receiptId"] == receipt_id_of(at.account, till.client, KEY)
        async with at.caller(NewKey(at.key.id, "another")) as stranger:
            assert (await stranger.post(ISSUE, json={})).status_code == 500


# --- tables that are not those of the program ----------------------------------------------------


NEWER = f"INSERT INTO schema_step (number) VALUES ({step_after() + 1})"
WRONG = (
    ("ALTER TABLE api_key RENAME TO keys_of_before", "platform_schema", 'the table "api_key"'),
    (
        "ALTER TABLE client DROP COLUMN last_seen_at",
        "platform_schema",
        '"last_seen_at" of "client"',
    ),
    ("DROP TABLE relay_presence", "platform_schema", 'the table "relay_presence"'),
    ("DELETE FROM schema_step", "platform_tables", "exists"),
    ("UPDATE schema_step SET number = 14", "platform_unreleased", "before the first release"),
)


@pytest.fixture
def place(request: pytest.FixtureRequest, database: Place) -> Iterator[Place]:
    """Return a database that the test may damage."""
    if not database.address:
        yield database
        return
    name = f"of_{uuid4().hex}"
    with psycopg.connect(database.address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield Place(database.address.replace("/postgres?", f"/{name}?"), database.folder)


@pytest.mark.parametrize(("sql", "kind", "told"), WRONG)
async def test_a_database_without_its_tables_is_refused_at_the_start(
    place: Place, sql: str, kind: str, told: str
) -> None:
    made = await place.open()
    async with made.writing() as connection:
        await connection.execute(text(sql))
    await made.close()
    for make in (True, False):
        with pytest.raises(DatabaseDamaged) as error:
            await Database.open(place.address, folder=place.folder, make=make)
        assert error.value.kind == kind
        assert told in error.value.what
        assert error.value.do


async def test_a_worker_notices_that_its_tables_are_gone(place: Place) -> None:
    async with hosted(place) as platform:
        async with platform.context.database.writing() as connection:
            await connection.execute(text(WRONG[0][0]))
        async with httpx.AsyncClient(transport=platform.transport, base_url=PLATFORM) as anybody:
            for path in ("/health", "/ready"):
                answer = await anybody.get(path)
                assert answer.status_code == 503
                assert "lacks the table" in answer.text
        platform.clock.forward(60)
        refused = await platform.client.get("/stores")
        assert refused.status_code == 500
        assert "has other tables than this version" in refused.json()["message"]


async def test_a_worker_notices_that_a_newer_program_changed_its_database(place: Place) -> None:
    """It goes on answering, so a proxy may let it until the newer one listens."""
    async with hosted(place) as platform:
        async with platform.context.database.writing() as connection:
            await connection.execute(text(NEWER))
        async with httpx.AsyncClient(transport=platform.transport, base_url=PLATFORM) as anybody:
            health = await anybody.get("/health")
            assert health.status_code == 503
            assert "of a newer version" in health.json()["database"]
            assert (await anybody.get("/ready")).status_code == 200
        assert (await platform.client.get("/stores")).status_code == 200
        with pytest.raises(DatabaseTooNew):
            await place.open()


async def test_another_schema_is_no_empty_platform(postgresql_address: str, folder: Path) -> None:
    name = f"of_{uuid4().hex}"
    with psycopg.connect(postgresql_address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        own = postgresql_address.replace("/postgres?", f"/{name}?")
    with psycopg.connect(own, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA shops")
        connection.execute("CREATE SCHEMA other")
    at = {each: f"{own}&options={quote(f'-csearch_path={each}')}" for each in ("shops", "other")}
    await (await Database.open(at["shops"], folder=folder)).close()
    for make in (True, False):
        for address in (at["other"], own):
            with pytest.raises(DatabaseDamaged) as error:
                await Database.open(address, folder=folder, make=make)
            assert 'in the schema "shops"' in error.value.what
            assert "search_path%3Dshops" in error.value.do
    nowhere = f"{own}&options={quote('-csearch_path=nowhere')}"
    with pytest.raises(MachineError) as none:
        await Database.open(nowhere, folder=folder)
    assert "shops" in none.value.what
    await (await Database.open(at["shops"], folder=folder, make=False)).close()


def test_another_program_s_file_is_not_made_a_platform(folder: Path) -> None:
    file = folder / "platform" / "platform.db"
    file.parent.mkdir(parents=True)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE notes (text)")
    for words in (("account", "add", "Прва"), ("--port", "0"), ("account", "list")):
        told = run(*words, "--data", str(folder))
        assert (told.returncode, told.stdout) == (1, "")
        assert "is not a database of this product" in told.stderr
    with closing(sqlite3.connect(file)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
    assert tables == [("notes",)]


async def test_check_tells_it(place: Place, folder: Path) -> None:
    data = folder.with_name("checked")
    (data / "platform").mkdir(parents=True)
    if place.address:
        quoted = f'[platform_server]\ndatabase_url = "{place.address}"\n'
        (data / "settings.toml").write_text(quoted, "utf-8")
    made = await Database.open(place.address, folder=data / "platform")
    async with made.writing() as connection:
        await connection.execute(text(WRONG[0][0]))
    await made.close()
    told = program("check", "--data", str(data))
    assert (told.returncode, WRONG[0][2] in told.stdout) == (1, True), told.stdout
