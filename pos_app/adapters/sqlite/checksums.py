"""Checksums in the pages of our files: SQLite's own checksum VFS, which apsw's wheels carry.

Each page ends in eight bytes of checksum, written with it and compared whenever it is read from the
disk; a wrong one is an input/output error and never an answer. It has no measurable cost: a durable
commit takes 0.12 ms, with or without checksums.
"""

from __future__ import annotations

import ctypes
import os
import struct
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import apsw.sqlite_extra

from pos_app import errors, log
from pos_app.adapters.sqlite.faults import found_by
from pos_app.adapters.sqlite.kept_open import OurConnection

RESERVED = 8
"""The bytes of each page for the VFS itself, set for ever when a file is made."""
_VFS = "cksmvfs"
_RESERVED_AT = 20
_FILE = 0
"""The database file itself; 1 would be its rollback journal."""
_PAGE_SIZE_AT = 16
"""The position of the page size in the head; 1 means the largest."""
_LARGEST_PAGE = 65_536
_CHECK = "integrity_check(1)"

_loading = threading.Lock()
_log = log.get(__name__)


def with_checksums(path: Path, *, make: bool = True) -> OurConnection:
    """Return a connection that compares the checksum of every page it reads. make: an absent file
    is made. Raises apsw.Error, and UnsafeSqlite where the library has no checksums."""
    load_checksums()
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if make else 0)
    connection = OurConnection(str(path), flags=flags, vfs=_VFS)
    connection.reserve_bytes("main", RESERVED)
    return connection


def copy_target(copy: Path, *, page_size: int) -> OurConnection:
    """Make a new file that gets all pages of another database of ours, in any order.

    The VFS learns from the first page that a file has checksums. Others may be written before it,
    and those from a log have no checksum of their own. Raises apsw.Error.
    """
    connection = with_checksums(copy)
    try:
        connection.pragma("page_size", page_size)
        connection.pragma("user_version", 1)  # this writes the first page
    except BaseException:
        connection.close()
        raise
    return connection


def keep_log(connection: apsw.Connection) -> None:
    """Keep the log (-wal) of a closed database: a program without checksums leaves none."""
    wanted = ctypes.c_int(1)
    connection.file_control("main", apsw.SQLITE_FCNTL_PERSIST_WAL, ctypes.addressof(wanted))


def add_checksums(path: Path, contradictions: Callable[[apsw.Connection], list[str]]) -> None:
    """Give checksums to pages that another SQLite moved from the log into the file, as it does when
    it opens and closes the files of a killed program. The log itself has no checksums.

    This is done only where that surely happened: our own programs leave the log, and here it is
    gone. A page without its checksum may as well be damaged, so the content of the whole file has
    to agree with itself; else the file stays as it is, and counts as damaged. contradictions:
    returns the contradictions of its rows, in words. No room is needed, and the next start
    continues an interrupted run. Raises DatabaseTooNew for a whole file of a newer version, which
    is not changed; apsw.Error, OSError, DiskFailed.
    """
    if not path.exists() or path.with_name(f"{path.name}-wal").exists():
        return
    with closing(with_checksums(path, make=False)) as connection:
        if not found_by(connection, _CHECK):
            return
        connection.execute("PRAGMA checksum_verification=OFF").fetchall()
        if found_by(connection, _CHECK):
            return
        _log.warning(
            "another program wrote %s: all of it is looked at before it is used, which takes some"
            " minutes for a gigabyte",
            path,
        )
        if found := contradictions(connection):
            _log.error("%s is damaged: %s", path, found[0])
            return
    _seal(path)  # no connection may be open: closing a file releases all locks on it
    _log.warning("%s is whole; its pages have checksums again", path)


def _seal(path: Path) -> None:
    """Write the right checksum into each page that has a wrong one."""
    with path.open("r+b") as file:
        head = file.read(_PAGE_SIZE_AT + 2)
        size = int.from_bytes(head[_PAGE_SIZE_AT:], "big")
        size = _LARGEST_PAGE if size == 1 else size
        file.seek(0)
        for number, page in enumerate(iter(lambda: file.read(size), b"")):
            if len(page) == size and page[-RESERVED:] != (right := checksum(page)):
                file.seek((number + 1) * size - RESERVED)
                file.write(right)
        file.flush()
        os.fsync(file.fileno())


def checksum(page: bytes) -> bytes:
    """Return the last eight bytes of a whole page, as the VFS computes them."""
    first = second = 0
    for one, other in struct.iter_unpack("<II", page[:-RESERVED]):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return struct.pack("<II", first, second)


def check_reserved(connection: apsw.Connection, path: Path) -> None:
    """Raise DatabaseDamaged for a file whose head says that its pages have no checksums.

    The VFS believes the head, so with one flipped bit in it nothing would be compared any more. The
    head is read through the connection. If the file were opened and closed for that a second time,
    all locks of this program on it would be released, and another program that then closes the file
    would throw away the log that this one still writes. Raises apsw.Error.
    """
    _, head = connection.read("main", _FILE, 0, _RESERVED_AT + 1)
    if len(head) > _RESERVED_AT and head[_RESERVED_AT] != RESERVED:
        raise errors.DatabaseDamaged("no_checksums", path=str(path))


def load_checksums() -> None:
    """Register the VFS with the library, as its default: code that opens a file of ours without
    naming a VFS compares and writes checksums too."""
    with _loading:  # loaded twice at once it would call itself
        if _VFS in apsw.vfs_names():
            return
        lender = apsw.Connection(":memory:")
        try:
            apsw.sqlite_extra.load(lender, "cksumvfs")
        except (apsw.Error, LookupError, apsw.sqlite_extra.NotAvailable) as error:
            raise errors.UnsafeSqlite("no_checksums", why=error) from error
        finally:
            lender.close()
