"""Tells whether a database has the tables and columns that the queries name.

The number of steps alone does not tell it: a copy that was put back in parts, another program's
file, or another schema of PostgreSQL may have that number, or no tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from pos_app.errors import DatabaseDamaged, DatabaseTooNew
from pos_app.platform_api.database.migrations import STEP_TABLE, check_is_released, step_after
from pos_app.platform_api.database.relay_tables import COMMAND

COLUMNS_OF_SQLITE = """SELECT made.name, part.name
    FROM sqlite_master AS made, pragma_table_info(made.name) AS part WHERE made.type = 'table'"""
COLUMNS_OF_POSTGRESQL = """SELECT made.relname, part.attname
    FROM pg_class AS made
    JOIN pg_namespace AS place ON place.oid = made.relnamespace
    JOIN pg_attribute AS part ON part.attrelid = made.oid
    WHERE part.attnum > 0 AND NOT part.attisdropped AND made.relkind IN ('r', 'p')
    AND pg_table_is_visible(made.oid) AND place.nspname <> 'pg_catalog'"""
ELSEWHERE = f"""SELECT place.nspname
    FROM pg_class AS made JOIN pg_namespace AS place ON place.oid = made.relnamespace
    WHERE made.relname = '{STEP_TABLE}' AND NOT pg_table_is_visible(made.oid)"""
"""The schemas with a platform's tables that a connection does not see by its search_path."""
STEPS_DONE = f"SELECT MAX(number) FROM {STEP_TABLE}"
_NAMED = {
    table.name: tuple(column.name for column in table.columns)
    for table in COMMAND.metadata.sorted_tables
}


def check_columns(stored_columns: Iterable[tuple[str, str]]) -> None:
    """Raise DatabaseDamaged for the first table or column that is missing among these."""
    columns: dict[str, set[str]] = {}
    for table, column in stored_columns:
        columns.setdefault(table, set()).add(column)
    for table, named in _NAMED.items():
        if table not in columns:
            raise DatabaseDamaged("platform_schema", lacks=f'the table "{table}"')
        for column in named:
            if column not in columns[table]:
                lacks = f'the column "{column}" of "{table}"'
                raise DatabaseDamaged("platform_schema", lacks=lacks)


def check_steps(done: int | None) -> None:
    """Raises DatabaseTooNew, DatabaseDamaged."""
    check_is_released(done or 0)
    if (done or 0) > step_after():
        raise DatabaseTooNew("platform", done=done, known=step_after())
    if (done or 0) < step_after():
        lacks = f"step {step_after()} of its tables"
        raise DatabaseDamaged("platform_schema", lacks=lacks)


async def check_place(connection: AsyncConnection, *, file: Path | None = None) -> None:
    """Check that a database is a platform's, or that one may be made there. file: the file of
    SQLite. Raises DatabaseDamaged."""
    tables = {table for table, _ in await _columns(connection)}
    if STEP_TABLE in tables:
        return
    if connection.dialect.name == "postgresql":
        found = (await connection.execute(text(ELSEWHERE))).scalars().first()
        if found is not None:
            raise DatabaseDamaged("platform_elsewhere", schema=found)
    elif tables:
        raise DatabaseDamaged("stranger", path=file)


async def check_tables(connection: AsyncConnection) -> None:
    """Raises DatabaseDamaged."""
    check_columns(await _columns(connection))


async def check_version(connection: AsyncConnection) -> None:
    """Check that no program of another version changed the tables. Raises what `check_steps`
    does."""
    check_steps((await connection.execute(text(STEPS_DONE))).scalar())


async def _columns(connection: AsyncConnection) -> list[tuple[str, str]]:
    is_shared = connection.dialect.name == "postgresql"
    query = COLUMNS_OF_POSTGRESQL if is_shared else COLUMNS_OF_SQLITE
    return [(table, column) for table, column in await connection.execute(text(query))]
