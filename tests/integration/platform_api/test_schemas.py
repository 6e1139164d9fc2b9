"""A database whose tables are not those of the program: it is said at the start, by health, by
`check` and by each request, and never served as if nothing was."""

from __future__ import annotations

import sqlite3  # noqa: TID251 - the platform's
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import httpx
import psycopg
import pytest
from sqlalchemy import text

from pos_app.errors import DatabaseDamaged, DatabaseTooNew, MachineError
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.migrations import STEPS
from tests.integration.platform_api.hosted import PLATFORM, DatabasePlace, hosted
from tests.integration.platform_api.test_platform_program import run
from tests.integration.test_server_program import run as program

NEWER = f"INSERT INTO schema_step (number) VALUES ({len(STEPS) + 1})"
WRONG = (
    ("ALTER TABLE api_key RENAME TO keys_of_before", "platform_schema", 'the table "api_key"'),
    (
        "ALTER TABLE client DROP COLUMN last_seen_at",
        "platform_schema",
        '"last_seen_at" of "client"',
    ),
    ("DROP TABLE relay_presence", "platform_schema", 'the table "relay_presence"'),
    ("DELETE FROM schema_step WHERE number > 1", "platform_tables", "exists"),
)


@pytest.fixture
def place(request: pytest.FixtureRequest, database: DatabasePlace) -> Iterator[DatabasePlace]:
    """Return a database that the test may damage."""
    if not database.address:
        yield database
        return
    name = f"of_{uuid4().hex}"
    with psycopg.connect(database.address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield DatabasePlace(database.address.replace("/postgres?", f"/{name}?"), database.folder)


@pytest.mark.parametrize(("sql", "kind", "told"), WRONG)
async def test_a_database_without_its_tables_is_refused_at_the_start(
    place: DatabasePlace, sql: str, kind: str, told: str
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


async def test_a_worker_notices_that_its_tables_are_gone(place: DatabasePlace) -> None:
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


async def test_a_worker_notices_that_a_newer_program_changed_its_database(
    place: DatabasePlace,
) -> None:
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


async def test_another_schema_of_postgresql_is_no_empty_platform(
    postgresql_address: str, folder: Path
) -> None:
    name = f"of_{uuid4().hex}"
    with psycopg.connect(postgresql_address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        own = postgresql_address.replace("/postgres?", f"/{name}?")
    with psycopg.connect(own, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA shops")
        connection.execute("CREATE SCHEMA other")
    at = {each: f"{own}&options={quote(f'-csearch_path={each}')}" for each in ("shops", "other")}
    first = await Database.open(at["shops"], folder=folder)
    await first.close()
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


async def test_check_tells_it(place: DatabasePlace, folder: Path) -> None:
    data = folder.with_name("checked")
    (data / "platform").mkdir(parents=True)
    if place.address:
        quoted = f'[platform_server]\ndatabase_url = "{place.address}"\n'
        (data / "settings.toml").write_text(quoted, encoding="utf-8")
    made = await Database.open(place.address, folder=data / "platform")
    async with made.writing() as connection:
        await connection.execute(text(WRONG[0][0]))
    await made.close()
    told = program("check", "--data", str(data))
    assert (told.returncode, WRONG[0][2] in told.stdout) == (1, True), told.stdout
