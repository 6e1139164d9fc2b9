"""Whether what a file of ours says agrees with itself.

A page that another SQLite wrote has no checksum, so a flipped byte in it shows nowhere but in what
the rows tell of each other. SQLite holds its indexes against their tables, and each value against
its type and CHECK; this holds the tables and their rules against the steps that made them, and asks
whose rows they are for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import chain, islice

import apsw

from pos_app.adapters.sqlite.faults import disk_failed, is_of_disk, refusal, words
from pos_app.adapters.sqlite.migrations import Migration, migrate
from pos_app.errors import DiskFailed, Invalid, MachineError

UNREADABLE = (
    *(Invalid, ValueError, TypeError, AttributeError, LookupError),
    ArithmeticError,
)
"""What reading a damaged row of ours can end with, beside SQLite's own errors."""

Contents = Callable[[apsw.Connection], Iterator[str]]
"""What the rows of a file contradict, in words; it reads all of them."""

_MOST_TOLD = 10
_OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*'"
_TABLES = (
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    " AND name NOT GLOB 'sqlite_*'"
)


def nothing_more(_: apsw.Connection) -> Iterator[str]:
    """The contents of a file whose rows tell nothing of each other."""
    return iter(())


def contradictions(
    connection: apsw.Connection, migrations: Sequence[Migration], contents: Contents
) -> list[str]:
    """The first of what the file contradicts, in words; empty where it agrees with itself.

    It costs a look at every row. What can't be read is one of them, but for what the disk does not
    give: raises DiskFailed.
    """
    found: list[str] = []
    try:
        told = chain(_of_tables(connection, migrations), _of_keys(connection), contents(connection))
        found.extend(islice(told, _MOST_TOLD))
    except apsw.Error as error:
        if is_of_disk(error) and refusal(connection) is not None:
            raise disk_failed(error) from error
        found.append(words(error))
    except DiskFailed:
        raise
    except (*UNREADABLE, MachineError) as error:
        found.append(f"a row can't be read: {error}")
    return found


def _of_tables(connection: apsw.Connection, migrations: Sequence[Migration]) -> Iterator[str]:
    """The tables, their rules, and the rows that are the same in each file of its version."""
    with closing(apsw.Connection(":memory:")) as model:
        migrate(model, migrations[: connection.pragma("user_version")])
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
