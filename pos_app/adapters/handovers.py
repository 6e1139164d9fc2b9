"""Hands delivery jobs over to the shop's devices: each is drawn in a thread, then handed over once.

A paper that can't be drawn was surely not printed, and can't be drawn the next time either.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeVar

from pos_app import log
from pos_app.documents.blocks import Document
from pos_app.documents.letter import ReceiptLetter
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.request import InvoiceType
from pos_app.errors import MachineError
from pos_app.fiscalization import device_ports
from pos_app.fiscalization.handover.drawer_pulse import PULSE_SECONDS
from pos_app.fiscalization.handover.handover_queue import Content, ReceiptPaper
from pos_app.fiscalization.jobs import QueuedJob

T = TypeVar("T")

_log = log.get(__name__)


class ShopPapers(Protocol):
    """Draws the shop's papers. It is called in a thread; each method raises MachineError."""

    def thermal(
        self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart
    ) -> bytes: ...

    def thermal_document(self, document: Document) -> bytes:
        """Return the ESC/POS job of one of the till's own papers."""
        ...

    def render(self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart) -> bytes:
        """Return the PDF of a receipt, to be read on a screen."""
        ...

    def pages(self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart) -> bytes:
        """Return the PDF of a receipt on A4, to be printed."""
        ...

    def document_pages(self, document: Document) -> bytes:
        """Return the PDF of one of our own papers on A4."""
        ...

    def letter(self, receipt: SignedReceipt) -> ReceiptLetter: ...


class ThermalHandover:
    """Implements fiscalization.handover.handover_queue.Handover with the receipt printer.

    times: the number of papers of a receipt that are printed without a request, as one job. Where
    the job breaks off between two papers, nobody knows how many came out, and a person decides, as
    after half a paper.
    """

    def __init__(
        self, printer: device_ports.ThermalPrinter, papers: ShopPapers, *, times: int = 1
    ) -> None:
        self._printer = printer
        self._papers = papers
        self._times = times

    async def hand_over(self, job: QueuedJob, content: Content) -> device_ports.HandOver:
        drawn = await _drawn(lambda: self._draw(content))
        if isinstance(drawn, device_ports.Failed):
            return drawn
        return await self._printer.print(drawn * self._papers_of(job, content))

    def _papers_of(self, job: QueuedJob, content: Content) -> int:
        """Return the number of papers. A Copy is printed once: a person asked for it, or a customer
        signs it for the shop."""
        if not isinstance(content, ReceiptPaper) or job.sending > 1:
            return 1
        is_copy = content.planned.document.invoice_type is InvoiceType.COPY
        return 1 if is_copy else self._times

    async def is_ready(self) -> bool:
        return not (await self._printer.status()).troubles

    def _draw(self, content: Content) -> bytes:
        if isinstance(content, Document):
            return self._papers.thermal_document(content)
        assert isinstance(content, ReceiptPaper)
        planned = content.planned
        return self._papers.thermal(content.receipt, planned.document, planned.esir)


class DrawerHandover:
    """Implements fiscalization's `handover_queue.Handover` with a drawer at the receipt printer."""

    def __init__(self, printer: device_ports.ThermalPrinter, pulse: bytes) -> None:
        """Set the drawer up. pulse: the ESC/POS bytes that open it."""
        self._printer = printer
        self._pulse = pulse

    async def hand_over(self, job: QueuedJob, content: Content) -> device_ports.HandOver:
        try:
            async with asyncio.timeout(PULSE_SECONDS):
                return await self._printer.open_drawer(self._pulse)
        except TimeoutError:
            return device_ports.Unproven(
                device_ports.DeviceTrouble.BUSY, "The printer did not take the pulse in time."
            )

    async def is_ready(self) -> bool:
        return not (await self._printer.status()).troubles


class PageHandover:
    """Implements fiscalization's `handover_queue.Handover` with a queue of the print service."""

    def __init__(self, printer: device_ports.PagePrinter, papers: ShopPapers) -> None:
        self._printer = printer
        self._papers = papers

    async def hand_over(self, job: QueuedJob, content: Content) -> device_ports.HandOver:
        pdf = await _drawn(lambda: self._draw(content))
        if isinstance(pdf, device_ports.Failed):
            return pdf
        title = content.title if isinstance(content, Document) else _number_of(content)
        return await self._printer.print(pdf, title=title)

    def _draw(self, content: Content) -> bytes:
        if isinstance(content, Document):
            return self._papers.document_pages(content)
        assert isinstance(content, ReceiptPaper)
        planned = content.planned
        return self._papers.pages(content.receipt, planned.document, planned.esir)

    async def is_ready(self) -> bool:
        return not (await self._printer.status()).troubles


def _number_of(content: Content) -> str:
    assert isinstance(content, ReceiptPaper)
    return content.receipt.invoice_number


class MailHandover:
    """Implements fiscalization.handover.handover_queue.Handover with the shop's mail."""

    def __init__(self, post: device_ports.Mailer, papers: ShopPapers) -> None:
        self._post = post
        self._papers = papers

    async def hand_over(self, job: QueuedJob, content: Content) -> device_ports.HandOver:
        assert isinstance(content, ReceiptPaper)
        written = await _drawn(lambda: self._write(job, content))
        return (
            written if isinstance(written, device_ports.Failed) else await self._post.send(written)
        )

    async def is_ready(self) -> bool:
        """Return False, because readiness is unknown: to a mail server, a question every few
        seconds looks like an attack."""
        return False

    def _write(self, job: QueuedJob, content: ReceiptPaper) -> device_ports.ReceiptMail:
        letter = self._papers.letter(content.receipt)
        return device_ports.ReceiptMail(
            receipt=content.receipt.invoice_number,
            sending=job.sending,
            at=job.asked_at,
            to=job.target,
            subject=letter.subject,
            text=letter.text,
            html=letter.html,
            pdf=self._papers.render(
                content.receipt, content.planned.document, content.planned.esir
            ),
            file_name=letter.file_name,
        )


async def _drawn(draw: Callable[[], T]) -> T | device_ports.Failed:
    """Draw in a thread, and return the result. A bug of the drawing ends this one paper alone."""
    work = asyncio.ensure_future(asyncio.to_thread(draw))
    try:
        await asyncio.wait({work})
    finally:
        work.cancel()
    error = work.exception()
    if error is None:
        return work.result()
    if not isinstance(error, MachineError):
        _log.error("a paper can't be drawn, which is a bug", exc_info=error)
    words = error.what if isinstance(error, MachineError) else f"{type(error).__name__}: {error}"
    return device_ports.Failed(device_ports.DeviceTrouble.DOCUMENT, words, may_be_repeated=False)
