"""What hands a receipt over: thermal printer, page printer, mail; and the three ways it ends.

Source: exactly-once.md, step 11; architecture.md, house rule 11: done, surely not and unknown are
never mixed. No adapter repeats anything by itself: the delivery job that called decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol


class DeviceTrouble(StrEnum):
    """What stood in the way. The till translates by it; the words beside it are for logs."""

    # of a device or server
    AWAY = "away"
    BUSY = "busy"
    NO_RIGHT = "no_right"
    CUT_OFF = "cut_off"
    STUCK = "stuck"
    # of a job
    NOT_SET_UP = "not_set_up"
    TOO_OLD = "too_old"
    INTERRUPTED = "interrupted"
    # of a printer
    OFFLINE = "offline"
    PAPER_OUT = "paper_out"
    COVER_OPEN = "cover_open"
    CUTTER = "cutter"
    PRINTER_ERROR = "printer_error"
    # of a print service
    NO_QUEUE = "no_queue"
    QUEUE_STOPPED = "queue_stopped"
    QUEUE_REFUSES = "queue_refuses"
    JOB_CANCELLED = "job_cancelled"
    JOB_FAILED = "job_failed"
    NOT_FINISHED = "not_finished"
    DOCUMENT = "document"
    # of mail
    NO_ENCRYPTION = "no_encryption"
    CERTIFICATE = "certificate"
    LOGIN = "login"
    SENDER = "sender"
    RECIPIENT = "recipient"
    REFUSED = "refused"


class HandoverProof(StrEnum):
    """How surely a hand-over was done."""

    CARRIED_OUT = "carried_out"
    """The other side told that it has worked through all of it."""
    TAKEN = "taken"
    """It took every byte, and tells nothing of what became of them."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """Done. paper_low: the printer tells that its roll nears the end."""

    proof: HandoverProof
    paper_low: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """Surely not done: nothing was printed or sent.

    may_be_repeated: the same may succeed later without anybody changing a setting or an address.
    """

    trouble: DeviceTrouble
    words: str
    may_be_repeated: bool = True


@dataclass(frozen=True, slots=True)
class Unproven:
    """It may have been done, wholly or in part; only a person can tell by looking."""

    trouble: DeviceTrouble
    words: str


HandOver = Delivered | Failed | Unproven


@dataclass(frozen=True, slots=True)
class PrinterStatus:
    """What a printer or its queue tells of itself. tells: False when it answers no question.

    troubles: what keeps it from printing, the most telling first.
    """

    tells: bool
    troubles: tuple[DeviceTrouble, ...] = ()
    paper_low: bool = False
    words: str = ""


class ThermalPrinter(Protocol):
    """A receipt printer. Its methods never raise for what the printer did; one job at a time."""

    async def status(self) -> PrinterStatus:
        """What it tells now; AWAY when it can't be reached."""
        ...

    async def print(self, job: bytes) -> HandOver:
        """Have a whole job printed: ESC/POS bytes, cut and all."""
        ...

    async def open_drawer(self, pulse: bytes) -> HandOver:
        """Send the pulse that opens the cash drawer, an act of its own."""
        ...


class PagePrinter(Protocol):
    """A queue of the system's print service. Its methods never raise for what that did."""

    async def status(self) -> PrinterStatus:
        """The state of the queue now."""
        ...

    async def print(self, pdf: bytes, *, title: str) -> HandOver:
        """Have a PDF printed, and follow the job to its end. title: what the queue shows."""
        ...


@dataclass(frozen=True, slots=True)
class ReceiptMail:
    """One receipt by mail.

    receipt: its number or id; sending: counts the times that a person asked for it, and stays the
    same when a job is repeated, so that receivers can tell the repetition. at: instant, UTC.
    html: may be "". pdf: attached under `file_name`.
    """

    receipt: str
    sending: int
    at: datetime
    to: str
    subject: str
    text: str
    html: str
    pdf: bytes
    file_name: str


class Mailer(Protocol):
    """The shop's outgoing mail. Its methods never raise for what a server did."""

    async def send(self, letter: ReceiptMail) -> HandOver:
        """Send one letter to one address."""
        ...

    async def check(self) -> Failed | None:
        """Connect, encrypt and log in as `send` would, and leave; None when all of it worked."""
        ...
