"""Backups as a manager sees them: the list of sets, a new backup, a second folder. Source: till.md
(Settings)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Literal

from pos_app import log
from pos_app.cashier.services.long_work import FilePoll
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.acts import DraftModel
from pos_app.domain.setup.backup import BackupSet, Outlook
from pos_app.errors import MachineError, NotAllowed, PosError
from pos_app.selling.backups import AskedBack, BackupSettingsKeeper, BackupSetup, BackupsHere
from pos_app.selling.file_work import FileWork
from pos_app.selling.sale.cashier_setup import check_no_sale_entered

_log = log.get(__name__)

FOLDER = "folder"
"""The fault of a second folder into which no file can be written."""
WhyNot = Literal["support", "owed", "sale", "busy"]
"""Why a set can't be put back here now. support: this till can't put sets back; owed: something is
paid and may have no receipt; sale: a sale is being entered; busy: other work is under way."""


class BackupModel(DraftModel[BackupSetup]):
    """draft: the typed and chosen values. here: the result of the last look. work: a backup under
    way. asked: the set that somebody looks into; looking: the work that reads it; outlook: the
    consequences of putting it back. is_busy: tells whether something has to end before the till
    closes. follow: follows a backup to its end, whatever screen stands then."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self.draft = BackupSetup()
        self.here: BackupsHere | None = None
        self.work: FilePoll | None = None
        self.asked: BackupSet | None = None
        self.looking: FileWork | None = None
        self.outlook: Outlook | None = None
        self.is_busy: Callable[[], bool] = lambda: False
        self.follow: Callable[[FileWork], FilePoll] = FilePoll
        self.is_made = False
        """Whether a backup was just made by hand."""

    @property
    def _kept_in(self) -> BackupSettingsKeeper | None:
        return self.services.backup_settings

    @property
    def has_server(self) -> bool:
        return self._kept_in is not None and self.services.backups is not None

    async def _ask(self) -> BackupSetup:
        kept_in, backups = self._kept_in, self.services.backups
        assert kept_in is not None
        assert backups is not None
        self.here = await backups.here()
        return kept_in.read()

    @property
    def is_idle(self) -> bool:
        return not self.running and self.work is None and self.looking is None

    # --- the sets --------------------------------------------------------------------------------

    @property
    def sets(self) -> tuple[tuple[BackupSet, bool], ...]:
        """Each set once, the newest first, and whether the second folder has it, too."""
        found = () if self.here is None else self.here.sets
        second = {one.name for one in found if one.is_second}
        first = {one.name for one in found if not one.is_second}
        return tuple(
            (one, one.name in second) for one in found if not one.is_second or one.name not in first
        )

    def begin(self) -> None:
        if self.services.backups is None or not self.is_idle:
            return
        self.failure, self.saved_at, self.is_made = None, None, False
        self.work = work = self.follow(self.services.backups.begin())
        work.ended.connect(lambda result: self._end(work, result))
        self.announce()

    def _end(self, work: FilePoll, result: object) -> None:
        is_stopped, self.work = work.is_stopped, None
        work.deleteLater()
        self.is_outdated = True
        if isinstance(result, PosError):
            self.failure = result
        self.is_made = not isinstance(result, PosError) and not is_stopped
        self.announce()

    def look_into(self, backup_set: BackupSet) -> None:
        """Read a set, and find what would be missing if it replaced the present data."""
        backups = self.services.backups
        if backups is None or not self.is_idle:
            return
        self._stop_looking()
        self.failure, self.saved_at, self.is_made = None, None, False
        self.asked, self.looking = backup_set, backups.look_into(backup_set)
        self.announce()

    def end_look(self, result: object) -> None:
        self.looking = None
        if isinstance(result, Outlook):
            self.outlook = result
        else:
            self.asked = None
            self.failure = result if isinstance(result, PosError) else None
        self.announce()

    def look_away(self) -> None:
        self._stop_looking()
        self.announce()

    def _stop_looking(self) -> None:
        if self.looking is not None:
            self.looking.stop()
        self.asked = self.looking = self.outlook = None

    @property
    def hindrance(self) -> WhyNot | None:
        if self.services.puts_back is None:
            return "support"
        if self.outlook is None or self.outlook.lacking.is_owed:
            return "owed"
        try:
            check_no_sale_entered(self.services.till.carts)
        except NotAllowed:
            return "sale"
        except MachineError:
            return "busy"
        return "busy" if self.is_busy() or not self.is_idle else None

    def put_back(self) -> None:
        """Close the till and put the set back; the manager saw and accepted what would be
        missing."""
        puts_back, one, outlook = self.services.puts_back, self.asked, self.outlook
        if puts_back is None or one is None or outlook is None:
            return
        if self.hindrance is not None:
            self.announce()
            return
        _log.warning("%s wants the backup %s back", self.services.cashier, one.folder)
        puts_back.begin(
            AskedBack(
                one.folder, one.made_at, outlook.lacking, self.services.cashier, self.lifted_by()
            )
        )

    # --- typed -----------------------------------------------------------------------------------

    @property
    def _made(self) -> BackupSetup:
        return replace(self.draft, folder=self.draft.folder.strip())

    def leave(self) -> None:
        super().leave()
        self._stop_looking()
        self.is_outdated = True

    def _forget_outcome(self) -> None:
        super()._forget_outcome()
        self.is_made = False

    # --- saved -----------------------------------------------------------------------------------

    async def save(self) -> None:
        """Save; the next backup follows the new values."""
        kept_in, made = self._kept_in, self._made
        if kept_in is None or not self.can_save:
            return
        folder = self.services.settings.data / made.folder
        is_new = self.setup is None or made.folder != self.setup.folder
        self.fault = ""

        async def change() -> None:
            if made.folder and is_new and not await asyncio.to_thread(_takes_files, folder):
                self.note_fault(FOLDER)
                return
            kept_in.save(made)

        await self.save_change(change, note_saved=lambda: self._note_saved(made))

    def _note_saved(self, made: BackupSetup) -> None:
        if self.fault:
            return
        self.setup = self.draft = made
        self.is_outdated = True
        _log.info("backups were set up: each day %s, second place %r", made.daily, made.folder)
        self.saved_at = self.services.till.clock.now()


def _takes_files(path: Path) -> bool:
    try:
        with TemporaryFile(dir=path) as file:
            file.write(b"x")
    except OSError:
        return False
    return True
