"""The printers' page of the settings, at the server: it finds, tries and changes printers, and
prints a trial page.

A change is written to settings.toml, and the server opens the shop anew with it. Waiting papers are
printed by the new printer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import fields
from typing import TypeVar

from pos_app import log
from pos_app.adapters.data_folder.settings_file import settings_with, write_settings
from pos_app.bootstrap.issuing.devices import Devices, pages_of, thermal_of
from pos_app.bootstrap.issuing.store_pdf import StorePdf
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobMethod
from pos_app.domain.setup import printer_setup
from pos_app.domain.setup.processor_setup import SetupWrong
from pos_app.errors import NotAllowed, SettingsBroken
from pos_app.fiscalization.device_ports import PagePrinter, ThermalPrinter
from pos_app.fiscalization.handover.trial_page import TrialPages
from pos_app.settings import Settings, variable_that_sets

_NAMES = {
    field.name: "a4.queue" if field.name == "a4_queue" else f"printer.{field.name}"
    for field in fields(printer_setup.PrinterChange)
}
_FAULTS = {"printer.kind": "kind", "a4.queue": "queue"}
"""The fault that each wrong setting is shown as. Every other setting is shown as a fault of the
address."""
_TRIED_SECONDS = 10.0
_METHODS = {
    printer_setup.PrinterUse.RECEIPT: JobMethod.THERMAL,
    printer_setup.PrinterUse.A4: JobMethod.A4,
}

_log = log.get(__name__)

T = TypeVar("T")


class PrinterSetupInFiles:
    """Implements domain.printer_setup.PrinterSetupService. devices: the devices in use."""

    def __init__(
        self, settings: Settings, *, devices: Devices, papers: StorePdf, pages: TrialPages
    ) -> None:
        self._settings = settings
        self._devices = devices
        self._papers = papers
        self._pages = pages

    async def setup(self) -> printer_setup.PrinterSetup:
        return await asyncio.to_thread(self._setup)

    def _setup(self) -> printer_setup.PrinterSetup:
        from pos_app.adapters.printers.found import KINDS

        printer = self._settings.printer
        return printer_setup.PrinterSetup(
            kind=printer.kind,
            address=printer.address,
            baud=printer.baud,
            flow=printer.flow,
            width_mm=printer.width_mm,
            cut=printer.cut,
            drawer=printer.drawer,
            a4_queue=self._settings.a4.queue,
            kinds=tuple(kind.value for kind in KINDS),
            given_elsewhere=tuple(one for one in _NAMES.values() if variable_that_sets(one)),
        )

    async def found_printers(self) -> tuple[printer_setup.FoundPrinter, ...]:
        from pos_app.adapters.printers.found import found_printers
        from pos_app.adapters.printers.ipp_exchange import CUPS_SOCKET

        return await found_printers(server=self._settings.a4.server or CUPS_SOCKET)

    # --- tried -----------------------------------------------------------------------------------

    async def try_out(
        self, use: printer_setup.PrinterUse, change: printer_setup.PrinterChange
    ) -> printer_setup.PrinterTrial:
        """Ask a printer as if the change were made, and return its answer. Faults of the change or
        the printer raise nothing."""
        try:
            printer = await asyncio.to_thread(self._asked, use, change)
        except SetupWrong as error:
            return printer_setup.PrinterTrial(use=use, fault=error.kind, message=error.what)
        if printer is None:
            return printer_setup.PrinterTrial(use=use, message="There is no such printer.")
        began = self._pages.clock.ticks()
        try:
            async with asyncio.timeout(_TRIED_SECONDS):
                status = await printer.status()
        except TimeoutError:
            return printer_setup.PrinterTrial(
                use=use, fault="away", message="The printer does not answer."
            )
        return printer_setup.PrinterTrial(
            use=use,
            fault=status.troubles[0].value if status.troubles else "",
            message=status.words,
            tells=status.tells,
            paper_low=status.paper_low,
            elapsed_ms=self._pages.clock.ticks() - began,
        )

    def _asked(
        self, use: printer_setup.PrinterUse, change: printer_setup.PrinterChange
    ) -> ThermalPrinter | PagePrinter | None:
        """Return the printer to ask. For an unchanged printer it is the object in use, which prints
        and answers one at a time."""
        settings, _ = self._changed(change)
        if use is printer_setup.PrinterUse.RECEIPT:
            is_same = settings.printer == self._settings.printer
            return self._devices.thermal if is_same else _made(lambda: thermal_of(settings))
        is_same = settings.a4 == self._settings.a4
        return self._devices.pages if is_same else _made(lambda: pages_of(settings))

    async def print_page(self, use: printer_setup.PrinterUse, *, key: str, by: str) -> DeliveryJob:
        has_one = (
            self._devices.thermal
            if use is printer_setup.PrinterUse.RECEIPT
            else self._devices.pages
        )
        if has_one is None:
            raise NotAllowed("printer.other")
        printer, now = self._settings.printer, self._pages.clock.now()
        width = "210 mm" if use is printer_setup.PrinterUse.A4 else f"{printer.width_mm} mm"
        at = self._settings.a4.queue if use is printer_setup.PrinterUse.A4 else printer.address
        facts = (("Штампач:", at), ("Ширина папира:", width))
        page = await asyncio.to_thread(self._papers.trial_page, at=now, facts=facts)
        return await self._pages.print(page, _METHODS[use], key=key, by=by)

    # --- changed ---------------------------------------------------------------------------------

    async def change(self, change: printer_setup.PrinterChange, *, by: str) -> None:
        """Write the change. Raises SetupWrong, and nothing is changed then;
        DataFolderNotWritable."""
        await asyncio.to_thread(self._write, change)
        _log.warning("the printers were changed by %s", by)

    def _write(self, change: printer_setup.PrinterChange) -> None:
        settings, text = self._changed(change)
        _made(lambda: (thermal_of(settings), pages_of(settings)))
        write_settings(settings.data, text)

    def _changed(self, change: printer_setup.PrinterChange) -> tuple[Settings, str]:
        changes: dict[str, object] = {}
        for member, name in _NAMES.items():
            value = getattr(change, member)
            if value is not None:
                changes[name] = value.strip() if isinstance(value, str) else value
        try:
            return settings_with(self._settings.data, changes)
        except NotAllowed as error:
            raise SetupWrong("given", what=error.what, field="printer") from error
        except SettingsBroken as error:
            raise SetupWrong("settings", what=error.what, field="printer") from error


def _made(make: Callable[[], T]) -> T:
    try:
        return make()
    except SettingsBroken as error:
        name = str(error.values.get("name", ""))
        kind = _FAULTS.get(name, "address")
        raise SetupWrong(kind, what=error.what, field=name or "printer") from error
