"""File systems of a test's own, beneath the checksums: what they see is what the disk gets. One of
them is a disk on which one access fails; beside it files with one byte flipped."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import apsw

from pos_app.adapters.sqlite.checksums import load_checksums

PAGE = 4096
READ, WRITE, SYNC = "read", "write", "sync"
_CODES = {
    READ: apsw.SQLITE_IOERR_CORRUPTFS,  # as SQLite tells EIO
    WRITE: apsw.SQLITE_IOERR_WRITE,
    SYNC: apsw.SQLITE_IOERR_FSYNC,
}


@dataclass
class FaultyDisk:
    """Counts the accesses of each kind to files whose path begins with `files`, and lets some fail.

    A write is done even where the write or the sync is reported as failed. That is the worst case:
    a commit that was reported as failed stands in the file.
    """

    files: str
    failing: dict[str, range] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    failed: list[tuple[str, str]] = field(default_factory=list)
    """Kind and file of each access that was made to fail."""

    def fail(self, kind: str, nth: int, times: int = 1) -> None:
        """Let the nth access of that kind from now on fail, and `times` accesses in all."""
        self.counts[kind] = 0
        self.failing[kind] = range(nth, nth + times)

    def mend(self) -> None:
        self.failing.clear()

    def met(self, kind: str, name: str) -> bool:
        """Note an access, and return whether it fails."""
        if not name.startswith(self.files):
            return False
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if self.counts[kind] not in self.failing.get(kind, ()):
            return False
        self.failed.append((kind, name))
        return True


def _fault(kind: str) -> apsw.Error:
    error = apsw.IOError(f"a {kind} failed")
    error.extendedresult = _CODES[kind]  # type: ignore[attr-defined]
    return error


class _File(apsw.VFSFile):
    def __init__(self, disk: FaultyDisk, base: str, name: Any, flags: list[int]) -> None:
        told = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._name = told or ""
        self._disk = disk
        super().__init__(base, name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:
        if self._disk.met(READ, self._name):
            raise _fault(READ)
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:
        super().xWrite(data, offset)
        if self._disk.met(WRITE, self._name):
            raise _fault(WRITE)

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        if self._disk.met(SYNC, self._name):
            raise _fault(SYNC)


class _Vfs(apsw.VFS):
    def __init__(self, disk: FaultyDisk, base: str) -> None:
        self._disk = disk
        self._base = base
        super().__init__("faulty", base, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> _File:
        return _File(self._disk, self._base, name, flags)


@contextmanager
def faulty(files: Path) -> Iterator[FaultyDisk]:
    """While inside, accesses to the files whose path begins with `files` can be made to fail."""
    disk = FaultyDisk(str(files))
    with beneath(lambda base: _Vfs(disk, base)):
        yield disk


def crashed(folder: Path, into: Path) -> Path:
    """Copy the files of a folder as they are now: the next program finds them so after a crash."""
    into.mkdir(parents=True)
    for file in folder.iterdir():
        if file.is_file() and not file.name.endswith("-shm"):
            (into / file.name).write_bytes(file.read_bytes())
    return into


def settle(path: Path) -> None:
    """Write the log into the file, so that the file alone holds everything."""
    connection = apsw.Connection(str(path))
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    connection.close()


def flip(path: Path, page: int, offset: int, *, bits: int = 0x41) -> None:
    with path.open("r+b") as file:
        file.seek(page * PAGE + offset)
        byte = file.read(1)[0]
        file.seek(page * PAGE + offset)
        file.write(bytes([byte ^ bits]))


def checksum(page: bytes) -> bytes:
    """The last eight bytes of a whole page, as SQLite's cksumvfs computes them."""
    first = second = 0
    for one, other in struct.iter_unpack("<II", page[:-8]):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return struct.pack("<II", first, second)


# --- beneath the checksums -----------------------------------------------------------------------

V = TypeVar("V", bound=apsw.VFS)

_CHECKSUMS = "cksmvfs"


@contextmanager
def beneath(make: Callable[[str], V]) -> Iterator[V]:
    """While inside, files are opened through the file system that `make` makes as the default, on
    the given base.

    The checksums stand on the file system that was the default when they were installed, so they
    are removed and installed again: also afterwards, for a file that was opened before still closes
    through them.
    """
    had_checksums = _let_go()
    made = make(apsw.vfs_names()[0])
    try:
        yield made
    finally:
        _let_go()
        made.unregister()
        if had_checksums:
            load_checksums()


def _let_go() -> bool:
    if _CHECKSUMS not in apsw.vfs_names():
        return False
    apsw.unregister_vfs(_CHECKSUMS)
    return True
