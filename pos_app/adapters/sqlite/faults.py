"""SQLite's faults as ours: what happened to a file of ours, whether it is safe, what to do."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from pos_app.errors import DatabaseBusy, DatabaseDamaged, DiskFailed, DiskFull, MachineError

OF_THE_MACHINE = (
    *(apsw.FullError, apsw.IOError, apsw.CorruptError, apsw.NotADBError),
    *(apsw.BusyError, apsw.LockedError, apsw.ProtocolError),
)
"""What no statement is to blame for."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_DAMAGE = (apsw.SQLITE_IOERR_DATA, apsw.SQLITE_IOERR_CORRUPTFS)
"""A checksum that does not fit; a file system that knows itself damaged."""


@contextmanager
def translated_errors(file: str = "") -> Iterator[None]:
    """SQLite's faults as MachineError; what a constraint refuses is told by whose table it is.

    file: name of the database, which each fault names.
    """
    try:
        yield
    except MachineError as error:
        error.about(file)
        raise
    except apsw.ConstraintError:
        raise
    except apsw.Error as error:
        raise fault_of(error).about(file) from error
    except UnicodeDecodeError as error:
        raise _damaged(f"a text of it is none: {error.reason}").about(file) from error


def fault_of(error: apsw.Error, *, system: int = 0) -> MachineError:
    """What an error of SQLite's means for the caller.

    system: the operating system's last error on that connection, 0 where it is not known.
    """
    match error:
        case apsw.BusyError() | apsw.LockedError() | apsw.ProtocolError():
            return _busy(error)
        case apsw.FullError():
            return disk_full(error)
        case apsw.IOError() if (code := extended(error)) not in _DAMAGE:
            no_room = code == apsw.SQLITE_IOERR_SHMSIZE or system in NO_ROOM
            return disk_full(error) if no_room else disk_failed(error)
        case _:
            return _damaged(words(error))


def _damaged(what: str) -> DatabaseDamaged:
    return DatabaseDamaged(
        f"The database can't be read or written now: {what}.",
        safe="What was confirmed before is safe.",
        do="Restart the computer; if it stays so, restore a backup or call support.",
        kind="now",
    )


def extended(error: apsw.Error) -> int:
    """SQLite's code of the very fault; 0 where it gave none."""
    code: int = getattr(error, "extendedresult", 0)
    return code


def words(error: apsw.Error) -> str:
    """SQLite's own words; it calls a checksum that does not fit a disk error."""
    if extended(error) == apsw.SQLITE_IOERR_DATA:
        return "the checksum of a page does not fit"
    return str(error)


def disk_failed(error: apsw.Error, *, undone: bool = True) -> DiskFailed:
    """The disk refused a read or a write.

    undone: False where a commit failed and could not be undone: it may be found after a restart.
    """
    if undone:
        return DiskFailed(
            f"The disk failed: {error}.",
            safe="What was confirmed before is safe; this was not stored.",
            do="Try again. If it stays so, restart the computer and call support.",
        )
    return DiskFailed(
        f"The disk failed while this was stored, and again while it was undone: {error}.",
        safe="What was confirmed before is safe. Whether this was stored shows after a restart.",
        do="Do not do the same again: restart the computer and look whether it is there.",
        kind="uncertain",
    )


def _busy(error: apsw.Error) -> DatabaseBusy:
    return DatabaseBusy(
        f"Another program holds the database: {error}.",
        safe="Nothing was changed; what was confirmed before is safe.",
        do="Try again. If it stays so, close programs that copy files.",
    )


def disk_full(error: apsw.Error | OSError) -> DiskFull:
    return DiskFull(
        f"The disk took no more data: {error}.",
        safe="What was confirmed before is safe; this was not stored.",
        do="Call support: there is no room on the disk. Then try again.",
    )
