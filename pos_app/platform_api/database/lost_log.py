"""Detects a SQLite file without its log: the last writes are in `platform.db-wal`, until SQLite
copies them into the file.

While the platform serves, the head of the file itself has a mark (`PRAGMA user_version`), and a
clean end removes the mark. After a kill the next program that copies the log into the file removes
it. A file with the mark and without a log was copied alone, or a person removed the log: it is an
older state, and nothing else in it shows that. The first program that opens it to write notes the
loss in a row, which is reported until a person confirms it.
"""

from __future__ import annotations

import sqlite3  # noqa: TID251 - aiosqlite's, the only one in this program
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

CLOSED, SERVED = 0, 1
LOST = (
    "The log of the database (platform.db-wal) is not beside it, although it was being written: it"
    " was copied without it, or the log was removed. What was written last is missing"
)
"""The warning; the rest of the file is whole, unless damage is found too."""
UNTIL = 'It is told until "pos-app platform seen --by NAME" says that it was seen to.'
UNSEEN = "SELECT found_at, known_until FROM lost_log WHERE seen_at IS NULL ORDER BY found_at"
FOUND = (
    """INSERT INTO lost_log (found_at, known_until)
    SELECT CAST(strftime('%s', 'now') AS INTEGER) * 1000, MAX(at) FROM (
        SELECT MAX(written_at) AS at FROM account
        UNION ALL SELECT MAX(created_at) FROM api_key
        UNION ALL SELECT MAX(last_used_at) FROM api_key
        UNION ALL SELECT MAX(revoked_at) FROM api_key
        UNION ALL SELECT made_ms FROM relay_command
            WHERE rowid = (SELECT MAX(rowid) FROM relay_command))""",
    f"PRAGMA user_version = {CLOSED}",
)
"""One transaction, which notes the loss with the latest instant in the file."""
_HAS_ROWS = "SELECT 1 FROM sqlite_master WHERE name = 'lost_log'"


def is_without_log(file: Path) -> bool:
    """Tell whether a database that was served has lost its log; False, too, if the file is too
    damaged to tell."""
    if not file.exists() or file.with_name(f"{file.name}-wal").exists():
        return False
    try:
        with closing(opened_alone(file)) as connection:
            return bool(connection.execute("PRAGMA user_version").fetchone()[0] == SERVED)
    except sqlite3.Error:
        return False


def opened_alone(file: Path) -> sqlite3.Connection:
    """Open the file without a lock: any other look would make a log. Raises sqlite3.Error."""
    return _opened(file, "&immutable=1")


def opened_to_read(file: Path) -> sqlite3.Connection:
    """Open the file; one that lost its log is opened without a lock, because a new log would hide
    the loss from the next start. Raises sqlite3.Error."""
    return opened_alone(file) if is_without_log(file) else _opened(file, "")


def _opened(file: Path, more: str) -> sqlite3.Connection:
    address = f"{file.absolute().as_uri()}?mode=ro{more}"
    return sqlite3.connect(address, uri=True, check_same_thread=False)


def losses_of(file: Path) -> list[str]:
    """Return the warnings about a file, whether it is served or not: about a loss that no program
    has noted yet, and about each unconfirmed loss."""
    parts = [f"{LOST}."] if is_without_log(file) else []
    try:
        with closing(opened_to_read(file)) as connection:
            is_known = connection.execute(_HAS_ROWS).fetchone() is not None
            return parts + words_of(connection.execute(UNSEEN).fetchall() if is_known else [])
    except sqlite3.Error as error:
        return [*parts, f"Whether anything else is missing can't be read: {error}."]


def words_of(rows: Iterable[Any]) -> list[str]:
    return [
        f"{LOST}. It was found at {_instant(found)}; the last that is there is of"
        f" {_instant(known)}. {UNTIL}"
        for found, known in rows
    ]


def _instant(milliseconds: int | None) -> str:
    if milliseconds is None:
        return "no known time"
    return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"


def note_served(file: Path) -> None:
    """Mark the file as served. The platform's lock is held. Raises sqlite3.Error."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        if connection.execute("PRAGMA user_version").fetchone()[0] != SERVED:
            connection.execute(f"PRAGMA user_version = {SERVED}")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def note_closed(file: Path) -> None:
    """Remove the mark at a clean end; the last program that closes the file copies the log. Raises
    sqlite3.Error."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA user_version = {CLOSED}")


def note_copied(file: Path, *, was_without_log: bool) -> None:
    """Remove the mark after a program has closed the file. If it was the last program, SQLite has
    copied the log that it found into the file. The caller holds the platform's lock. Raises
    sqlite3.Error."""
    if not was_without_log and is_without_log(file):
        note_closed(file)
