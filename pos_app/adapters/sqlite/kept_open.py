"""A connection that a program keeps open: it notices when its database's names belong to other
files.

A backup that is put back under a running program takes the names of the files, and the program
writes to the old ones, which end with it. Or the backup overwrites them, and their content is gone.
So both are checked before money is committed. A file that is overwritten without its index (`-shm`)
is noticed only by its checksums, or not at all.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import apsw

from pos_app.adapters.data_folder.held_file import HeldFile
from pos_app.errors import FilesReplaced

COPY_AGAIN_SECONDS = 60.0
"""The time after a failed copy, for which there may be room now, until the next one is tried."""


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
        """Remember the files that have the database's names now. The connection has read before, so
        the log is there.

        lock: the lock of the one program that writes the database. Raises OSError.
        """
        path = Path(self.filename)
        names = (path, path.with_name(f"{path.name}-wal"))
        self._files = tuple(HeldFile.of(name, name.stat()) for name in names)
        self._lock = lock
        self._version = self._written_by_others()
        self._schema = self._schema_number()

    def see_version(self) -> None:
        """Compare the version when a transaction begins: no other connection can write from now on,
        so the result stays true after a failure, which changes the number."""
        if self._version is not None and self._written_by_others() != self._version:
            self._is_overwritten = True

    def learn_version_again(self) -> None:
        """Read the version again after a failed read or write of its own: SQLite reads everything
        anew as soon as the disk gives it, and counts that as a write of another program. If the
        disk does not give it yet, a program that writes until then is noticed only by the schema,
        which a copy that SQLite restores step by step always changes."""
        self._version = None
        if self._lock is not None:
            with suppress(apsw.Error):
                self._version = self._written_by_others()

    def may_copy(self) -> bool:
        """Tell whether a copy is tried now: repeated checks of the files must not write the whole
        open content each time."""
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
