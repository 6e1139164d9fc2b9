"""The answer that carries a receipt: its members, its QR code, its PDF where it was asked for.

Once a receipt is signed nothing here may deny it: a PDF that can't be made is null. All else is
equal each time the answer is given (exactly-once.md, I5).
Source: platform-contract.md 2.10.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pos_app import log
from pos_app.domain.request import IssueRequest
from pos_app.errors import Invalid, MachineError
from pos_app.fiscalization.answer import Issued
from pos_app.fiscalization.plan import with_facts
from pos_app.local_api.gate import visitor_of
from pos_app.local_api.house import House
from pos_app.local_api.pdf_links import PdfLinks
from pos_app.local_api.problems import JSON
from pos_app.wire.fiscal import issue_request_from_json
from pos_app.wire.receipt import receipt_to_json
from pos_app.wire.strict_json import dumps, loads

DRAW_WITHIN = 3.0
"""Seconds for the PDF of a receipt that is looked up."""
OPENED_WITHIN = 15.0
"""Seconds for one whose link was opened."""

_log = log.get(__name__)


class ReceiptAnswers:
    """Builds the JSON of issued receipts for one house."""

    def __init__(self, house: House, links: PdfLinks) -> None:
        self._house = house
        self._links = links

    async def body(
        self, request: Request, issued: Issued, *, seconds_left: float = DRAW_WITHIN
    ) -> bytes:
        """The body for this caller; a PDF within it is rendered within the seconds left."""
        members = receipt_to_json(
            issued.receipt, receipt_id=issued.receipt_id, qr_code=self._qr_code(issued)
        )
        members |= await self._pdf_members(request, issued, seconds_left)
        return dumps(members)

    def _qr_code(self, issued: Issued) -> str | None:
        """Always the same for a receipt: null only without a URL, or for one that no code holds."""
        url = issued.receipt.verification_url
        try:
            return None if url is None else base64.b64encode(self._house.draw_qr(url)).decode()
        except Invalid:
            return None

    async def _pdf_members(
        self, request: Request, issued: Issued, seconds: float
    ) -> dict[str, Any]:
        asked = _request_of(issued)
        if asked is None or not (asked.delivery.pdf or asked.delivery.base64_pdf):
            return {}
        content = await _within(seconds, self._drawing(issued, asked))
        members: dict[str, Any] = {}
        if asked.delivery.pdf:
            members["pdf"] = None if content is None else self._link(request, issued)
        if asked.delivery.base64_pdf:
            members["base64pdf"] = None if content is None else base64.b64encode(content).decode()
        return members

    def _drawing(self, issued: Issued, asked: IssueRequest) -> Callable[[], bytes]:
        """What the answer needs of the PDF: all of it, or that it can be rendered for its link.

        That no font has a letter must be known now, not when the customer opens the link.
        """
        pdf, receipt = self._house.pdf, issued.receipt

        def check() -> bytes:
            pdf.check(receipt, asked)
            return b""

        return (lambda: pdf.render(receipt, asked)) if asked.delivery.base64_pdf else check

    def _link(self, request: Request, issued: Issued) -> str:
        secret = self._links.give(issued.command.id)
        return f"{visitor_of(request.scope).base_url}/pdf/{secret}"

    async def file(self, issued: Issued) -> bytes | None:
        """The PDF of a receipt whose link was opened; None when it can't be made now."""
        asked = _request_of(issued)
        if asked is None:
            return None
        return await _within(OPENED_WITHIN, lambda: self._house.pdf.render(issued.receipt, asked))


def _request_of(issued: Issued) -> IssueRequest | None:
    """What was asked for, read again from the journal; None, and a line in the log, if it can't.

    A body that was accepted once may be one that a newer version would refuse.
    """
    command = issued.command
    try:
        return with_facts(issue_request_from_json(loads(command.body)), command.facts)
    except Invalid as error:
        _log.error("a kept request can't be read: %s", error.what)
        return None


async def _within(seconds: float, draw: Callable[[], bytes]) -> bytes | None:
    """`draw()` in a thread; None, and a line in the log, when it fails or takes longer."""
    work = asyncio.ensure_future(asyncio.to_thread(draw))
    await asyncio.wait({work}, timeout=max(0.0, seconds))
    if not work.done():
        work.cancel()
        _log.error("a PDF took too long")
        return None
    if (error := work.exception()) is not None:
        _log.error("a PDF could not be made", exc_info=error)
        return None
    return work.result()


class Delivered(Response):
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
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        # All of the body is written; asking gives the loop a turn to notice that nobody took it.
        is_there = not await Request(scope, receive).is_disconnected()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        if not is_there:
            _log.info("a caller left before its answer came")
            return
        try:
            self._on_delivered()
        except MachineError as error:
            _log.error("a delivery could not be noted: %s", error.what)
