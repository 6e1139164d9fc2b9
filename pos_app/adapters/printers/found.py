"""The printers that this machine knows of, for a person to choose from.

Printers on the network are not looked for: a shop's network is not ours to scan.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pos_app.adapters.printers import winspool
from pos_app.adapters.printers.ipp import IppOperation, Tag
from pos_app.adapters.printers.ipp_exchange import CUPS_SOCKET, IppExchange, cups_place
from pos_app.errors import RemoteError

_USB_CLASS = Path("/sys/class/usbmisc")
_USB_FILES = Path("/dev/usb")
_MODEL = re.compile(r"(?:MFG|MANUFACTURER):([^;]*);.*?(?:MDL|MODEL):([^;]*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FoundPrinter:
    """address: as `choose` takes it. name: what a person knows it by, "" when nobody tells."""

    kind: Literal["usb", "serial", "windows", "pages"]
    address: str
    name: str = ""


async def found_printers(*, cups: str = CUPS_SOCKET) -> tuple[FoundPrinter, ...]:
    """All of them; a queue of Windows is there for receipts and for pages."""
    here = await asyncio.to_thread(lambda: (*usb_printers(), *serial_ports(), *windows_queues()))
    return (*here, *await cups_queues(cups))


def usb_printers(files: Path = _USB_FILES, facts: Path = _USB_CLASS) -> tuple[FoundPrinter, ...]:
    """The USB printers of Linux, with what they call themselves (IEEE 1284)."""
    return tuple(
        FoundPrinter("usb", str(file), _model(facts / file.name / "device" / "ieee1284_id"))
        for file in sorted(files.glob("lp*"))
    )


def _model(told: Path) -> str:
    try:
        found = _MODEL.search(told.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""
    return " ".join(f"{found[1]} {found[2]}".split()) if found else ""


def serial_ports() -> tuple[FoundPrinter, ...]:
    """Serial ports with something real behind them; what it is nobody can tell."""
    from serial.tools import list_ports  # noqa: PLC0415 - only when somebody looks for a printer

    ports = sorted(list_ports.comports())
    return tuple(
        FoundPrinter("serial", port.device, port.description)
        for port in ports
        if port.hwid and port.hwid != "n/a"
    )


def windows_queues() -> tuple[FoundPrinter, ...]:
    """The queues of Windows, none on another system."""
    try:
        names = winspool.of_this_machine().queues()
    except OSError:
        return ()
    return tuple(FoundPrinter(kind, name, name) for name in names for kind in ("windows", "pages"))


async def cups_queues(server: str) -> tuple[FoundPrinter, ...]:
    """The queues of CUPS, none when it does not run."""
    wanted = (Tag.KEYWORD, "requested-attributes", ("printer-name", "printer-info"))
    try:
        answer = await IppExchange(cups_place("", server=server)).ask(
            IppOperation.CUPS_GET_PRINTERS, [wanted]
        )
    except RemoteError:
        return ()
    return tuple(
        FoundPrinter("pages", str(name), str(next(iter(each.get("printer-info", ())), "") or name))
        for each in answer.all(Tag.PRINTER)
        for name in each.get("printer-name", ())
    )
