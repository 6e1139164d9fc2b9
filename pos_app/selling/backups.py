"""The ports of the till's page of backups: to list sets, to make one, to tell what would be missing
if one were put back, and to put one back.

Source: till.md (Settings).
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from pos_app.domain.setup.backup import BackupSet, Lacking, LastTry
from pos_app.errors import PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.file_work import FileWork

FOLDER, DAILY = "backup.folder", "backup.daily"


@dataclass(frozen=True, slots=True)
class BackupSetup:
    """folder: a second folder for sets, "" for none. daily: whether a set is made each day.
    given_elsewhere: names of the settings that the environment gives."""

    folder: str = ""
    daily: bool = True
    given_elsewhere: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BackupsHere:
    """sets: the newest first. last: the last attempt, None before the first. folder: the folder of
    the sets. free: free bytes on the disk of the data folder, None if unknown. second_free: free
    bytes on the disk of the second folder, None also if that folder is away or not set."""

    sets: tuple[BackupSet, ...] = ()
    last: LastTry | None = None
    folder: str = ""
    free: int | None = None
    second_free: int | None = None


class BackupSettingsKeeper(Protocol):
    """Keeps the settings of future backups."""

    def read(self) -> BackupSetup:
        """Raises SettingsBroken."""

    def save(self, setup: BackupSetup) -> None:
        """Keep all but what is given elsewhere. Raises SettingsBroken, NotAllowed,
        DataFolderNotWritable."""


class Backups(Protocol):
    """Backups, made and read by a process of their own."""

    @property
    def makes_daily(self) -> bool:
        """Whether this till makes the backup of the day now."""

    async def here(self) -> BackupsHere: ...

    def last_try(self) -> LastTry | None:
        """The end of the last attempt, or None before the first."""

    def begin(self) -> FileWork:
        """Make a set; progress in megabytes. Stopped work leaves no files behind."""

    def look_into(self, backup_set: BackupSet) -> FileWork:
        """Read the set whole; progress in megabytes. The result is an Outlook, or a PosError where
        the set can't be put back."""


@dataclass(frozen=True, slots=True)
class AskedBack:
    """A set that a manager wants in place of the till's data. folder: the folder of the set.
    lacking: what would be missing, as the manager saw and accepted it. by, lifted_by: as in
    `ActRow`."""

    folder: str
    made_at: datetime
    lacking: Lacking
    by: str
    lifted_by: str = ""


class PutsBack(Protocol):
    """Puts a set back in place of what the till has open. fault: why the last attempt since the
    program's start failed, or None."""

    fault: PosError | None

    def begin(self, asked: AskedBack) -> None:
        """Close the till, put the set back, and open the till anew, with the set or as before."""
