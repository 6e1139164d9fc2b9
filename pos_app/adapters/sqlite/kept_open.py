"""A connection that stays open, and notices when its database's names belong to other files.

A backup that is put back under a running program takes the names of the files, and the program
writes to the old files, which end with the program. Or the backup overwrites the files, and their
content is gone. So a program looks for both before it commits money. A file that is overwritten
without its index (`-shm`) is noticed only by its checksums, or not at all.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import apsw

from pos_app.adapters.data_folder.held_file import HeldFile
from pos_app.errors import FilesReplaced

COPY_AGAIN_SECONDS = 60.0
"""The pause after a failed copy until the next, for which there may be room by then."""


class OurConnection(apsw.Connection):
    """A connection that checks its files once it knows them. copy: the file to which its open
    content was copied when they were replaced."""

    copy: Path | None = None
    _copied_at: float | None = None
    _files: tuple[HeldFile, ...] = ()
    _lock: HeldFile | None = None
    _version: int | None = None
    _schema = 0
    _is_overwritten = False

    def know_files(self, lock: HeldFile) -> None:
        """Remember the files of the database's names. The connection has read, so the log is there.
        lock: the lock of the one program that writes the database. Raises OSError."""
        path = Path(self.filename)
        names = (path, path.with_name(f"{path.name}-wal"))
        self._files = tuple(HeldFile.of(name, name.stat()) for name in names)
        self._lock = lock
        self._version = self._written_by_others()
        self._schema = self._schema_number()

    def see_version(self) -> None:
        """Compare the number when a transaction begins: nobody else can write then. After a failure
        it is too late, because a failure changes the number."""
        if self._version is not None and self._written_by_others() != self._version:
            self._is_overwritten = True

    def learn_version_again(self) -> None:
        """Read the version again after a failed read or write of this connection: SQLite then reads
        everything anew, and counts that as another program's write. Until the disk gives the
        number, another program's write is noticed only by the schema, which a copy that SQLite
        restores step by step always changes."""
        self._version = None
        if self._lock is not None:
            with suppress(apsw.Error):
                self._version = self._written_by_others()

    def may_copy(self) -> bool:
        """Tell whether a copy is tried now, so that not each check of the files writes one."""
        now = time.monotonic()
        if self.copy is not None or (
            self._copied_at is not None and now - self._copied_at < COPY_AGAIN_SECONDS
        ):
            return False
        self._copied_at = now
        return True

    def check_files(self) -> None:
        """Check the files. Raises FilesReplaced; OSError where that is impossible."""
        if self._lock is None:
            return
        for file in self._files:
            if not file.is_there():
                raise FilesReplaced(path=str(file.path))
        if not self._lock.is_there():
            raise FilesReplaced("lock", path=str(self._lock.path))
        version = self._written_by_others()
        if self._version is None:
            self._version = version
        if version != self._version or self._schema_number() != self._schema:
            self._is_overwritten = True
        if self._is_overwritten:
            raise FilesReplaced("overwritten", path=self.filename)

    def _written_by_others(self) -> int:
        """Return a number that changes when another connection commits."""
        return int(self.pragma("data_version"))

    def _schema_number(self) -> int:
        return int(self.pragma("schema_version"))
