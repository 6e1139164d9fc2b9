"""Keeps other programs off a data folder while a command changes its files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pos_app.adapters.backup.sets import LOCK as BACKUP_LOCK
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.server_process.address import SERVER_LOCK
from pos_app.adapters.sqlite.till.till import LOCK_NAME
from pos_app.pfr_emulator.files import LOCK_FILE

_LOCKS = (
    (Path("till", LOCK_NAME), "till"),
    (SERVER_LOCK, "server"),
    (catalogue_file(Path()).with_name("sync.lock"), "synchronisation"),
    (BACKUP_LOCK, "backup"),
    (Path("processor", LOCK_FILE), "development processor"),
)


@contextmanager
def alone(data: Path) -> Iterator[None]:
    """Let no till, server, synchronisation, backup or development processor run on the folder while
    inside. Raises AlreadyRunning."""
    with ExitStack() as stack:
        for lock, what in _LOCKS:
            if (data / lock).parent.is_dir():
                stack.enter_context(FolderLock(data / lock, what=what))
        yield
