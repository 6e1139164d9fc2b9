"""Finds the printers, and ports with a possible printer, that this program sees on its machine.

Another program may see others: a service of Windows does not see the printers that a user connected
(windows.md). Nothing is opened that could print.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from pos_app import log
from pos_app.adapters.printers import winspool
from pos_app.adapters.printers.ipp import IppOperation, Tag
from pos_app.adapters.printers.ipp_exchange import CUPS_SOCKET, IppExchange, cups_address
from pos_app.domain.setup.printer_setup import FoundPrinter, PrinterKind
from pos_app.errors import RemoteError

KINDS: tuple[PrinterKind, ...] = (
    (PrinterKind.NONE, PrinterKind.NETWORK, PrinterKind.WINDOWS, PrinterKind.SERIAL)
    if sys.platform == "win32"
    else (PrinterKind.NONE, PrinterKind.NETWORK, PrinterKind.USB, PrinterKind.SERIAL)
)
_ANSWER_SECONDS = 4.0

_log = log.get(__name__)


async def found_printers(*, server: str = CUPS_SOCKET) -> tuple[FoundPrinter, ...]:
    """Return the printers that can be listed, receipt printers first. server: CUPS' address."""
    ports = await asyncio.to_thread(_ports)
    if sys.platform == "win32":
        return (*await asyncio.to_thread(windows_queues), *ports)
    return (*ports, *await _cups_queues(server))


def windows_queues(spooler: winspool.Winspool | None = None) -> tuple[FoundPrinter, ...]:
    """Return the queues: each takes a receipt's bytes, and pages if its printer has such paper."""
    try:
        names = (spooler or winspool.of_this_machine()).queues()
    except OSError as error:
        _log.warning("the print queues can't be listed: %s", error)
        return ()
    raw = [FoundPrinter(name, name, PrinterKind.WINDOWS) for name in names if name]
    return (*raw, *(FoundPrinter(name, name) for name in names if name))


def _ports() -> tuple[FoundPrinter, ...]:
    from serial.tools.list_ports import comports  # noqa: PLC0415 - hardly ever needed

    usb = [
        FoundPrinter(str(path), f"USB {path.name}", PrinterKind.USB)
        for path in sorted(Path("/dev/usb").glob("lp*"))
    ]
    try:
        lines = [
            FoundPrinter(port.device, _words(port.device, port.description), PrinterKind.SERIAL)
            for port in sorted(comports())
        ]
    except OSError as error:
        _log.warning("the serial ports can't be listed: %s", error)
        lines = []
    return (*usb, *lines)


def _words(device: str, description: str | None) -> str:
    """Return a port's device, with its description where that says more."""
    words = (description or "").strip()
    return device if words in ("", "n/a") or words in device else f"{device} · {words}"


async def _cups_queues(server: str) -> tuple[FoundPrinter, ...]:
    exchange = IppExchange(cups_address("", server=server), answer_seconds=_ANSWER_SECONDS)
    wanted = [(Tag.KEYWORD, "requested-attributes", ("printer-name", "printer-info"))]
    try:
        answer = await exchange.ask(IppOperation.GET_PRINTERS, wanted)
    except RemoteError as error:
        _log.info("the print service lists no queues: %s", error.what)
        return ()
    found = []
    for one in answer.all(Tag.PRINTER):
        name, info = (str(next(iter(one.get(part, ())), "")) for part in _ATTRIBUTES)
        if name:
            found.append(FoundPrinter(name, info or name))
    return tuple(found)


_ATTRIBUTES = ("printer-name", "printer-info")
