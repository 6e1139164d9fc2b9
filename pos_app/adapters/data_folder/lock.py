"""Lets one program of a kind use a data folder, by a system's lock that ends with its holder."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pos_app.adapters.closed_at_exit import ClosedAtExit
from pos_app.adapters.data_folder.held_file import HeldFile
from pos_app.errors import AlreadyRunning, DataFolderNotWritable

_LOCK_SECONDS = 0.05
"""The pause between two attempts to take a lock that another program holds."""


class FolderLock(ClosedAtExit):
    """Holds `path` locked until closed or the process ends, however it ends.

    what: the program in words ("till", "server"). held: the file that is locked; where another file
    has its name, a second program gets in. Raises AlreadyRunning when another process holds it,
    DataFolderNotWritable when the file can't be made.
    """

    def __init__(self, path: Path, *, what: str) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise DataFolderNotWritable.of(path.parent, error) from error
        try:
            self.held = HeldFile.of(path, os.fstat(self._file))
            _lock(self._file)
        except OSError as error:
            os.close(self._file)
            raise AlreadyRunning(what, program=what, path=str(path.parent.parent)) from error

    def close(self) -> None:
        """Release the lock; the file stays, so that no other process locks a deleted one."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def is_held(path: Path) -> bool:
    """Tell whether a program holds the lock `path` now. Raises DataFolderNotWritable."""
    try:
        FolderLock(path, what="program").close()
    except AlreadyRunning:
        return True
    return False


def lock_within(
    path: Path, *, what: str, seconds: float, on_wait: Callable[[], None] = lambda: None
) -> FolderLock:
    """Take the lock, for which this thread waits so long. on_wait: called once where it has to.
    Raises AlreadyRunning, DataFolderNotWritable."""
    until, is_told = time.monotonic() + seconds, False
    while True:
        try:
            return FolderLock(path, what=what)
        except AlreadyRunning:
            if time.monotonic() >= until:
                raise
        if not is_told:
            on_wait()
            is_told = True
        time.sleep(_LOCK_SECONDS)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


async def locked(path: Path, what: str, waits: Callable[[], bool]) -> FolderLock:
    """Take the lock. waits: tells whether to try again as long as another program has it. Raises
    AlreadyRunning, DataFolderNotWritable."""
    import asyncio  # noqa: PLC0415 - a synchronisation holds a lock without a loop

    while True:
        try:
            return FolderLock(path, what=what)
        except AlreadyRunning:
            if not waits():
                raise
            await asyncio.sleep(_LOCK_SECONDS)
