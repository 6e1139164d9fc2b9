"""The answer that carries a receipt: its members, its QR code, its PDF where it was asked for.

Once a receipt is signed nothing here may deny it: what can't be drawn is null.
Source: platform-contract.md 2.10.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pos_app import log
from pos_app.domain.request import IssueRequest
from pos_app.errors import MachineError
from pos_app.fiscalization.esir import paper_of
from pos_app.fiscalization.issue import Issued
from pos_app.fiscalization.plan import with_facts
from pos_app.local_api.gate import visitor_of
from pos_app.local_api.house import House
from pos_app.local_api.pdf_links import Pdf, PdfLinks
from pos_app.local_api.problems import JSON
from pos_app.wire.fiscal import issue_request_from_json
from pos_app.wire.receipt import receipt_to_json
from pos_app.wire.strict_json import dumps, loads

DRAW_WITHIN = 3.0
"""Seconds for a picture or a PDF when nothing else limits them."""
_LEAST = 0.3

T = TypeVar("T")
_log = log.get(__name__)


class ReceiptAnswers:
    """Builds the JSON of issued receipts for one house."""

    def __init__(self, house: House, links: PdfLinks) -> None:
        self._house = house
        self._links = links

    async def body(
        self, request: Request, issued: Issued, *, seconds_left: float = DRAW_WITHIN
    ) -> bytes:
        """The body for this caller, drawn within the seconds left."""
        members = receipt_to_json(
            issued.receipt,
            receipt_id=issued.receipt_id,
            qr_code=await self._qr_code(issued, seconds_left),
        )
        members |= await self._pdf_members(request, issued, seconds_left)
        return dumps(members)

    async def _qr_code(self, issued: Issued, seconds: float) -> str | None:
        url = issued.receipt.verification_url
        if url is None:
            return None
        gif = await _drawn("QR code", lambda: self._house.draw_qr(url), seconds)
        return None if gif is None else base64.b64encode(gif).decode()

    async def _pdf_members(
        self, request: Request, issued: Issued, seconds: float
    ) -> dict[str, Any]:
        asked = await _drawn("request", lambda: _request_of(issued), seconds)
        if asked is None or not (asked.delivery.pdf or asked.delivery.base64_pdf):
            return {}
        content = await _drawn(
            "PDF",
            lambda: self._house.pdf.render(
                issued.receipt, *paper_of(asked, cashier=issued.command.cashier)
            ),
            seconds,
        )
        members: dict[str, Any] = {}
        if asked.delivery.pdf:
            members["pdf"] = None if content is None else self._link(request, issued, content)
        if asked.delivery.base64_pdf:
            members["base64pdf"] = None if content is None else base64.b64encode(content).decode()
        return members

    def _link(self, request: Request, issued: Issued, content: bytes) -> str:
        secret = self._links.give(Pdf(issued.receipt.invoice_number, content))
        return f"{visitor_of(request.scope).base_url}/pdf/{secret}"


def _request_of(issued: Issued) -> IssueRequest:
    """What was asked for, read again from the journal."""
    command = issued.command
    return with_facts(issue_request_from_json(loads(command.body)), command.facts)


async def _drawn(what: str, draw: Callable[[], T], seconds: float) -> T | None:
    """`draw()` in a thread; None, and a line in the log, when it fails or takes too long."""
    work = asyncio.ensure_future(asyncio.to_thread(draw))
    await asyncio.wait({work}, timeout=max(_LEAST, seconds))
    if not work.done():
        work.cancel()
        _log.error("a %s took too long", what)
        return None
    if (error := work.exception()) is not None:
        _log.error("a %s could not be made", what, exc_info=error)
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
