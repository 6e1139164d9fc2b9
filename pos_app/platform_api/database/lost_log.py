"""Whether the SQLite file is without its log: what was written last is in `platform.db-wal`, until
SQLite copies it into the file.

While the platform serves, the head of the file itself says so (`PRAGMA user_version`), and a clean
end takes it back; after a kill the next program that copies the log into the file does. A file that
says so and has no log beside it was copied alone, or somebody removed the log: it is an older
state, and nothing else in it shows that.
"""

from __future__ import annotations

import sqlite3  # noqa: TID251 - aiosqlite's, the only one in this program
from contextlib import closing
from pathlib import Path

CLOSED, SERVED = 0, 1
LOST = (
    "The log of the database (platform.db-wal) is not beside it, although it was being written: it"
    " was copied without it, or the log was removed. What was written last is missing"
)
"""What is told of it; what is there is whole all the same, unless damage is found too."""


def is_without_log(file: Path) -> bool:
    """False also where the file is so damaged that it can't say."""
    if not file.exists() or file.with_name(f"{file.name}-wal").exists():
        return False
    # Read as it is, without a lock: a look of any other kind would make a log.
    address = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            return bool(connection.execute("PRAGMA user_version").fetchone()[0] == SERVED)
    except sqlite3.Error:
        return False


def note_served(file: Path) -> None:
    """It is being served from now on, says the file itself. The platform's lock is held. Raises
    sqlite3.Error."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        if connection.execute("PRAGMA user_version").fetchone()[0] != SERVED:
            connection.execute(f"PRAGMA user_version = {SERVED}")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def note_closed(file: Path) -> None:
    """It ends well: what is in the log is copied as the last program closes it. Raises
    sqlite3.Error."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA user_version = {CLOSED}")


def note_copied(file: Path, *, was_without_log: bool) -> None:
    """A program that had it open is gone: where it was the last, the log that it found was copied
    into the file. The platform's lock is held. Raises sqlite3.Error."""
    if not was_without_log and is_without_log(file):
        note_closed(file)
