"""The setup of the shop's printers, as the printers' page shows, changes and tries it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum
from typing import Protocol

from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.lazy_dataclass import dataclass

_SHOWN = {"pattern": r"^[^\p{Cc}\p{Zl}\p{Zp}]*$"}
"""The bound of a text without signs that break a line or control a display."""


class PrinterUse(StrEnum):
    RECEIPT = "receipt"
    A4 = "a4"


class PrinterKind(StrEnum):
    """The connection of the receipt printer, as the setting names it."""

    NONE = "none"
    NETWORK = "network"
    USB = "usb"
    SERIAL = "serial"
    WINDOWS = "windows"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrinterSetup:
    """The present setup; the members are the settings of these names.

    a4_queue: "" for no A4 printer. kinds: the members of `PrinterKind` that the server's system
    has. given_elsewhere: names of the settings that the environment gives; they are changed there.
    """

    kind: str
    address: str
    baud: int
    flow: str
    width_mm: int
    cut: str
    drawer: str
    a4_queue: str
    kinds: tuple[str, ...] = ()
    given_elsewhere: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PrinterChange:
    """The typed changes; a setting whose member is None stays as it was."""

    kind: str | None = None
    address: str | None = field(default=None, metadata=_SHOWN)
    baud: int | None = None
    flow: str | None = None
    width_mm: int | None = None
    cut: str | None = None
    drawer: str | None = None
    a4_queue: str | None = field(default=None, metadata=_SHOWN)


@dataclass(frozen=True, slots=True)
class FoundPrinter:
    """A printer, or a port that one may be at, on the server's machine.

    kind: the kind of a receipt printer, or None for a printer of A4 pages. address: the value of
    the setting. name: for people.
    """

    address: str
    name: str
    kind: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrinterTrial:
    """The printer's answer to the typed setup, before it is saved. Nothing is printed.

    fault: "" for none; for a setting "kind", "address", "settings", "given" (by the environment);
    else the cause, a `DeviceTrouble`. message: the same in English. tells: whether the printer
    reports its state; one that does not may be switched off although there is no fault.
    """

    use: PrinterUse
    fault: str = ""
    message: str = ""
    tells: bool = False
    paper_low: bool = False
    elapsed_ms: int | None = None


class PrinterSetupService(Protocol):
    """The printers at the server, as a person sets them up.

    At the server each method raises Invalid, NotAllowed or MachineError; at the till, over HTTP,
    Refused (with the server's text; `kind` is a word for the fault), NotDelivered or
    OutcomeUnknown.
    """

    async def setup(self) -> PrinterSetup:
        """The present setup."""
        ...

    async def found_printers(self) -> Sequence[FoundPrinter]:
        """Printers, and ports that one may be at, on the server's machine."""
        ...

    async def try_out(self, use: PrinterUse, change: PrinterChange) -> PrinterTrial:
        """The printer's answer to the typed setup; nothing is changed, nothing printed."""
        ...

    async def print_page(self, use: PrinterUse, *, key: str, by: str) -> DeliveryJob:
        """Print a trial page on the chosen printer, now or not at all, and return the job as it
        ended. The same key again prints nothing and is refused."""
        ...

    async def change(self, change: PrinterChange, *, by: str) -> None:
        """Keep a manager's changes. The server then opens the shop anew and is away for some
        seconds."""
        ...
