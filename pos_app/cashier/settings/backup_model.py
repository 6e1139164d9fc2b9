"""Backups as a manager sees them: which there are, a new one, a second place. No widget.

Source: till.md (Settings).
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from pos_app import log
from pos_app.cashier.services import TillServices
from pos_app.cashier.settings.acts import SetupModel
from pos_app.domain.backup import BackupSet, Lacking
from pos_app.errors import PosError
from pos_app.selling.backups import BackupSettings, BackupSetup, BackupsHere
from pos_app.selling.file_work import FileWork

_log = log.get(__name__)

FOLDER = "folder"
"""The fault of a second place that is not there."""


class BackupModel(SetupModel[BackupSetup]):
    """draft: as it is typed and chosen. here: as they were looked at last. work: a backup that is
    being made. asked: the set that somebody looks into; lacking: what would be missing with it."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self.draft = BackupSetup()
        self.here: BackupsHere | None = None
        self.work: FileWork | None = None
        self.asked: BackupSet | None = None
        self.lacking: Lacking | None = None
        self.is_made = False
        """Whether one was just made by hand."""

    @property
    def _kept_in(self) -> BackupSettings | None:
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

    # --- the sets --------------------------------------------------------------------------------

    @property
    def sets(self) -> tuple[tuple[BackupSet, bool], ...]:
        """Each once, the newest first, and whether it is in the second place too."""
        found = () if self.here is None else self.here.sets
        second = {one.name for one in found if one.is_second}
        first = {one.name for one in found if not one.is_second}
        return tuple(
            (one, one.name in second) for one in found if not one.is_second or one.name not in first
        )

    def begin(self) -> None:
        """Make one now."""
        if self.services.backups is None or self.work is not None:
            return
        self.failure, self.saved_at, self.is_made = None, None, False
        self.work = self.services.backups.begin()
        self.tell()

    def end(self, result: object, *, is_stopped: bool) -> None:
        """It ended, or was stopped."""
        self.work = None
        self.is_outdated = True
        if isinstance(result, PosError):
            self.failure = result
        self.is_made = not isinstance(result, PosError) and not is_stopped
        self.tell()

    async def look_into(self, one: BackupSet) -> None:
        """What would be missing with it in place of what is here."""
        backups = self.services.backups
        if backups is None or self.running:
            return
        self.asked, self.lacking = one, None
        told = await self.act("look", lambda: backups.lacking(one))
        if self.asked is one:
            self.lacking = told
            if told is None:
                self.asked = None
        self.tell()

    def look_away(self) -> None:
        self.asked = self.lacking = None
        self.tell()

    # --- typed -----------------------------------------------------------------------------------

    def is_given(self, setting: str) -> bool:
        """Whether the environment gives it, so that it can't be changed here."""
        return self.setup is not None and setting in self.setup.given_elsewhere

    def change(self, draft: BackupSetup) -> None:
        self.draft = draft
        self.fault = ""
        self.failure = self.saved_at = None
        self.is_made = False
        self.tell()

    @property
    def has_changes(self) -> bool:
        return self.setup is not None and self._made != self.setup

    @property
    def _made(self) -> BackupSetup:
        return replace(self.draft, folder=self.draft.folder.strip())

    def take_over(self) -> None:
        if self.setup is not None:
            self.draft = self.setup

    def drop(self) -> None:
        self.take_over()
        self.fault = ""
        self.saved_at = self.failure = None
        self.tell()

    def leave(self) -> None:
        """What was said to this visit."""
        self.saved_at = self.failure = None
        self.is_made = False
        self.asked = self.lacking = None
        self.is_outdated = True

    # --- saved -----------------------------------------------------------------------------------

    async def save(self) -> None:
        """The next backup follows it."""
        kept_in, made = self._kept_in, self._made
        if kept_in is None or not self.can_save:
            return
        folder = self.services.settings.data / made.folder
        is_new = self.setup is None or made.folder != self.setup.folder
        self.fault = ""

        async def change() -> None:
            if made.folder and is_new and not await asyncio.to_thread(_is_folder, folder):
                self.note_fault(FOLDER)
                return
            kept_in.keep(made)

        await self.keep(change, note_saved=lambda: self._note_saved(made))

    def _note_saved(self, made: BackupSetup) -> None:
        if self.fault:
            return
        self.setup = self.draft = made
        self.is_outdated = True
        _log.info("backups were set up: each day %s, second place %r", made.daily, made.folder)
        self.saved_at = self.services.till.clock.now()


def _is_folder(path: Path) -> bool:
    return path.is_dir()
