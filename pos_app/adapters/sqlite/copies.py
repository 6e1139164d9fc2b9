"""A copy of one of our databases, made by SQLite itself and read whole before it counts."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from pos_app.adapters.sqlite.checksums import with_checksums
from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.integrity import faults_of
from pos_app.errors import DatabaseDamaged

_PAGES = 1000
"""Copied in one step, about 4 MB."""


def copy_checked(source: Path, copy: Path) -> None:
    """Copy the whole database, with what is in its log, into the one new file `copy`.

    Raises DatabaseDamaged, where either is not whole, DiskFull, DiskFailed, DatabaseBusy.
    """
    with translated_errors(source.name):
        with closing(open_reader(source)) as read, closing(with_checksums(copy)) as written:
            with written.backup("main", read, "main") as backup:
                while not backup.done:
                    backup.step(_PAGES)
            # One file without a log beside it, until it is opened as a database again.
            written.execute("PRAGMA journal_mode=DELETE").fetchall()
        with closing(open_reader(copy)) as read:
            found = faults_of(read)
    if found:
        raise DatabaseDamaged(
            f"The database {source} is damaged: {found[0]}.",
            safe="It was left as it is.",
            do='Run "pos-app check", or call support.',
            path=str(source),
        )
    with copy.open("rb+") as file:
        os.fsync(file.fileno())
    for log in ("-wal", "-shm"):
        copy.with_name(f"{copy.name}{log}").unlink(missing_ok=True)
