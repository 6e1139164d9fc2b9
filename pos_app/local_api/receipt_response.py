"""Makes the answer with a receipt: its members, its QR code, its PDF where requested.

Once a receipt is signed, nothing here may deny it: a PDF that can't be made is null, with a
warning, and a QR code that can't be drawn is null. Everything else is equal in each repetition of
the answer (exactly-once.md, I5): the other warnings are stored in the journal with the plan.
Source: platform-contract.md 2.10.
"""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Callable
from dataclasses import field
from datetime import datetime
from typing import Any, TypeVar

from pos_app import log
from pos_app.domain.receipt.receipt import ReceiptWarning, WarningCode, Warnings
from pos_app.errors import Invalid, MachineError
from pos_app.fiscalization.issuing.results import IssuedReceipt, IssuedReceipts
from pos_app.lazy_dataclass import dataclass
from pos_app.local_api.context import ApiContext
from pos_app.local_api.pdf_links import PdfLinks
from pos_app.wire.receipt import copy_to_json, receipt_to_json, warnings_to_json
from pos_app.wire.strict_json import dumps

WHOLE_WAY = 19.5
"""Seconds from acceptance after which no PDF is awaited."""
DRAW_WITHIN = 3.0
"""Seconds for the PDF in the answer to a look-up."""
OPENED_WITHIN = 15.0
"""Seconds for a PDF that a person opens: by its link, or at the till."""

_T = TypeVar("_T")

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class AnswerFiles:
    """The form in which an answer names its PDFs. With a `base_url` it names them by links of that
    server. Without one it names them by the receipts' ids, and once the answer is made `contents`
    has the files by these ids.

    draws_code: whether the answer has the QR code as a picture, which is its slowest part.
    """

    base_url: str | None = None
    draws_code: bool = True
    contents: dict[str, bytes] = field(default_factory=dict)


class ReceiptResponses:
    def __init__(self, context: ApiContext, *, now: Callable[[], datetime]) -> None:
        self.links = PdfLinks(now, token=context.access.till_token)
        self._context = context

    async def body(
        self, issued: IssuedReceipts, files: AnswerFiles, *, seconds_left: float = DRAW_WITHIN
    ) -> bytes:
        until = time.monotonic() + seconds_left
        members = [
            await self._members(receipt, files, until - time.monotonic())
            for receipt in issued.receipts
        ]
        if issued.copy is not None:
            members[0]["copy"] = copy_to_json(issued.copy.receipt, receipt_id=issued.copy.id)
        return dumps(members if issued.is_array else members[0])

    async def _members(
        self, issued: IssuedReceipt, files: AnswerFiles, seconds: float
    ) -> dict[str, Any]:
        members = receipt_to_json(
            issued.receipt,
            receipt_id=issued.id,
            qr_code=self._qr_code(issued) if files.draws_code else None,
        )
        pdf, warnings = await self._pdf_members(issued, files, seconds)
        return members | pdf | warnings_to_json((*issued.planned.warnings, *warnings))

    def _qr_code(self, issued: IssuedReceipt) -> str | None:
        """Return the QR code as a picture, or None if the receipt has no URL or the code can't be
        drawn. Each drawing for a receipt is the same."""
        url = issued.receipt.verification_url
        try:
            return None if url is None else base64.b64encode(self._context.draw_qr(url)).decode()
        except Invalid:
            return None
        except MachineError as error:
            _log.error("a QR code could not be drawn: %s", error.what)
            return None

    async def _pdf_members(
        self, issued: IssuedReceipt, files: AnswerFiles, seconds: float
    ) -> tuple[dict[str, Any], Warnings]:
        delivery = issued.planned.delivery
        if not (delivery.pdf or delivery.base64_pdf):
            return {}, ()
        drawn = await _within(seconds, lambda: self._drawn(issued, whole=files.base_url is None))
        members: dict[str, Any] = {}
        if delivery.pdf:
            members["pdf"] = drawn and self._named(issued, drawn, files)
        if delivery.base64_pdf:
            members["base64pdf"] = drawn and base64.b64encode(drawn.content).decode()
        if drawn is None:
            return members, tuple(map(_pdf_not_made, members))
        return members, _without_glyph(drawn.boxed)

    def _drawn(self, issued: IssuedReceipt, *, whole: bool) -> _Drawn:
        """Draw the PDF. If the answer has a link to the PDF, only check that it can be drawn,
        because a missing font must be found before the customer opens the link."""
        planned = issued.planned
        boxed = self._context.pdf.check(issued.receipt, planned.document, planned.esir)
        whole = whole or planned.delivery.base64_pdf
        return _Drawn(self._render(issued) if whole else b"", boxed)

    def _render(self, issued: IssuedReceipt, *, as_view: bool = False) -> bytes:
        planned = issued.planned
        return self._context.pdf.render(
            issued.receipt, planned.document, planned.esir, as_view=as_view
        )

    def _named(self, issued: IssuedReceipt, drawn: _Drawn, files: AnswerFiles) -> str:
        if files.base_url is not None:
            return f"{files.base_url}/pdf/{self.links.give(issued.id)}"
        files.contents[issued.id] = drawn.content
        return issued.id

    async def file(self, issued: IssuedReceipt, *, as_view: bool = False) -> bytes | None:
        """Return the PDF for a person to open, or None when it can't be made now. as_view: the PDF
        is marked as a mere view, because the original is another document."""
        return await _within(OPENED_WITHIN, lambda: self._render(issued, as_view=as_view))


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A drawn PDF. content: empty where only the link was requested. boxed: characters that no font
    has."""

    content: bytes
    boxed: frozenset[str]


def _without_glyph(boxed: frozenset[str]) -> Warnings:
    if not boxed:
        return ()
    message = f"No font has {', '.join(sorted(boxed))}: a box stands for it on paper."
    return (ReceiptWarning(WarningCode.GLYPH, message, "items"),)


def _pdf_not_made(member: str) -> ReceiptWarning:
    message = "The receipt is signed, its PDF could not be made now; look it up again later."
    return ReceiptWarning(WarningCode.PDF_NOT_MADE, message, f"receiptDelivery.{member}")


async def _within(seconds: float, draw: Callable[[], _T]) -> _T | None:
    """Run `draw` in a thread. If it fails or takes longer, log that and return None."""
    work = asyncio.ensure_future(asyncio.to_thread(draw))
    await asyncio.wait({work}, timeout=max(0.0, seconds))
    if not work.done():
        work.cancel()
        _log.error("a PDF took too long")
        return None
    if (error := work.exception()) is not None:
        if isinstance(error, MachineError):
            _log.error("a PDF could not be made: %s", error.what)
        else:
            _log.error("a PDF could not be made, which is a bug", exc_info=error)
        return None
    return work.result()
