"""The port by which the till has its server print, open the drawer, and make a receipt's PDF."""

from __future__ import annotations

from dataclasses import field
from typing import Protocol

from pos_app.documents.blocks import Document
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PdfFile:
    """number: the number of the receipt."""

    number: str
    content: bytes = field(repr=False)


class ServerPapers(Protocol):
    """At the server each method raises Invalid, NotFound, NotAllowed or MachineError; at the till
    Refused, NotDelivered or OutcomeUnknown."""

    async def print(self, paper: Document, *, key: str, on_a4: bool = False) -> DeliveryJob:
        """Make a finished paper a job of the receipt printer, or of the queue of pages. The same
        key again prints nothing a second time."""
        ...

    async def open_drawer(self, *, key: str, by: str) -> DeliveryJob:
        """Open the drawer, and return the job within seconds. The same key does not open the drawer
        a second time; with another body it is refused."""
        ...

    async def pdf(self, receipt_id: str, *, by: str, instead: bool = False) -> PdfFile:
        """Make the PDF, also of a receipt requested on paper only.

        The file is the original where there is no other original, else it is marked as a view. The
        person who asked is noted. instead: the PDF replaces papers that wait for a printer. These
        are held back until `opened` is called, and printed if it is not.
        """
        ...

    async def opened(self, receipt_id: str, *, by: str) -> None:
        """Report that the receipt's PDF was opened, so its waiting papers are dropped. A paper that
        was begun meanwhile is printed."""
        ...
