"""Copies one of our databases by SQLite itself, and reads the copy whole before it counts.

A log is read up to where it stood when the copy began, however much is written meanwhile: a reader
with an open transaction never has to begin again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import apsw

from pos_app.adapters.sqlite.checksums import copy_target
from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.integrity import faults_of
from pos_app.errors import DatabaseDamaged

_PAGES = 128
"""The pages of one step, 512 KB: some milliseconds of a disk."""
_SYNCED = 16
"""After so many steps the data are brought to the disk: a whole large copy in one go would delay
the commits of other programs."""

Between = Callable[[int], None]
"""Called after each step with the number of bytes it copied; it may wait."""


def _at_once(copied: int) -> None:
    """Return at once, without waiting."""


@contextmanager
def held_readers(paths: list[Path]) -> Iterator[list[apsw.Connection]]:
    """Open databases in their order, as of one moment if possible. Raises as `copy_held`."""
    with ExitStack() as stack:
        readers = []
        for path in paths:
            with translated_errors(path.name):
                reader = stack.enter_context(closing(open_reader(path)))
                reader.execute("BEGIN")
                reader.execute("SELECT count(*) FROM sqlite_schema").fetchall()
            readers.append(reader)
        yield readers


def copy_held(
    reader: apsw.Connection, source: Path, copy: Path, *, between: Between = _at_once
) -> None:
    """Copy one of `held_readers`, with the content of its log, into the one new file `copy`. Raises
    DatabaseDamaged, where either is not whole, DiskFull, DiskFailed, DatabaseBusy."""
    with translated_errors(source.name):
        with closing(copy_target(copy, page_size=reader.pragma("page_size"))) as written:
            for pragma in ("journal_mode=OFF", "synchronous=OFF"):  # half a copy is useless
                written.execute(f"PRAGMA {pragma}").fetchall()
            _copy_pages(reader, written, copy, between)
            # It is one file without a log beside it, until it is opened as a database again.
            written.execute("PRAGMA journal_mode=DELETE").fetchall()
        with closing(open_reader(copy)) as read:
            found = faults_of(read)
    if found:
        raise _damaged(source, found[0])
    synchronise(copy)
    for log in ("-wal", "-shm"):
        copy.with_name(f"{copy.name}{log}").unlink(missing_ok=True)


@contextmanager
def held_plain(path: Path) -> Iterator[apsw.Connection]:
    """Open the development processor's ledger, whose pages have no checksums."""
    with translated_errors(path.name), closing(apsw.Connection(str(path))) as reader:
        reader.set_busy_timeout(5000)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        yield reader


def copy_plain(
    reader: apsw.Connection, source: Path, copy: Path, *, between: Between = _at_once
) -> None:
    """Copy one of `held_plain`. Raises as `copy_held`."""
    with translated_errors(source.name), closing(apsw.Connection(str(copy))) as written:
        _copy_pages(reader, written, copy, between)
        written.execute("PRAGMA journal_mode=DELETE").fetchall()
        found = faults_of(written)
    if found:
        raise _damaged(source, found[0])
    synchronise(copy)


def _damaged(source: Path, fault: str) -> DatabaseDamaged:
    return DatabaseDamaged("not_copied", path=str(source), found=fault)


def _copy_pages(
    reader: apsw.Connection, written: apsw.Connection, copy: Path, between: Between
) -> None:
    size = int(reader.pragma("page_size"))
    file = os.open(copy, os.O_RDWR)
    try:
        with written.backup("main", reader, "main") as backup:
            steps = left = 0
            while not backup.done:
                backup.step(_PAGES)
                done = (left or backup.page_count) - backup.remaining
                left, steps = backup.remaining, steps + 1
                if steps % _SYNCED == 0:
                    os.fsync(file)
                between(max(done, 0) * size)
    finally:
        os.close(file)


def synchronise(path: Path) -> None:
    """Bring the written data to the disk. Raises OSError."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def synchronise_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, as far as the system can; a failure is ignored."""
    if os.name != "posix":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    except OSError:  # FAT and some network drives
        return
    finally:
        os.close(opened)
