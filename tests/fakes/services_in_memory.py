"""Settings of a till, its backups and its mail, kept in memory: ports of the services."""

from __future__ import annotations

from dataclasses import replace
from typing import Generic, TypeVar

from pos_app.cashier.services.display_setup import DisplaySetup, Monitor
from pos_app.cashier.texts.lookup import Language
from pos_app.domain.setup import backup
from pos_app.domain.setup.mail_setup import MailSetup, MailTrial
from pos_app.errors import NotDelivered, PosError
from pos_app.selling.backups import AskedBack, BackupSetup, BackupsHere
from pos_app.selling.file_work import FileDone, FileProgress
from pos_app.selling.first_start import FirstStart
from pos_app.selling.sale.cashier_setup import CashierSetup

Setup = TypeVar("Setup")


class SettingsInMemory(Generic[Setup]):
    """kept: every setup that was kept. given: the settings that the environment gives. refuses: the
    error that keeping one raises."""

    def __init__(self) -> None:
        self.kept: list[Setup] = []
        self.given: tuple[str, ...] = ()
        self.refuses: PosError | None = None

    def given_elsewhere(self) -> tuple[str, ...]:
        return self.given

    def save(self, setup: Setup) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.kept.append(setup)


CashierSettingsInMemory = SettingsInMemory[CashierSetup]
DisplaySettingsInMemory = SettingsInMemory[DisplaySetup]


class DisplayOfMonitors:
    """The port DisplayControl, which notes what was asked of it."""

    def __init__(self, *monitors: Monitor) -> None:
        self.connected = monitors
        self.tried: list[DisplaySetup] = []
        self.followed = 0

    def monitors(self) -> tuple[Monitor, ...]:
        return self.connected

    def try_out(self, setup: DisplaySetup) -> None:
        self.tried.append(setup)

    def follow_setup(self) -> None:
        self.followed += 1


class FirstStartInMemory:
    """kept: every state that was kept. refuses: why the demo can't be prepared."""

    def __init__(self, state: FirstStart | None = None) -> None:
        self.state = state or FirstStart()
        self.kept: list[FirstStart] = []
        self.languages: list[str] = []
        self.refuses: PosError | None = None
        self.demos = self.reopened = 0

    def read(self) -> FirstStart:
        return self.state

    def save(self, start: FirstStart) -> None:
        self.state = start
        self.kept.append(start)

    async def prepare_demo(self) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.demos += 1

    def keep_language(self, language: Language) -> None:
        self.languages.append(language)

    def reopen(self, start: FirstStart | None = None) -> None:
        if start is not None:
            self.save(start)
        self.reopened += 1


class MailInMemory:
    """trial: the answer to a trial. away: how many requests for a trial fail first because the
    server is away. refuses: the error that a given password raises."""

    def __init__(self) -> None:
        self.told = MailSetup(has_password=False)
        self.trial = MailTrial()
        self.away = 0
        self.refuses: PosError | None = None
        self.passwords: list[str] = []
        self.sent: list[str] = []

    async def setup(self) -> MailSetup:
        return self.told

    async def send_trial(self, to: str, *, by: str) -> MailTrial:
        if self.away:
            self.away -= 1
            raise NotDelivered(what="The server is away.")
        self.sent.append(to)
        return self.trial

    async def keep_password(self, password: str, *, by: str) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.passwords.append(password)
        self.told = replace(self.told, has_password=bool(password))


class NotingKeeper:
    """The port ServerKeeper. asked: how often a start was asked for."""

    port = 9999

    def __init__(self) -> None:
        self.asked = 0

    def try_again(self) -> None:
        self.asked += 1


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
