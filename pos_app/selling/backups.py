"""What the till's page of backups asks: which there are, a new one, what one would leave missing,
and that one is put back.

Source: till.md (Settings).
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from pos_app.domain.backup import BackupSet, Lacking, LastTry
from pos_app.errors import PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.file_work import FileWork

FOLDER, DAILY = "backup.folder", "backup.daily"
"""The settings that hold it."""


@dataclass(frozen=True, slots=True)
class BackupSetup:
    """folder: a second place for sets, "" for none. daily: whether one is made each day.
    given_elsewhere: settings that the environment gives, by name."""

    folder: str = ""
    daily: bool = True
    given_elsewhere: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BackupsHere:
    """sets: the newest first. last: how the last attempt ended; None: there was none. place: where
    they are. free: bytes on the disk of the data folder; None: it does not tell. second_free: on
    that of the second place; None also where it is away, or there is none."""

    sets: tuple[BackupSet, ...] = ()
    last: LastTry | None = None
    place: str = ""
    free: int | None = None
    second_free: int | None = None


class BackupSettings(Protocol):
    """Keeps it for the backups to come."""

    def read(self) -> BackupSetup:
        """Raises SettingsBroken."""

    def keep(self, setup: BackupSetup) -> None:
        """All but what is given elsewhere. Raises SettingsBroken, NotAllowed,
        DataFolderNotWritable."""


class Backups(Protocol):
    """Made and looked at by a process of its own."""

    async def here(self) -> BackupsHere: ...

    def last_try(self) -> LastTry | None:
        """How the last attempt ended; None: there was none."""

    def begin(self) -> FileWork:
        """Make a set; progress in megabytes. What is stopped leaves nothing behind."""

    def look_into(self, one: BackupSet) -> FileWork:
        """Read the set whole; progress in megabytes. Its result is an Outlook, or a PosError where
        it can't be put back."""


@dataclass(frozen=True, slots=True)
class AskedBack:
    """A set that a manager wants in place of what is here. folder: where it is. lacking: what that
    one was told would be missing, and accepted. by, lifted_by: as a row of acts has them."""

    folder: str
    made_at: datetime
    lacking: Lacking
    by: str
    lifted_by: str = ""


class PutsBack(Protocol):
    """Puts a set back in place of what the till has open. fault: why the last one came to nothing,
    since this program was started; None: it did not."""

    fault: PosError | None

    def begin(self, asked: AskedBack) -> None:
        """Close the till, put the set back, and open the till anew, with it or as before."""
