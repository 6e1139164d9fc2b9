"""The customer display's monitor and content, as a manager sets them up. Saved values apply at
once. Source: till.md (Settings, Customer display)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pos_app import log
from pos_app.cashier.services.display_setup import DisplaySettings, DisplaySetup, Monitor
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.acts import DraftModel

_log = log.get(__name__)

FOLDER = "folder"
"""The fault of a folder that does not exist."""


class DisplayModel(DraftModel[DisplaySetup]):
    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self.setup = self._setup_now()
        self.draft = self.setup
        self.is_outdated = False
        self.is_tried = False
        """Whether the display was just shown on the chosen monitor."""

    @property
    def _kept_in(self) -> DisplaySettings | None:
        return self.services.display_settings

    @property
    def has_server(self) -> bool:
        return self._kept_in is not None

    async def _ask(self) -> DisplaySetup:
        return self._setup_now()

    def _setup_now(self) -> DisplaySetup:
        given = self._kept_in.given_elsewhere() if self._kept_in is not None else ()
        return replace(self.services.customer_display, given_elsewhere=given)

    # --- the monitors ----------------------------------------------------------------------------

    @property
    def monitors(self) -> Sequence[Monitor]:
        control = self.services.display_here.control
        return control.monitors() if control is not None else ()

    @property
    def is_away(self) -> bool:
        """Whether the chosen monitor is not connected."""
        name = self.draft.monitor
        return bool(name) and all(one.name != name for one in self.monitors)

    @property
    def can_try(self) -> bool:
        """Whether the chosen monitor is connected, and is not the till's."""
        name = self.draft.monitor
        return any(one.name == name and not one.is_tills for one in self.monitors)

    def try_out(self) -> None:
        """Show the display on the chosen monitor for some seconds, even if the choice is not
        saved."""
        control = self.services.display_here.control
        if control is not None and self.can_try:
            control.try_out(self.draft)
            self.is_tried = True
            self.announce()

    # --- typed -----------------------------------------------------------------------------------

    @property
    def _made(self) -> DisplaySetup:
        return replace(self.draft, pictures=self.draft.pictures.strip())

    def _forget_outcome(self) -> None:
        super()._forget_outcome()
        self.is_tried = False

    # --- saved -----------------------------------------------------------------------------------

    async def save(self) -> None:
        """Save; the display changes at once, and the server is not asked."""
        kept_in, made = self._kept_in, self._made
        if kept_in is None or not self.can_save:
            return
        folder = self.services.settings.data / made.pictures
        self.fault = ""

        async def change() -> None:
            if made.pictures and not await asyncio.to_thread(_is_folder, folder):
                self.note_fault(FOLDER)
                return
            kept_in.save(made)

        await self.save_change(change, note_saved=lambda: self._note_saved(made))

    def _note_saved(self, made: DisplaySetup) -> None:
        if self.fault:
            return
        here = self.services.display_here
        self.setup = self.draft = here.saved = made
        _log.info("the customer display was set up: %s", made.monitor or "none")
        self.saved_at = self.services.till.clock.now()
        if here.control is not None:
            here.control.follow_setup()


def _is_folder(path: Path) -> bool:
    return path.is_dir()
