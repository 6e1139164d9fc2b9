"""Translates SQLite's faults into ours: what happened to a file, whether it is safe, what to do."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import apsw

from pos_app import errors, log
from pos_app.adapters.data_folder.private_files import OF_THE_DISK, READ_TRIES

T = TypeVar("T")

OF_THE_FILE = (apsw.FullError, apsw.IOError, apsw.CorruptError, apsw.NotADBError)
"""Failures of the disk or of the file's content, after which SQLite reads everything anew."""
OF_THE_MACHINE = (*OF_THE_FILE, apsw.BusyError, apsw.LockedError, apsw.ProtocolError)
"""Failures that no statement causes."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_IN_WORDS = re.compile(r"error code[= ](\d+)")
"""The words of SQLite's check for a page that it could not read."""
_FILE, _LOG = 0, 1
_AT_ONCE = 1_000_000
"""Bytes of one read. This is not the size of a page, so SQLite compares no checksum."""

_log = log.get(__name__)


@contextmanager
def translated_errors(file: str = "") -> Iterator[None]:
    """Raise SQLite's faults as MachineError; the owner of the table handles refusals by a
    constraint. file: name of the database, which each fault names."""
    try:
        yield
    except errors.MachineError as error:
        error.about(file)
        raise
    except apsw.ConstraintError:
        raise
    except apsw.Error as error:
        raise fault_of(error).about(file) from error
    except UnicodeDecodeError as error:
        raise _damaged(f"a text of it is none: {error.reason}").about(file) from error


def tried_again(read: Callable[[], T]) -> T:
    """Read, and try again a few times where the disk does not give the data. It must not be used
    within a transaction, which a failed read may have ended. Raises the last error."""
    for _ in range(READ_TRIES - 1):
        try:
            return read()
        except (OSError, apsw.Error) as error:
            if not is_of_disk(error):
                raise
    return read()


def fault_of(error: apsw.Error, *, system: int = 0) -> errors.MachineError:
    """Translate an error of SQLite's for the caller. system: the operating system's last error on
    that connection, 0 where it is unknown."""
    match error:
        case apsw.BusyError() | apsw.LockedError() | apsw.ProtocolError():
            return _busy(error)
        case apsw.FullError():
            return disk_full(error)
        case _ if is_of_disk(error):
            no_room = extended(error) == apsw.SQLITE_IOERR_SHMSIZE or system in NO_ROOM
            return disk_full(error) if no_room else disk_failed(error)
        case _:
            return _damaged(words(error))


def _damaged(what: str) -> errors.DatabaseDamaged:
    return errors.DatabaseDamaged("now", why=what)


def extended(error: apsw.Error) -> int:
    """Return SQLite's extended code of the fault; 0 where it gave none."""
    code: int = getattr(error, "extendedresult", 0)
    return code


def is_of_disk(error: Exception) -> bool:
    """Tell whether the disk refused a read or a write, which says nothing about the file's content.

    SQLite reports a read that fails within a statement as a malformed file. A file that is
    malformed has wrong checksums, which are another error.
    """
    match error:
        case apsw.IOError():
            return extended(error) != apsw.SQLITE_IOERR_DATA
        case apsw.CorruptError():
            return extended(error) == apsw.SQLITE_CORRUPT
    return isinstance(error, OSError) and error.errno in OF_THE_DISK


def _code(error: apsw.Error | OSError) -> int:
    return extended(error) if isinstance(error, apsw.Error) else error.errno or 0


def words(error: apsw.Error | OSError) -> str:
    """Return SQLite's words, corrected: it calls a wrong checksum a disk error, a failed read
    damage."""
    if isinstance(error, apsw.CorruptError) and is_of_disk(error):
        return "a page can't be read"
    if isinstance(error, apsw.Error) and extended(error) == apsw.SQLITE_IOERR_DATA:
        return "the checksum of a page does not fit"
    return str(error) or "a page can't be read"


# --- looking at a whole file -----------------------------------------------------------------


def found_by(connection: apsw.Connection, pragma: str) -> list[str]:
    """Return the faults that a check of SQLite's finds, in its words; empty for a whole file.

    Raises DiskFailed where the disk does not give the file in several attempts;
    apsw.InterruptError.
    """
    failed: apsw.Error | None = None
    for _ in range(READ_TRIES):
        try:
            found = [str(row[0]) for row in connection.execute(f"PRAGMA {pragma}")]
        except apsw.InterruptError:
            raise
        except apsw.Error as error:
            found, failed = [words(error)], error if is_of_disk(error) else None
        else:
            failed = next(filter(None, map(_disk_fault, found)), None)
        if failed is None:
            return [] if found == ["ok"] else found
    assert failed is not None
    if isinstance(failed, apsw.CorruptError) and (failed := refusal(connection)) is None:
        return ["database disk image is malformed"]
    raise disk_failed(failed) from failed


def _disk_fault(row: str) -> apsw.Error | None:
    code = _IN_WORDS.search(row)
    error = apsw.exception_for(int(code[1])) if code else None
    return error if isinstance(error, apsw.Error) and is_of_disk(error) else None


def refusal(connection: apsw.Connection) -> apsw.Error | None:
    """Read the whole file and its log; return the error where the disk does not give them. A log
    that the connection has not opened is no such error."""
    try:
        for file in (_FILE, _LOG):
            offset, goes_on = 0, True
            while goes_on:
                goes_on, _ = connection.read("main", file, offset, _AT_ONCE)
                offset += _AT_ONCE
    except apsw.Error as error:
        return error if is_of_disk(error) else None
    return None


def disk_failed(error: apsw.Error | OSError, *, undone: bool = True) -> errors.DiskFailed:
    """Return the error of a disk that refused a read or a write. undone: False where a commit
    failed and could not be undone: it may be found after a restart."""
    _log.warning("the disk failed: %s (%d)", words(error), _code(error))
    if undone:
        return errors.DiskFailed("commit")
    return errors.DiskFailed("uncertain")


def _busy(error: apsw.Error) -> errors.DatabaseBusy:
    return errors.DatabaseBusy("other_program")


def disk_full(error: apsw.Error | OSError) -> errors.DiskFull:
    """Return the error of a full disk, and log the words of SQLite and the system."""
    _log.warning("the disk took no more data: %s (%d)", error, _code(error))
    return errors.DiskFull("commit")
