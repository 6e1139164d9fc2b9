"""The platform's database itself: its schema, its transactions, its faults."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, insert, inspect, select, text, update

from pos_app.errors import DatabaseBusy, DatabaseTooNew, SettingsBroken
from pos_app.platform_api.accounts import make_account
from pos_app.platform_api.database.batches import Batches, Statement, Write
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.migrations import STEPS, migrate
from pos_app.platform_api.database.tables import ACCOUNT, FAILURE, METADATA
from tests.integration.platform_api.hosted import DatabasePlace, SetClock, hosted


async def test_the_steps_make_the_tables_that_queries_name(database: DatabasePlace) -> None:
    def made(connection: Connection) -> dict[str, set[tuple[str, bool]]]:
        found = inspect(connection)
        return {
            name: {(one["name"], one["nullable"]) for one in found.get_columns(name)}
            for name in found.get_table_names()
            if name != "schema_step"
        }

    opened = await database.open()
    async with opened.reading() as connection:
        tables = await connection.run_sync(made)
    await opened.close()
    assert tables == {
        table.name: {(one.name, bool(one.nullable)) for one in table.columns}
        for table in METADATA.sorted_tables
    }


async def test_programs_that_start_at_once_migrate_once(database: DatabasePlace) -> None:
    opened = await asyncio.gather(*(database.open() for _ in range(4)))
    async with opened[0].writing() as connection:
        assert await migrate(connection) == 0
        more = (*STEPS, ("CREATE TABLE step_of_a_test (id TEXT)", "DROP TABLE step_of_a_test"))
        assert await migrate(connection, more) == 1
        with pytest.raises(DatabaseTooNew):
            await migrate(connection)
        await connection.execute(text(f"DELETE FROM schema_step WHERE number > {len(STEPS)}"))
    for one in opened:
        await one.close()


async def test_no_update_is_lost(database: DatabasePlace) -> None:
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


async def test_a_reader_sees_one_state_and_holds_nobody_up(database: DatabasePlace) -> None:
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


async def test_a_reader_of_the_file_can_write_nothing(file_database: DatabasePlace) -> None:
    opened = await file_database.open()
    with pytest.raises(DatabaseBusy):
        async with opened.reading() as connection:
            await connection.execute(insert(ACCOUNT).values(id="x"))
    await opened.close()


async def test_addresses_that_are_none(file_database: DatabasePlace) -> None:
    for address in ("sqlite:///x", "mysql://host/x", "://", "nonsense", "postgresql"):
        with pytest.raises(SettingsBroken):
            await Database.open(address, folder=file_database.folder)
    with pytest.raises(DatabaseBusy) as fault:
        await Database.open("postgresql://u:a-secret@127.0.0.1:1/x", folder=file_database.folder)
    assert "a-secret" not in str(fault.value)


async def test_a_write_that_is_refused_fails_alone_and_a_connection_is_renewed(
    postgresql_address: str, folder: Path
) -> None:
    """One transaction holds the writes of many callers."""
    database = await Database.open(postgresql_address, folder=folder)
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
        assert {name for (name,) in await one.rows(looked, {})} == {
            f"batch {name}" for name in "abc"
        }
        ((of_one,),) = await one.rows(process, {})
        await other.rows(ended, {"process": of_one})
        assert len(await one.rows(looked, {})) == 3
    finally:
        await database.close()
