"""The server's ports for what a person asks and decides there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from pos_app.documents.blocks import Document
from pos_app.domain.processor import PinResult
from pos_app.domain.processor_setup import ProcessorChange, ProcessorSetup, ProcessorTrial
from pos_app.domain.server_status import ReceiptInDoubt, RefusedCaller
from pos_app.selling.server_answers import Issued


class DoubtDesk(Protocol):
    """What a person asks and decides at the server: doubts, alarms, prints, callers it refused.

    Each raises Refused (with the server's words), NotDelivered or OutcomeUnknown.
    """

    async def doubts(self) -> Sequence[ReceiptInDoubt]:
        """All doubts of the server, also those of other callers."""

    async def look_again(self, receipt_id: str) -> Issued | str:
        """Have the processor asked once more; the receipt, or the state it is in."""

    async def declare_absent(self, receipt_id: str, *, by: str) -> Issued | str:
        """A manager's word that no such receipt exists; the state it is in then."""

    async def declare_found(
        self, receipt_id: str, *, verification_url: str, by: str
    ) -> Issued | str:
        """The receipt by its verification address; the receipt, or the state it is in."""

    async def pair_again(self, receipt_id: str, *, by: str) -> Issued | str:
        """Have the refused receipt of a pair sent once more; it, or the state it is in."""

    async def reverse_pair(self, receipt_id: str, *, by: str) -> Issued | str:
        """Have what is signed of a pair undone; the state it is in, "reversed" when it is."""

    async def see_alarm(self, alarm_id: int, *, by: str) -> None:
        """A manager has seen an alarm; the server keeps who, and tells it no more."""

    async def close_restored(self, *, by: str) -> None:
        """A manager has looked at what was issued before a restore: its mark is closed."""

    async def accept_element(self, uid: str, *, by: str) -> None:
        """A manager has receipts signed by another secure element from now on."""

    async def job_again(self, job_id: int, *, by: str) -> None:
        """Have it printed or sent once more, now."""

    async def is_job_over(self, job_id: int) -> bool:
        """Whether it came out, or is not wanted any more."""

    async def job_seen(self, job_id: int, *, by: str) -> None:
        """It came out after all, or is not wanted any more."""

    async def refused_callers(self) -> Sequence[RefusedCaller]:
        """The last requests that the server's guard refused, the newest first."""


class ProcessorDesk(Protocol):
    """The fiscal processor at the server, as a person sets it up.

    Each raises Refused (with the server's words; values: `kind`, a word for what is wrong),
    NotDelivered or OutcomeUnknown. What was typed is kept by nobody here.
    """

    async def setup(self) -> ProcessorSetup:
        """How it is set up, and its state."""

    async def try_out(self, change: ProcessorChange) -> ProcessorTrial:
        """What the processor says to what was typed; nothing is changed, nothing signed."""

    async def change(self, change: ProcessorChange, *, by: str) -> None:
        """A manager's act. The server then opens the shop anew and is away for some seconds."""

    async def enter_pin(self, pin: str, *, by: str) -> PinResult:
        """Give the card its PIN, once; it is never sent a second time by itself."""


class PaperDesk(Protocol):
    """The server's receipt printer, for what is no receipt, and the drawer behind it.

    Each raises Refused (with the server's words), NotDelivered or OutcomeUnknown.
    """

    async def print(self, paper: Document, *, key: str) -> None:
        """Give a finished paper to print; the same key again prints nothing a second time."""

    async def open_drawer(self, *, key: str, by: str) -> None:
        """Open the cash drawer now; the same key again opens it no second time. Refused when it
        surely stayed shut.
        """


class ReceiptFiles(Protocol):
    """Receipts as PDF, which any viewer opens.

    Each raises Refused, NotDelivered, OutcomeUnknown; a MachineError when it can't be kept here.
    """

    async def pdf_of(self, receipt_id: str, *, by: str, instead: bool = False) -> Path:
        """The receipt as its customer sees it, however it was handed over.

        instead: of its papers that still wait for a printer; they are held back for the moment.

        Where its original is another, the file says that it is only a view. The server keeps
        who asked.
        """

    async def opened(self, receipt_id: str, *, by: str) -> None:
        """The file was really opened, instead of papers that still wait: they are dropped."""


class ServerKeeper(Protocol):
    """Whoever keeps our server running. Why it can't be is told to the outbox."""

    def try_again(self) -> None:
        """A person mended what kept it from starting: start it now, not after the pause."""
