"""Checks whether the content of a file of ours agrees with itself.

A page that a SQLite without our checksums wrote has none, so a flipped byte in it shows only in
contradictions between rows. SQLite compares the indexes with their tables, and each value with its
type and CHECK. This module compares the tables and their rules with the migrations that made them,
and leaves the check of the rows to their owner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import chain, islice

import apsw

from pos_app.adapters.sqlite import faults
from pos_app.adapters.sqlite.migrations import migrate, steps_until, version_after
from pos_app.errors import DatabaseTooNew, DiskFailed, Invalid, MachineError

UNREADABLE = (*(Invalid, ValueError, TypeError, AttributeError, LookupError), ArithmeticError)
"""The errors of reading a damaged row of ours, beside SQLite's own."""

Contents = Callable[[apsw.Connection], Iterator[str]]
"""Iterates over the contradictions of a file's rows, in words; it reads all of them."""

_MOST_LISTED = 10
_OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*'"
_TABLES = (
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    " AND name NOT GLOB 'sqlite_*'"
)


def nothing_more(_: apsw.Connection) -> Iterator[str]:
    """The `Contents` of a file whose rows are not compared."""
    return iter(())


def contradictions(
    connection: apsw.Connection, migrations: Sequence[str], contents: Contents
) -> list[str]:
    """Return the first contradictions of the file, in words; empty where it agrees with itself.

    It reads every row. An unreadable row counts as a contradiction. The rows of a file of an older
    version are not compared, because their owner knows them as they are now. Raises DatabaseTooNew,
    because nothing is known about the rows of a newer version, and DiskFailed where the disk does
    not give the file.
    """
    found: list[str] = []
    try:
        version = connection.pragma("user_version")
        if version > version_after(migrations):
            raise DatabaseTooNew("database", path=connection.filename)
        rows = contents if version == version_after(migrations) else nothing_more
        findings = chain(_of_tables(connection, migrations), _of_keys(connection), rows(connection))
        found.extend(islice(findings, _MOST_LISTED))
    except apsw.Error as error:
        if faults.is_of_disk(error) and faults.refusal(connection) is not None:
            raise faults.disk_failed(error) from error
        found.append(faults.words(error))
    except (DatabaseTooNew, DiskFailed):
        raise
    except (*UNREADABLE, MachineError) as error:
        found.append(f"a row can't be read: {error}")
    return found


def _of_tables(connection: apsw.Connection, migrations: Sequence[str]) -> Iterator[str]:
    """Compare tables, rules and fixed rows with what the migrations to the file's version make."""
    with closing(apsw.Connection(":memory:")) as model:
        migrate(model, steps_until(connection.pragma("user_version"), migrations))
        known = set(connection.execute(_OBJECTS))
        for kind, name, *_ in sorted(known ^ set(model.execute(_OBJECTS)), key=str):
            yield f"the {kind} {name} is not what it was made as"
        for (table,) in model.execute(_TABLES).fetchall():
            rows = set(model.execute(f'SELECT * FROM "{table}"'))
            if rows and set(connection.execute(f'SELECT * FROM "{table}"')) != rows:
                yield f"the fixed rows of {table} are not what they were made as"


def _of_keys(connection: apsw.Connection) -> Iterator[str]:
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield f"row {row} of {table} names a row of {parent} that is not there"
