"""Checks whether the SQLite file is whole: its pages, its indexes, and each listed row."""

from __future__ import annotations

import asyncio
import sqlite3  # noqa: TID251 - aiosqlite's, the only one in this program
from contextlib import closing
from pathlib import Path
from zlib import crc32

import psycopg

from pos_app.errors import DatabaseBusy, DatabaseDamaged
from pos_app.platform_api.database import postgresql, schema
from pos_app.platform_api.database.lost_log import opened_to_read
from pos_app.platform_api.database.migrations import STEP_TABLE, step_after

_MOST_LISTED = 5
_LISTED = """SELECT name FROM sqlite_master AS made WHERE type = 'table'
    AND EXISTS (SELECT 1 FROM pragma_table_info(made.name) WHERE name = 'checksum')"""
_HAS_STEPS = "SELECT 1 FROM sqlite_master WHERE name = 'schema_step'"


async def found_while_it_serves(file: Path) -> list[str]:
    """Return the damage in the file's pages, in SQLite's words. It takes 0.2 s at 100,000 products,
    in a thread of its own, which a cancel ends at once."""
    connection = opened_to_read(file)
    reading = asyncio.ensure_future(asyncio.to_thread(_reported, connection, "quick_check"))
    try:
        return await asyncio.shield(reading)
    except asyncio.CancelledError:
        connection.interrupt()
        raise
    finally:
        await asyncio.wait({reading})
        connection.close()


def find_damage(file: Path) -> list[str]:
    """Read everything, and also compare indexes with tables, and rows with their checksums."""
    try:
        with closing(opened_to_read(file)) as connection:
            if not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall():
                return ["it is empty"]
            return _reported(connection, "integrity_check") or _changed_rows(connection)
    except sqlite3.Error as error:
        return [str(error)]


def steps_made(file: Path) -> int:
    """Return the number of the last step of our schema in a whole file, 0 for a file that is none
    of ours. Raises sqlite3.Error."""
    with closing(opened_to_read(file)) as connection:
        if not connection.execute(_HAS_STEPS).fetchall():
            return 0
        return int(connection.execute("SELECT max(number) FROM schema_step").fetchone()[0] or 0)


def check_tables_of(file: Path) -> None:
    """Check that a file of this version has its tables. Raises DatabaseDamaged, sqlite3.Error."""
    with closing(opened_to_read(file)) as connection:
        schema.check_columns(connection.execute(schema.COLUMNS_OF_SQLITE))


def steps_at(address: str) -> int | None:
    """Return the number of the last step of our schema at an address of PostgreSQL, None where no
    platform was made there yet. Raises DatabaseBusy where nobody answers, DatabaseDamaged where the
    tables are not ours, or not seen."""
    try:
        with psycopg.connect(address, **postgresql.TIMES) as connection:
            connection.read_only = True
            columns = connection.execute(schema.COLUMNS_OF_POSTGRESQL).fetchall()
            if not any(table == STEP_TABLE for table, _ in columns):
                if elsewhere := connection.execute(schema.ELSEWHERE).fetchone():
                    raise DatabaseDamaged("platform_elsewhere", schema=elsewhere[0])
                return None
            (done,) = connection.execute(schema.STEPS_DONE).fetchone() or (None,)
            if done == step_after():
                schema.check_columns(columns)
            return int(done or 0)
    except psycopg.Error as error:
        raise DatabaseBusy("away") from error


def _reported(connection: sqlite3.Connection, check: str) -> list[str]:
    try:
        rows = connection.execute(f"PRAGMA {check}({_MOST_LISTED})").fetchall()
    except sqlite3.OperationalError:
        raise  # it was interrupted, or can't be read now
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [str(row[0]) for row in rows if row[0] != "ok"]


def _changed_rows(connection: sqlite3.Connection) -> list[str]:
    parts = []
    for (name,) in connection.execute(_LISTED).fetchall():
        query = f"SELECT id, document, checksum FROM {name}"
        parts += [
            f'the row {row_id} of "{name}" is not as it was written'
            for row_id, document, checksum in connection.execute(query)
            if crc32(document.encode()) != checksum
        ]
    return parts[:_MOST_LISTED]
