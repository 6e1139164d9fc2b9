"""Reads a database where nothing can be written beside it: a medium, or a copy to inspect.

To read a file that has a log, SQLite makes an index (`-shm`) beside it. Where that is impossible, a
copy in the system's temporary folder is read.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from pos_app.adapters.sqlite import faults
from pos_app.adapters.sqlite.database import open_reader
from pos_app.errors import DataFolderNotWritable, DiskFull, MachineError

_LOG, _INDEX = "-wal", "-shm"


def can_be_written(path: Path) -> bool:
    """Tell whether this user can change the database and the files beside it."""
    beside = (_beside(path, _LOG), _beside(path, _INDEX))
    if not all(os.access(one, os.W_OK) for one in (path, *beside) if one.exists()):
        return False
    try:
        with tempfile.TemporaryFile(dir=path.parent):  # Windows does not report a folder's rights
            return True
    except OSError as error:
        return error.errno in faults.NO_ROOM


@contextmanager
def readable(path: Path) -> Iterator[Path]:
    """Return the database where it can be opened, else a copy, which is removed at the end.

    No copy is read beside an index: another account's program may have the database open. Raises
    DiskFull, DataFolderNotWritable when no copy can be made, DiskFailed where the disk does not
    give the file.
    """
    if can_be_written(path) or _beside(path, _INDEX).exists():
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, path.name)
        try:
            for one, other in ((path, copy), (_beside(path, _LOG), _beside(copy, _LOG))):
                if one.exists():
                    shutil.copyfile(one, other)
        except OSError as error:
            raise _not_copied(folder, error) from error
        yield copy


@contextmanager
def reading(path: Path) -> Iterator[apsw.Connection]:
    """Connect to the database or its copy. Raises as `readable` and `open_reader`."""
    with (
        faults.translated_errors(path.name),
        readable(path) as file,
        closing(open_reader(file)) as connection,
    ):
        yield connection


def _beside(path: Path, end: str) -> Path:
    return path.with_name(f"{path.name}{end}")


def _not_copied(folder: str, error: OSError) -> MachineError:
    if faults.is_of_disk(error):
        return faults.disk_failed(error)
    if error.errno not in faults.NO_ROOM:
        return DataFolderNotWritable.of(folder, error)
    return DiskFull("copy_room", folder=folder)
