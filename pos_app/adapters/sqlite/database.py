"""Opens our SQLite files: safe library, durable settings, numbered migrations, plain errors.

Source: exactly-once.md "Storage". One file is written by one process; apsw and the standard
library's sqlite3 are never mixed on one file.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from enum import StrEnum
from pathlib import Path

import apsw

from pos_app import errors, log
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.sqlite import checksums, faults
from pos_app.adapters.sqlite.contents import Contents, contradictions, nothing_more
from pos_app.adapters.sqlite.kept_open import OurConnection
from pos_app.adapters.sqlite.migrations import (
    FIRST_VERSION,
    mark_of,
    migrate,
    steps_until,
    version_after,
)

_APPLICATION_ID = 0x504F5352
"""The mark of our SQLite files ("POSR")."""
_NO_ROOM_FOR_INDEX = (apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_SHMMAP)
_OF_THE_INDEX = (
    apsw.SQLITE_IOERR_SHMSIZE,
    apsw.SQLITE_IOERR_SHMMAP,
    apsw.SQLITE_IOERR_SHMOPEN,
    apsw.SQLITE_IOERR_SHMLOCK,
)
_LOG_KEPT = 64_000_000
"""Bytes of a log's file that are kept for the next. With any limit, a close empties the file."""

_log = log.get(__name__)


def check_library(version: str | None = None) -> None:
    """Raise UnsafeSqlite when the library may lose WAL data (3.7.0 to 3.51.2, save two fixes)."""
    text = version or apsw.sqlite_lib_version()
    number = tuple(int(part) for part in text.split("."))
    mended = (
        number >= (3, 51, 3) or (3, 50, 7) <= number < (3, 51) or (3, 44, 6) <= number < (3, 45)
    )
    if not mended:
        raise errors.UnsafeSqlite("version", text=text)


def open_database(
    path: Path,
    *,
    migrations: Sequence[str],
    contents: Contents = nothing_more,
    durable: bool = True,
    lock: FolderLock | None = None,
) -> apsw.Connection:
    """Open a database of ours for reading and writing, making and upgrading it as needed.

    contents: checks its rows where another program wrote the file. durable: synchronous=FULL (a
    commit survives a power cut), else NORMAL. lock: the lock of the one program that writes it; a
    `transaction` notices if the lock or the database was replaced. Raises DataFolderNotWritable,
    DatabaseTooNew, DatabaseDamaged (also for tables that no released version made), DatabaseBusy,
    UnsafeSqlite.
    """
    check_library()

    def once() -> OurConnection:
        path.parent.mkdir(parents=True, exist_ok=True)
        checksums.add_checksums(path, lambda known: contradictions(known, migrations, contents))
        return _made_ready(path, migrations, durable=durable, lock=lock)

    try:
        return faults.tried_again(once)
    except (OSError, apsw.Error) as error:
        raise _not_opened(path, error) from error


def _made_ready(
    path: Path, migrations: Sequence[str], *, durable: bool, lock: FolderLock | None
) -> OurConnection:
    connection = _opened(path, durable=durable)
    try:
        checksums.keep_log(connection)
        _migrate(connection, path, migrations)
        if lock is not None:
            connection.know_files(lock.held)
    except BaseException:
        connection.close()
        raise
    return connection


def _not_opened(path: Path, error: OSError | apsw.Error) -> errors.MachineError:
    """Return why the file can't be used: no room, no right, a failing disk, or known damage."""
    if isinstance(error, OSError) and error.errno in faults.NO_ROOM:
        return faults.disk_full(error)
    if faults.is_of_disk(error) and not _is_malformed(path, error):
        return _not_given(path, error)
    no_right = (OSError, apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError)
    if isinstance(error, no_right):
        return errors.DataFolderNotWritable.of(path.parent, error)
    if not isinstance(error, apsw.CorruptError):
        fault = faults.fault_of(error)
        if not isinstance(fault, errors.DatabaseDamaged):
            return fault
    return errors.DatabaseDamaged("header", path=str(path), why=_why(error))


def _why(error: OSError | apsw.Error) -> str:
    """Return SQLite's words, which call a wrong checksum a disk error, corrected."""
    return faults.words(error) if isinstance(error, apsw.IOError) else str(error)


def _not_given(path: Path, error: OSError | apsw.Error) -> errors.MachineError:
    if isinstance(error, apsw.IOError) and isinstance(
        fault := faults.fault_of(error), errors.DiskFull
    ):
        return fault
    return errors.DiskFailed.to_give(path, faults.words(error))


def _is_malformed(path: Path, error: Exception) -> bool:
    """Tell whether SQLite rightly calls a file malformed: the disk gives all of the file."""
    if not isinstance(error, apsw.CorruptError):
        return False
    try:
        with closing(checksums.with_checksums(path, make=False)) as connection:
            with suppress(apsw.CorruptError):
                connection.pragma("user_version")  # opens the log, which is read too
            return faults.refusal(connection) is None
    except apsw.Error as again:
        return not faults.is_of_disk(again)


def open_reader(path: Path, *, patience: int = 5000) -> apsw.Connection:
    """Open another program's database for reading. Raises DatabaseBusy where another program holds
    it whole, DiskFailed where the disk does not give it, DataFolderNotWritable where this user has
    no right, else DatabaseDamaged where it can't be read.

    patience: milliseconds that a read waits for a file that another program holds whole.
    """
    check_library()
    try:
        return faults.tried_again(lambda: _opened_to_read(path, patience))
    except (apsw.BusyError, apsw.LockedError) as error:
        raise faults.fault_of(error).about(path.name) from error
    except (OSError, apsw.Error) as error:
        if faults.is_of_disk(error) and not _is_malformed(path, error):
            raise _not_given(path, error) from error
        if path.exists() and not os.access(path, os.R_OK | os.W_OK):
            raise errors.DataFolderNotWritable.of(path.parent, error) from error
        is_content = isinstance(error, (apsw.CorruptError, apsw.NotADBError))
        kind = "header" if is_content else "unread"
        raise errors.DatabaseDamaged(kind, path=str(path), why=_why(error)) from error


def _opened_to_read(path: Path, patience: int) -> apsw.Connection:
    has_log = path.with_name(f"{path.name}-wal").exists()
    connection = checksums.with_checksums(path, make=False)
    try:
        if has_log:  # one that a reader makes would hide that another program took ours away
            checksums.keep_log(connection)
        connection.set_busy_timeout(patience)
        for pragma in ("query_only=ON", "trusted_schema=OFF", "cell_size_check=ON"):
            connection.execute(f"PRAGMA {pragma}")
        if not path.stat().st_size and not path.with_name(f"{path.name}-wal").exists():
            raise errors.DatabaseDamaged("emptied", path=str(path))
        _version(connection, path)
        checksums.check_reserved(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _opened(path: Path, *, durable: bool) -> OurConnection:
    """Open a file. On a full disk the index of the log (32 KB) is in memory: everything can be
    read, and until the file is opened anew no other program can read it."""
    connection = checksums.with_checksums(path)
    try:
        _configure(connection, durable=durable)
    except apsw.IOError as error:
        connection.close()
        if getattr(error, "extendedresult", 0) not in _NO_ROOM_FOR_INDEX:
            raise
    else:
        return connection
    connection = checksums.with_checksums(path)
    connection.execute("PRAGMA locking_mode=EXCLUSIVE").fetchall()
    _configure(connection, durable=durable)
    return connection


def _configure(connection: apsw.Connection, *, durable: bool) -> None:
    connection.set_busy_timeout(5000)
    synchronous = "FULL" if durable else "NORMAL"
    for pragma in (
        "journal_mode=WAL",
        f"journal_size_limit={_LOG_KEPT}",
        f"synchronous={synchronous}",
        "foreign_keys=ON",
        "trusted_schema=OFF",
        "cell_size_check=ON",
    ):
        connection.execute(f"PRAGMA {pragma}").fetchall()


def _migrate(connection: apsw.Connection, path: Path, migrations: Sequence[str]) -> None:
    version = version_of(connection, path, migrations)
    if version is FileVersion.NEWER:
        raise errors.DatabaseTooNew("database", path=str(path))
    checksums.check_reserved(connection, path)
    if version is FileVersion.CURRENT:
        return
    with transaction(connection):
        migrate(connection, migrations, version=_version(connection, path))
        connection.execute(f"PRAGMA application_id={_APPLICATION_ID}")


class FileVersion(StrEnum):
    """The version of the product that made a file, compared with this one."""

    EMPTY = "empty"
    UNRELEASED = "unreleased"
    OLDER = "older"
    CURRENT = "current"
    NEWER = "newer"


def version_of(connection: apsw.Connection, path: Path, migrations: Sequence[str]) -> FileVersion:
    """Tell which version made a file that is open. Raises DatabaseDamaged for a file of another
    program, and for tables that no released version made."""
    number = _version(connection, path)
    version = numbered_version(number, migrations)
    if version not in (FileVersion.NEWER, FileVersion.EMPTY):
        _check_tables(connection, path, steps_until(number, migrations))
    return version


def numbered_version(number: int, migrations: Sequence[str]) -> FileVersion:
    """Tell which version made a file by its number alone."""
    now = version_after(migrations)
    if number >= now:
        return FileVersion.NEWER if number > now else FileVersion.CURRENT
    if not number:
        return FileVersion.EMPTY
    return FileVersion.UNRELEASED if number < FIRST_VERSION else FileVersion.OLDER


def _check_tables(connection: apsw.Connection, path: Path, migrations: Sequence[str]) -> None:
    """Check the mark of the tables. A build before the first release numbered other tables with the
    same version, and another file of ours may have been copied here."""
    marked = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'made_by'").get
    if marked and connection.execute("SELECT steps FROM made_by").get == mark_of(migrations):
        return
    raise errors.DatabaseDamaged("unreleased", path=str(path))


def _version(connection: apsw.Connection, path: Path) -> int:
    version, mark, objects = connection.execute(
        "SELECT (SELECT user_version FROM pragma_user_version),"
        " (SELECT application_id FROM pragma_application_id),"
        " (SELECT count(*) FROM sqlite_schema)"
    ).get
    if objects and mark != _APPLICATION_ID:
        raise errors.DatabaseDamaged("stranger", path=str(path))
    return int(version)


@contextmanager
def transaction(connection: apsw.Connection, *, looks: bool = True) -> Iterator[apsw.Connection]:
    """Run one immediate transaction: it is committed at the end, rolled back by any exception.

    A transaction that was reported as failed stays undone, also after a crash. Raises DiskFull when
    there is no room for the commit, DiskFailed, DatabaseBusy when another program holds the file,
    DatabaseDamaged, and FilesReplaced, where another program could not find the committed data.
    looks: whether the files are checked before the commit.
    """
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            if isinstance(connection, OurConnection):
                connection.see_version()
            yield connection
            if looks:
                _look_for_files(connection)
        except BaseException:
            _roll_back(connection)
            raise
        _commit(connection)
    except faults.OF_THE_MACHINE as error:
        if isinstance(connection, OurConnection) and isinstance(error, faults.OF_THE_FILE):
            connection.learn_version_again()
        raise faults.fault_of(error, system=connection.system_errno) from error
    except errors.FilesReplaced as error:
        raise _with_copy(connection, error) from error


def check_files(connection: apsw.Connection) -> None:
    """Raise FilesReplaced unless the files that the connection has open still have their names."""
    try:
        _look_for_files(connection)
    except errors.FilesReplaced as error:
        raise _with_copy(connection, error) from error


def _look_for_files(connection: apsw.Connection) -> None:
    if not isinstance(connection, OurConnection):
        return
    try:
        connection.check_files()
    except OSError as error:
        raise faults.disk_failed(error) from error


def _with_copy(connection: apsw.Connection, error: errors.FilesReplaced) -> errors.FilesReplaced:
    """Copy the open content of a replaced database, which would be lost at the program's end, to a
    file beside it; only once, because nothing more is stored in it."""
    assert isinstance(connection, OurConnection)
    if error.kind:
        return error
    if connection.may_copy():
        connection.copy = _copied(connection)
    if (copy := connection.copy) is None:
        return errors.FilesReplaced("uncopied", **error.values)
    return errors.FilesReplaced("copied", copy=str(copy), **error.values)


def _copied(connection: apsw.Connection) -> Path | None:
    """Return a new file with the connection's content, or None where it can't be made."""
    path = Path(connection.filename)
    copy = path.with_name(f"{path.stem}-kept-{secrets.token_hex(4)}{path.suffix}")
    try:
        with closing(checksums.copy_target(copy, page_size=connection.pragma("page_size"))) as kept:
            with kept.backup("main", connection, "main") as backup:
                backup.step(-1)
            kept.execute("PRAGMA journal_mode=DELETE").fetchall()
    except apsw.Error as error:
        _log.error("what is open of %s can't be copied: %s", path, error)
        copy.unlink(missing_ok=True)
        return None
    _log.error("%s was replaced while it was open; what was open is kept in %s", path, copy)
    return copy


def _commit(connection: apsw.Connection) -> None:
    try:
        connection.execute("COMMIT")
    except apsw.IOError as error:
        _roll_back(connection)
        if not _is_written_over(connection):
            raise faults.disk_failed(error, undone=False) from error
        raise
    except BaseException:
        _roll_back(connection)
        raise


def _roll_back(connection: apsw.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _is_written_over(connection: apsw.Connection) -> bool:
    """Write and sync another commit over the remains of a failed one; tell whether that is certain.

    If only the sync failed, or the index of the log in memory, the whole failed commit may be in
    the log. The next program that opens the file after a crash would take it for valid.
    """
    level = connection.pragma("synchronous")
    try:
        connection.pragma("synchronous", "FULL")
        connection.pragma("user_version", connection.pragma("user_version"))
    except apsw.IOError as error:
        # The index comes after the sync: this empty commit overwrites the other one either way.
        return faults.extended(error) in _OF_THE_INDEX
    except faults.OF_THE_MACHINE:
        return False
    finally:
        connection.pragma("synchronous", level)
    return True
