"""A lock of the system on a file: only the program that holds it writes the database beside it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pos_app.errors import DatabaseBusy, DataFolderNotWritable

_TRY_SECONDS = 0.005
_WAIT_SECONDS = 30.0


class WriteLock:
    """The lock. Making it raises DataFolderNotWritable if its file can't be made."""

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise DataFolderNotWritable.of(path.parent, error) from error

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Hold the lock while inside. Only one task of this process may ask for it at a time.
        Raises DatabaseBusy if another program keeps the lock for 30 seconds."""
        deadline = asyncio.get_running_loop().time() + _WAIT_SECONDS
        while not _taken(self._file):
            if asyncio.get_running_loop().time() > deadline:
                raise DatabaseBusy("writer")
            await asyncio.sleep(_TRY_SECONDS)
        try:
            yield
        finally:
            _let_go(self._file)

    def close(self) -> None:
        os.close(self._file)


if sys.platform == "win32":
    import msvcrt

    def _taken(file: int) -> bool:
        os.lseek(file, 0, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _let_go(file: int) -> None:
        os.lseek(file, 0, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _taken(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _let_go(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
