"""A server whose printers can be set up: the port PrinterSetupService without a server."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime

from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.domain.setup import printer_setup
from pos_app.errors import NotDelivered, PosError

NO_PRINTER = printer_setup.PrinterSetup(
    kind="none",
    address="",
    baud=115200,
    flow="none",
    width_mm=80,
    cut="partial",
    drawer="none",
    a4_queue="",
    kinds=("none", "network", "usb", "serial"),
)
IN_THE_SHOP = replace(NO_PRINTER, kind="network", address="192.168.1.50", drawer="pin2")
FOUND = (
    printer_setup.FoundPrinter("/dev/usb/lp0", "USB lp0", printer_setup.PrinterKind.USB),
    printer_setup.FoundPrinter(
        "/dev/ttyUSB0", "/dev/ttyUSB0 · CP2102", printer_setup.PrinterKind.SERIAL
    ),
    printer_setup.FoundPrinter("Kancelarija", "HP LaserJet, канцеларија"),
)
_AT = datetime(2026, 7, 14, 12, tzinfo=UTC)


class PrintersInMemory:
    """trial, job: the answers. refuses: the error that each act raises. away: how many requests for
    a page fail first because the server is away. is_away: whether everything else fails so."""

    def __init__(self, setup: printer_setup.PrinterSetup = NO_PRINTER) -> None:
        self.told = setup
        self.listed: tuple[printer_setup.FoundPrinter, ...] = FOUND
        self.trial = printer_setup.PrinterTrial(
            use=printer_setup.PrinterUse.RECEIPT, tells=True, elapsed_ms=4
        )
        self.job = DeliveryJob(7, JobMethod.THERMAL, JobState.DONE, _AT, _AT)
        self.refuses: PosError | None = None
        self.away = self.looked = 0
        self.is_away = False
        self.tried: list[tuple[printer_setup.PrinterUse, printer_setup.PrinterChange]] = []
        self.changes: list[printer_setup.PrinterChange] = []
        self.pages: list[printer_setup.PrinterUse] = []

    async def setup(self) -> printer_setup.PrinterSetup:
        self._check_is_there()
        return self.told

    async def found_printers(self) -> tuple[printer_setup.FoundPrinter, ...]:
        self._check_is_there()
        self.looked += 1
        return self.listed

    async def try_out(
        self, use: printer_setup.PrinterUse, change: printer_setup.PrinterChange
    ) -> printer_setup.PrinterTrial:
        self._check_is_there()
        self.tried.append((use, change))
        return replace(self.trial, use=use)

    def _check_is_there(self) -> None:
        if self.is_away:
            raise NotDelivered(what="The server does not answer.")

    async def print_page(self, use: printer_setup.PrinterUse, *, key: str, by: str) -> DeliveryJob:
        if self.away:
            self.away -= 1
            raise NotDelivered(what="The server does not answer.")
        if self.refuses is not None:
            raise self.refuses
        self.pages.append(use)
        return self.job

    async def change(self, change: printer_setup.PrinterChange, *, by: str) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.changes.append(change)
        values = {one.name: getattr(change, one.name) for one in fields(change)}
        self.told = replace(self.told, **{k: v for k, v in values.items() if v is not None})
