"""Creates, checks and locks the processor's data folder, and turns SQLite's errors into ours."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from pos_app import errors

LOCK_FILE = "processor.lock"
_LOG_INDEX_BYTES = 32 * 1024
_SAFE_SQLITE = (3, 51, 3)
"""Older versions have the WAL-reset bug that can lose committed data."""


@contextmanager
def foreign_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about the file at `path` into expected errors."""
    try:
        yield
    except (apsw.FullError, apsw.IOError) as error:
        if isinstance(error, apsw.IOError) and _has_room(path):
            raise
        raise errors.DiskFull("ledger_room", path=str(path)) from error
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise errors.DatabaseDamaged("ledger", path=str(path)) from error
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError) as error:
        raise _not_writable(path) from error


def _has_room(path: Path) -> bool:
    """Tell whether the disk has room for a WAL index, whose lack SQLite's error does not name."""
    return shutil.disk_usage(path.parent).free > _LOG_INDEX_BYTES


def prepare_folder(folder: Path) -> None:
    """Create the folder. Raises DataFolderNotWritable, UnsafeSqlite."""
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    if version < _SAFE_SQLITE:
        raise errors.UnsafeSqlite("ledger", version=apsw.sqlite_lib_version())
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_writable(folder) from error


def lock_folder(folder: Path) -> apsw.Connection:
    """Lock the folder for this program until the connection is closed or the program ends. Raises
    AlreadyRunning when another program has locked it."""
    path = folder / LOCK_FILE
    with foreign_errors(path):
        lock = apsw.Connection(str(path))
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except apsw.BusyError as error:
            lock.close()
            raise errors.AlreadyRunning("ledger", path=str(folder)) from error
    return lock


def _not_writable(path: Path) -> errors.DataFolderNotWritable:
    return errors.DataFolderNotWritable("ledger_folder", path=str(path))
