"""The page of diagnostics asks for the self-test, the newest lines of a log, and a bundle for
support. Source: till.md (Settings)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from pos_app.cashier.services.self_test import tested
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.acts import ActingModel
from pos_app.selling.server.self_test import Finding, MachineFacts, machine_facts
from pos_app.selling.server.support import LogOf


class DiagnosticsModel(ActingModel):
    """findings: empty before the first test. lines: the lines of the chosen log."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self.findings: tuple[Finding, ...] = ()
        self.log = LogOf.TILL
        self.warnings = True
        self.lines: tuple[str, ...] = ()
        self.is_read = False
        self.bundle: Path | None = None
        self.progress: tuple[int, int] | None = None
        """How many parts of the bundle are written, and how many it has."""
        self.on_progress: Callable[[int, int], None] = self.note_progress
        """Called in the thread that writes the bundle. The view passes the call on to the window's
        thread."""

    @property
    def has_support(self) -> bool:
        return self.services.support is not None

    # --- the self-test ---------------------------------------------------------------------------

    async def test(self) -> None:
        """Test everything; a subject that has not answered yet is shown as unknown, and filled in
        later."""
        self.findings = tested(self.services, MachineFacts())
        self.announce()
        machine = self.services.machine
        if machine is not None:
            facts = await asyncio.to_thread(machine_facts, machine)
            self.findings = tested(self.services, facts)
            self.announce()

    # --- the log ---------------------------------------------------------------------------------

    def choose_log(self, log: LogOf) -> None:
        if log is not self.log:
            self.log, self.is_read = log, False
            self.announce()

    def want_warnings(self, wanted: bool) -> None:
        """Show warnings alone, or all lines."""
        if wanted is not self.warnings:
            self.warnings, self.is_read = wanted, False
            self.announce()

    async def read_log(self) -> None:
        self.is_read = True
        support = self.services.support
        if support is None:
            return
        log, warnings = self.log, self.warnings
        text_lines = await asyncio.to_thread(support.log_lines, log, warnings=warnings)
        if (log, warnings) == (self.log, self.warnings):
            self.lines = tuple(text_lines)
            self.announce()

    # --- the bundle ------------------------------------------------------------------------------

    async def write_bundle(self, folder: Path, findings: Sequence[str]) -> None:
        """Write one file into the folder. findings: the self-test in words."""
        support = self.services.support
        if support is None or self.running:
            return
        self.bundle, self.progress = None, None
        self.bundle = await self.act(
            "bundle",
            lambda: asyncio.to_thread(
                support.write_bundle,
                folder,
                settings=self.services.settings.as_json(),
                findings=findings,
                progress=self.on_progress,
            ),
        )
        self.progress = None
        self.announce()

    def note_progress(self, done: int, of: int) -> None:
        if self.running:
            self.progress = (done, of)
            self.announce()

    def leave(self) -> None:
        self.findings, self.lines, self.is_read = (), (), False
        self.bundle = self.failure = None
