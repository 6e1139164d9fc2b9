"""Backups in a child process: the port `selling.backups`, and the set of each day.

The child is `pos_app.bootstrap.till.backup_work`; it runs at the lowest priority and reads the
settings anew each time.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pos_app import installed, log, settings, wire
from pos_app.adapters.backup import sets
from pos_app.adapters.backup.drive import missing_drive
from pos_app.adapters.child_work import ChildWorks
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder.upgrade_mark import BACKUPS
from pos_app.domain.setup import backup
from pos_app.errors import MachineError
from pos_app.selling.backups import BackupsHere
from pos_app.selling.file_work import FileWork

MAKE, LOOK = "make", "look"
LOOK_SECONDS = 60.0
RETRY_SECONDS = 3600.0
_REAP_SECONDS = 5.0

_log = log.get(__name__)


def _command() -> tuple[str, ...]:
    return installed.command("pos_app.bootstrap.till.backup_work")


def _outlook(members: Any) -> object:
    # The records are loaded only now: no till waits for them at its start.
    return wire.records.from_json(backup.Outlook, members)


class BackupProcess:
    """Starts backups. command: starts the child."""

    def __init__(self, data: Path, *, command: Sequence[str] | None = None) -> None:
        self._data = data
        self._command = tuple(command or _command())
        self._works = ChildWorks({"outlook": _outlook})
        self.daily = DailyBackup(data, command=command)

    @property
    def makes_daily(self) -> bool:
        return self.daily.is_making

    def close(self) -> None:
        self._works.close()

    async def here(self) -> BackupsHere:
        return await asyncio.to_thread(self._here)

    def _here(self) -> BackupsHere:
        folder = settings.load(self._data).backup.folder
        second = sets.second_folder(self._data, folder)
        return BackupsHere(
            sets.found_sets(self._data, folder),
            sets.last_try(self._data),
            str(self._data / BACKUPS),
            _free(self._data),
            self._free_there(second),
        )

    def _free_there(self, second: Path | None) -> int | None:
        """The room in the second place; None where there is none, or its drive is not connected."""
        if second is None or missing_drive(self._data, second.parent) is not None:
            return None
        return _free(second.parent)

    def last_try(self) -> backup.LastTry | None:
        return sets.last_try(self._data)

    def begin(self) -> FileWork:
        return self._begun(MAKE, {"why": backup.BackupWhy.HAND})

    def look_into(self, backup_set: backup.BackupSet) -> FileWork:
        return self._begun(LOOK, {"folder": backup_set.folder})

    def _begun(self, what: str, asked: dict[str, Any]) -> FileWork:
        return self._works.begin((*self._command, what, str(self._data)), asked)


def _free(folder: Path) -> int | None:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def outlook_text(outlook: backup.Outlook) -> dict[str, object]:
    return {"outlook": wire.records.to_json(backup.Outlook, outlook)}


# --- each day ------------------------------------------------------------------------------------


class DailyBackup:
    """Makes the set of each day while nobody works, as the settings say. Several programs on a
    folder make one set: the child looks again once no other is making one."""

    def __init__(self, data: Path, *, command: Sequence[str] | None = None) -> None:
        self._data = data
        self._command = (*(command or _command()), MAKE, str(data))
        self.is_making = False

    async def run(self, still_seconds: Callable[[], float]) -> None:
        """Run until cancelled, then end the child. still_seconds: returns how long nobody
        worked."""
        pause = LOOK_SECONDS
        while True:
            await asyncio.sleep(pause)
            is_due = await asyncio.to_thread(self.is_due, still_seconds())
            pause = LOOK_SECONDS if not is_due or await self.make() else RETRY_SECONDS

    def is_due(self, still_seconds: float) -> bool:
        try:
            loaded = settings.load(self._data)
        except MachineError as error:
            _log.warning("whether a backup is due can't be known: %s", error.what)
            return False
        if not loaded.backup.daily or loaded.environment == "demo":
            return False
        now = SystemClock().now()
        return backup.is_due(sets.newest(self._data, until=now), now, still_seconds=still_seconds)

    async def make(self) -> bool:
        """Make the set, and tell whether there is one of today now."""
        try:
            installed.check_own()
        except MachineError as error:
            _log.warning("the backup of today is not made: %s", error.what)
            return False
        self.is_making = True
        try:
            return await self._made()
        finally:
            self.is_making = False

    async def _made(self) -> bool:
        beginning = asyncio.ensure_future(asyncio.to_thread(self._begin))
        try:
            child = await asyncio.shield(beginning)
            status = await asyncio.to_thread(child.wait)
        except asyncio.CancelledError:
            child = await beginning
            child.terminate()
            with suppress(subprocess.TimeoutExpired):
                child.wait(_REAP_SECONDS)
            raise
        if status:
            _log.warning("the backup of today came to nothing (status %d)", status)
        return status == 0

    def _begin(self) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        assert child.stdin is not None
        with suppress(OSError), child.stdin as pipe:
            pipe.write(json.dumps({"why": backup.BackupWhy.DAILY}).encode() + b"\n")
        return child
