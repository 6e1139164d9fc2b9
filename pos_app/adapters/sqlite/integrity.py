"""Checks whether a file of ours is whole, and rebuilds its indexes."""

from __future__ import annotations

import time
from pathlib import Path

import apsw

from pos_app import log
from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.faults import found_by
from pos_app.errors import DiskFailed, MachineError

START_SECONDS = 0.05
"""The time for the look at a start: enough for some 80 MB. The till waits for its server."""
_MOST_FAULTS = 10
_STEPS = 100
"""The steps of SQLite's machine between two looks at the clock."""

_log = log.get(__name__)


class _NotMended(Exception):
    """The file is not whole with rebuilt indexes."""


def look_over(connection: apsw.Connection, path: Path) -> bool:
    """Look at pages and their order at each start, in a bounded time. A damaged index is rebuilt.
    Other damage is logged, and reported where it is met; it returns False then.

    The remaining pages are compared when they are read, and by `faults_of`.
    """
    end = time.monotonic() + START_SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    try:
        faults = found_by(connection, f"quick_check({_MOST_FAULTS})")
    except apsw.InterruptError:
        return True
    except DiskFailed as error:  # no damage: the code that needs the data reports it
        _log.error("%s can't be looked over: %s", path, error.what)
        return True
    finally:
        connection.set_progress_handler(None)
    if not faults:
        return True
    if rebuild_indexes(connection):
        _log.warning("an index of %s was damaged and was made anew", path)
        return True
    _log.error('%s is damaged (%s): run "pos-app check"', path, faults[0])
    return False


def faults_of(connection: apsw.Connection) -> list[str]:
    """Return all faults that can be found in a file, in SQLite's words; empty when it is whole.
    Raises DiskFailed where the disk does not give it."""
    return found_by(connection, f"integrity_check({_MOST_FAULTS})")


def rebuild_indexes(connection: apsw.Connection) -> bool:
    """Rebuild all indexes from their tables, and tell whether the file is whole then. If not, or
    where a table can't be read, nothing is changed."""
    try:
        _read_tables(connection)
        with transaction(connection):
            # Pages of old indexes are read once more, to find those that are free again.
            connection.execute("PRAGMA checksum_verification=OFF").fetchall()
            connection.execute("REINDEX")
            connection.execute("PRAGMA checksum_verification=ON").fetchall()
            if faults_of(connection):
                raise _NotMended
    except (apsw.Error, MachineError, _NotMended):
        return False
    finally:
        connection.execute("PRAGMA checksum_verification=ON").fetchall()
    return True


def _read_tables(connection: apsw.Connection) -> None:
    """Read each row with all its pages. Raises apsw.Error."""
    tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    for (name,) in tables:
        for _ in connection.execute(f'SELECT * FROM "{name}" NOT INDEXED'):
            pass
