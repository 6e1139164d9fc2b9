"""The ports that deliver a receipt: thermal printer, page printer, mail.

Each act ends as done, surely not done, or unknown. No adapter retries: the delivery job decides.
Source: exactly-once.md, step 11; architecture.md, house rule 11.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pos_app.lazy_dataclass import dataclass


class DeviceTrouble(StrEnum):
    """The cause that prevented a delivery. The till has a text for each cause; the words beside a
    cause are for logs."""

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
    NO_HOST = "no_host"
    NO_ENCRYPTION = "no_encryption"
    CERTIFICATE = "certificate"
    LOGIN = "login"
    SENDER = "sender"
    RECIPIENT = "recipient"
    REFUSED = "refused"


class HandoverProof(StrEnum):
    CARRIED_OUT = "carried_out"
    """The other side confirmed that it has processed all of it."""
    TAKEN = "taken"
    """The other side accepted every byte, without confirming the result."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """paper_low: whether the printer reports that its roll is nearly used up."""

    proof: HandoverProof
    paper_low: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """The hand-over surely did not happen: nothing was printed or sent. may_be_repeated: whether
    the same hand-over may succeed later though nobody changes a setting or an address. tls: a
    `TlsFault` where there was no safe connection, or ""."""

    trouble: DeviceTrouble
    words: str
    may_be_repeated: bool = True
    tls: str = ""


@dataclass(frozen=True, slots=True)
class Unproven:
    """The hand-over may have happened, wholly or in part; a person has to look."""

    trouble: DeviceTrouble
    words: str


HandOver = Delivered | Failed | Unproven


def outcome_fields(outcome: HandOver) -> dict[str, str]:
    """The outcome and its cause, as fields for the log."""
    fields = {"outcome": type(outcome).__name__.lower()}
    if not isinstance(outcome, Delivered):
        fields["trouble"] = outcome.trouble.value
    return fields


@dataclass(frozen=True, slots=True)
class PrinterStatus:
    """The status of a printer or its queue. tells: whether the printer can report a status.
    troubles: the causes that prevent printing, the most specific first."""

    tells: bool
    troubles: tuple[DeviceTrouble, ...] = ()
    paper_low: bool = False
    words: str = ""


class ThermalPrinter(Protocol):
    """A receipt printer, one job at a time. Its methods never raise for the printer's errors."""

    async def status(self) -> PrinterStatus: ...

    async def print(self, job: bytes) -> HandOver:
        """Print a job. job: ESC/POS bytes, the cut included."""
        ...

    async def open_drawer(self, pulse: bytes) -> HandOver: ...


class PagePrinter(Protocol):
    """A queue of the system's print service. Its methods never raise for the service's errors."""

    async def status(self) -> PrinterStatus: ...

    async def print(self, pdf: bytes, *, title: str) -> HandOver: ...


@dataclass(frozen=True, slots=True)
class ReceiptMail:
    """receipt: its number or id; sending: the number of a person's requests, which stays the same
    when a job is retried, so that receivers recognise the repetition. at: instant, UTC. html: may
    be "". pdf: attached under `file_name`, unless it is empty."""

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
    """The shop's outgoing mail. Its methods never raise for a server's errors."""

    async def send(self, letter: ReceiptMail) -> HandOver: ...

    async def check(self) -> Failed | None:
        """Connect, encrypt and log in as `send` does, and disconnect. It returns None when all
        worked."""
        ...
