"""The answer that carries a receipt: its members, its QR code, its PDF where it was asked for.

Once a receipt is signed nothing here may deny it: a PDF that can't be made is null, with a warning.
All else is equal each time the answer is given (exactly-once.md, I5): the other warnings stand in
the journal with the plan.
Source: platform-contract.md 2.10.
"""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pos_app import log
from pos_app.domain.warning import ReceiptWarning, WarningCode, Warnings
from pos_app.errors import Invalid, MachineError
from pos_app.fiscalization.results import IssuedReceipt, IssuedReceipts
from pos_app.local_api.access_middleware import client_of
from pos_app.local_api.context import ApiContext
from pos_app.local_api.error_responses import JSON
from pos_app.local_api.pdf_links import PdfLinks
from pos_app.wire.receipt import copy_to_json, receipt_to_json, warnings_to_json
from pos_app.wire.strict_json import dumps

WHOLE_WAY = 19.5
"""Seconds from acceptance until nothing is drawn any more for an answer."""
DRAW_WITHIN = 3.0
"""Seconds for the PDF of a receipt that is looked up."""
OPENED_WITHIN = 15.0
"""Seconds for one that a person opens: by its link, or at the till."""

_T = TypeVar("_T")

_log = log.get(__name__)


class ReceiptResponses:
    """Builds the JSON of issued receipts for one house."""

    def __init__(self, context: ApiContext, links: PdfLinks) -> None:
        self._context = context
        self._links = links

    async def body(
        self, request: Request, issued: IssuedReceipts, *, seconds_left: float = DRAW_WITHIN
    ) -> bytes:
        """The body for this caller; PDFs within it are rendered within the seconds left."""
        until = time.monotonic() + seconds_left
        members = [
            await self._members(request, one, until - time.monotonic()) for one in issued.receipts
        ]
        if issued.copy is not None:
            members[0]["copy"] = copy_to_json(issued.copy.receipt, receipt_id=issued.copy.id)
        return dumps(members if issued.is_array else members[0])

    async def _members(
        self, request: Request, one: IssuedReceipt, seconds: float
    ) -> dict[str, Any]:
        members = receipt_to_json(one.receipt, receipt_id=one.id, qr_code=self._qr_code(one))
        pdf, warnings = await self._pdf_members(request, one, seconds)
        return members | pdf | warnings_to_json((*one.planned.warnings, *warnings))

    def _qr_code(self, one: IssuedReceipt) -> str | None:
        """Always the same for a receipt: null only without a URL, or for one that no code holds."""
        url = one.receipt.verification_url
        try:
            return None if url is None else base64.b64encode(self._context.draw_qr(url)).decode()
        except Invalid:
            return None

    async def _pdf_members(
        self, request: Request, one: IssuedReceipt, seconds: float
    ) -> tuple[dict[str, Any], Warnings]:
        asked = one.planned.delivery
        if not (asked.pdf or asked.base64_pdf):
            return {}, ()
        drawn = await _within(seconds, lambda: self._drawn(one))
        members: dict[str, Any] = {}
        if asked.pdf:
            members["pdf"] = drawn and self._link(request, one)
        if asked.base64_pdf:
            members["base64pdf"] = drawn and base64.b64encode(drawn.content).decode()
        if drawn is None:
            return members, tuple(map(_pdf_not_made, members))
        return members, _without_glyph(drawn.boxed)

    def _drawn(self, one: IssuedReceipt) -> _Drawn:
        """What the answer needs of the PDF: all of it, or that it can be rendered for its link.

        That there is no font must be known now, not when the customer opens the link.
        """
        planned = one.planned
        boxed = self._context.pdf.check(one.receipt, planned.document, planned.esir)
        return _Drawn(self._render(one) if planned.delivery.base64_pdf else b"", boxed)

    def _render(self, one: IssuedReceipt, *, as_view: bool = False) -> bytes:
        planned = one.planned
        return self._context.pdf.render(
            one.receipt, planned.document, planned.esir, as_view=as_view
        )

    def _link(self, request: Request, one: IssuedReceipt) -> str:
        return f"{client_of(request.scope).base_url}/pdf/{self._links.give(one.id)}"

    async def file(self, one: IssuedReceipt, *, as_view: bool = False) -> bytes | None:
        """The PDF of a receipt that a person opens; None when it can't be made now.

        as_view: marked as one that is only looked at, because the original is another.
        """
        return await _within(OPENED_WITHIN, lambda: self._render(one, as_view=as_view))


@dataclass(frozen=True, slots=True)
class _Drawn:
    """content: empty where only the link was asked for. boxed: signs that no font has."""

    content: bytes
    boxed: frozenset[str]


def _without_glyph(boxed: frozenset[str]) -> Warnings:
    if not boxed:
        return ()
    words = f"No font has {', '.join(sorted(boxed))}: a box stands for it on paper."
    return (ReceiptWarning(WarningCode.GLYPH, words, "items"),)


def _pdf_not_made(member: str) -> ReceiptWarning:
    words = "The receipt is signed, its PDF could not be made now; look it up again later."
    return ReceiptWarning(WarningCode.PDF_NOT_MADE, words, f"receiptDelivery.{member}")


async def _within(seconds: float, draw: Callable[[], _T]) -> _T | None:
    """`draw()` in a thread; None, and a line in the log, when it fails or takes longer."""
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


class TrackedResponse(Response):
    """A JSON answer that tells when it was written while its caller was still there."""

    def __init__(self, body: bytes, on_delivered: Callable[[], None]) -> None:
        super().__init__(body, media_type=JSON)
        self._on_delivered = on_delivered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send(
            {
                "type": "http.response.start",
                "status": self.status_code,
                "headers": self.raw_headers,
            }
        )
        # Sending again waits until all of it is written; asking gives the loop a turn to notice
        # that nobody took it.
        for part in (self.body, b""):
            await send({"type": "http.response.body", "body": part, "more_body": True})
        is_there = not await Request(scope, receive).is_disconnected()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        if not is_there:
            _log.info("a caller left before its answer came")
            return
        try:
            self._on_delivered()
        except MachineError as error:
            _log.error("a delivery could not be noted: %s", error.what)
