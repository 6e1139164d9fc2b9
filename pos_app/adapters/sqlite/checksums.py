"""Checksums in the pages of our files: SQLite's own checksum VFS, which apsw's wheels carry.

Each page ends in eight bytes of checksum, written with it and compared whenever it is read from
the disk; one that does not fit is an input/output error and never an answer. It costs nothing that
can be measured: a durable commit takes 0.12 ms with it and without.
"""

from __future__ import annotations

import ctypes
import threading
from pathlib import Path

import apsw
import apsw.sqlite_extra

from pos_app import log
from pos_app.errors import DatabaseDamaged, UnsafeSqlite

RESERVED = 8
"""Bytes of each page that the VFS wants for itself; set when a file is made, for ever."""
_VFS = "cksmvfs"
_RESERVED_AT = 20
"""Where a file's head says how many they are."""

_loading = threading.Lock()
_log = log.get(__name__)


def with_checksums(path: Path, *, make: bool = True) -> apsw.Connection:
    """A connection that compares the checksum of every page it reads.

    make: an absent file is made. Raises apsw.Error, and UnsafeSqlite where the library has no
    checksums.
    """
    _load()
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if make else 0)
    connection = apsw.Connection(str(path), flags=flags, vfs=_VFS)
    connection.reserve_bytes("main", RESERVED)
    return connection


def keep_log(connection: apsw.Connection) -> None:
    """Let its log (-wal) stay when the file is closed: without one it was closed by a program that
    knows no checksums."""
    wanted = ctypes.c_int(1)
    connection.file_control("main", apsw.SQLITE_FCNTL_PERSIST_WAL, ctypes.addressof(wanted))


def take_over(path: Path) -> None:
    """Give their checksums to pages that another SQLite brought from the log into the file, as it
    does when it opens and closes what a killed program left. The log itself holds none.

    Only where it surely did: our own programs leave the log, and it is gone. What is not whole
    apart from its checksums stays as it is, and is damage. Raises apsw.Error.
    """
    if not path.exists() or path.with_name(f"{path.name}-wal").exists():
        return
    connection = with_checksums(path, make=False)
    try:
        if _is_whole(connection):
            return
        connection.execute("PRAGMA checksum_verification=OFF").fetchall()
        if _is_whole(connection):
            connection.execute("VACUUM")
            _log.warning("%s was written by another program: its pages are checked anew", path)
    finally:
        connection.close()


def _is_whole(connection: apsw.Connection) -> bool:
    try:
        return bool(connection.execute("PRAGMA integrity_check(1)").get == "ok")
    except apsw.Error:
        return False


def check_reserved(path: Path) -> None:
    """Raise DatabaseDamaged for a file whose head says that its pages have no checksums.

    The VFS believes the head: with one flipped bit in it nothing would be compared any more.
    """
    with path.open("rb") as file:
        head = file.read(_RESERVED_AT + 1)
    if len(head) > _RESERVED_AT and head[_RESERVED_AT] != RESERVED:
        raise DatabaseDamaged(
            f"The file {path} has no checksums: its first page is damaged, or an unreleased build"
            " of this product made it.",
            safe="It was left as it is.",
            do="Move it away and restore a backup.",
            path=str(path),
        )


def _load() -> None:
    """Make the VFS known to the library. It is the default then: who opens a file of ours without
    naming it compares, and writes, checksums too."""
    with _loading:  # loaded twice at once it would stand upon itself
        if _VFS in apsw.vfs_names():
            return
        lender = apsw.Connection(":memory:")
        try:
            apsw.sqlite_extra.load(lender, "cksumvfs")
        except (apsw.Error, LookupError, apsw.sqlite_extra.NotAvailable) as error:
            raise UnsafeSqlite(
                f"The SQLite library comes without checksums: {error}.",
                safe="Nothing was opened.",
                do="Install the product with its own libraries (apsw with its extras).",
            ) from error
        finally:
            lender.close()
