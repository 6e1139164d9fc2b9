"""Fakes of backups and of the settings that say where they go, kept in memory."""

from __future__ import annotations

from pos_app.domain.setup import backup
from pos_app.errors import PosError
from pos_app.selling.backups import AskedBack, BackupSetup, BackupsHere
from pos_app.selling.file_work import FileDone, FileProgress


class BackupSettingsInMemory:
    """setup: the setup that is kept. given: the settings that the environment gives. refuses: the
    error that keeping one raises."""

    def __init__(self) -> None:
        self.setup = BackupSetup()
        self.refuses: PosError | None = None

    def read(self) -> BackupSetup:
        return self.setup

    def save(self, setup: BackupSetup) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.setup = setup


class WorkInMemory:
    """The port FileWork. came: its result, None while the work runs."""

    def __init__(self) -> None:
        self.progress = FileProgress()
        self.came: FileDone | backup.Outlook | PosError | None = None
        self.is_stopped = False

    def result(self) -> FileDone | backup.Outlook | PosError | None:
        return self.came

    def stop(self) -> None:
        self.is_stopped = True
        self.came = FileDone(0)


class BackupsInMemory:
    """The port Backups. told: the backups that there are. lacks: what would be missing with any of
    them, None while that is not read yet. begun: the backups that were started. looks: the readings
    that were started. looks_here: how often somebody asked which there are."""

    def __init__(self) -> None:
        self.looks_here = 0
        self.told = BackupsHere(folder="/shop/backups", free=34_000_000_000)
        self.lacks: backup.Lacking | None = backup.Lacking()
        self.refuses: PosError | None = None
        self.seals_secrets = self.keeps_settings = False
        self.looks: list[WorkInMemory] = []
        self.begun: list[WorkInMemory] = []
        self.looked: list[backup.BackupSet] = []
        self.makes_daily = False

    async def here(self) -> BackupsHere:
        self.looks_here += 1
        return self.told

    def last_try(self) -> backup.LastTry | None:
        return self.told.last

    def begin(self) -> WorkInMemory:
        self.begun.append(WorkInMemory())
        return self.begun[-1]

    def look_into(self, one: backup.BackupSet) -> WorkInMemory:
        self.looked.append(one)
        self.looks.append(work := WorkInMemory())
        if self.lacks is not None:
            work.came = self.refuses or backup.Outlook(
                self.lacks, seals_secrets=self.seals_secrets, keeps_settings=self.keeps_settings
            )
        return work


class PutsBackInMemory:
    def __init__(self) -> None:
        self.fault: PosError | None = None
        self.asked: list[AskedBack] = []

    def begin(self, asked: AskedBack) -> None:
        self.asked.append(asked)
