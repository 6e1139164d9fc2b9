"""How the shop's printers are set up: what the printers' page shows, asks for and tries."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from pos_app.domain.server_status import DeliveryJob
from pos_app.lazy_dataclass import dataclass


class PrinterUse(StrEnum):
    """The printers that a server hands receipts over with."""

    RECEIPT = "receipt"
    A4 = "a4"


class PrinterKind(StrEnum):
    """How the receipt printer is connected, as the setting says it."""

    NONE = "none"
    NETWORK = "network"
    USB = "usb"
    SERIAL = "serial"
    WINDOWS = "windows"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrinterSetup:
    """As it is now; the members are the settings of these names.

    a4_queue: "" for no A4 printer. kinds: those of `PrinterKind` that the server's system has.
    given_elsewhere: settings that the environment gives, by name: they are changed there.
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
    """What a person typed; None: as it was."""

    kind: str | None = None
    address: str | None = None
    baud: int | None = None
    flow: str | None = None
    width_mm: int | None = None
    cut: str | None = None
    drawer: str | None = None
    a4_queue: str | None = None


@dataclass(frozen=True, slots=True)
class FoundPrinter:
    """A printer, or a port that one may be at, on the server's machine.

    kind: of a receipt printer that is used this way; None for one that prints A4 pages. address: as
    the setting takes it. name: for people.
    """

    address: str
    name: str
    kind: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrinterTrial:
    """What a printer said to what was typed, before it is saved. Nothing is printed.

    fault: "" where nothing speaks against it; of the setting "kind", "address", "settings", "given"
    (by the environment); else what keeps it from printing, a `DeviceTrouble`. message: the same in
    English. tells: whether it says how it is: one that does not may be off all the same.
    """

    use: PrinterUse
    fault: str = ""
    message: str = ""
    tells: bool = False
    paper_low: bool = False
    elapsed_ms: int | None = None


class PrinterSetupService(Protocol):
    """The printers at the server, as a person sets them up.

    At the server each raises Invalid, NotAllowed or MachineError; at the till, over HTTP, Refused
    (with the server's words; values: `kind`, a word for what is wrong), NotDelivered or
    OutcomeUnknown.
    """

    async def setup(self) -> PrinterSetup:
        """How they are set up."""
        ...

    async def found(self) -> Sequence[FoundPrinter]:
        """Printers, and ports that one may be at, on the server's machine."""
        ...

    async def try_out(self, use: PrinterUse, change: PrinterChange) -> PrinterTrial:
        """What a printer says to what was typed; nothing is changed, nothing printed."""
        ...

    async def print_page(self, use: PrinterUse, *, key: str, by: str) -> DeliveryJob:
        """Print a trial page on the printer that is set, now or not at all; the job as it ended.
        The same key again prints nothing and is refused."""
        ...

    async def change(self, change: PrinterChange, *, by: str) -> None:
        """A manager's act. The server then opens the shop anew and is away for some seconds."""
        ...
