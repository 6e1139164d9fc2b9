"""The door of a signer. The platform's workers hand over requests with a certificate, which are
carried out in the journal of the certificate's element.

The door admits only callers with the token of this signer's folder. No part of a request is logged.
Source: exactly-once.md, "Certificate mode"; platform-contract.md 2.17.
"""

from __future__ import annotations

import asyncio
import hmac
import re
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import field
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from pos_app import errors, log
from pos_app.clock import Clock
from pos_app.domain.article.store import ReceiptLanguage
from pos_app.domain.receipt.receipt_identity import certificate_origin
from pos_app.domain.setup.signer_state import SignerState
from pos_app.fiscalization.open_elements import ElementNotReady
from pos_app.http_front.endpoint import JSON
from pos_app.http_front.errors import BodyTooLarge, error_answer
from pos_app.http_front.requests import limited
from pos_app.lazy_dataclass import dataclass
from pos_app.local_api.error_responses import problem_of
from pos_app.local_api.receipt_door import ReceiptDoor
from pos_app.local_api.relayed_command import LEAST_SECONDS, NO_TIME, ask
from pos_app.log import REQUEST_ID
from pos_app.wire import records, relay, signing
from pos_app.wire.problem import FORBIDDEN, Problem
from pos_app.wire.strict_json import dumps, loads

_UID = re.compile(r"[0-9A-Z]{8}")
_FOREIGN = Problem.of(FORBIDDEN, "This door is the platform's")

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class BroughtCertificate:
    """The content of the three headers; it is kept in memory only."""

    pfx: bytes = field(repr=False)
    password: str = field(repr=False)
    pac: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class BroughtStore:
    """The platform's settings for the paper of one request."""

    language: ReceiptLanguage
    print_discounts: bool
    print_bank_accounts: bool


class OpenElement(Protocol):
    """An open element. is_proven: the V-PFR knew the certificate that was brought last."""

    @property
    def receipts(self) -> ReceiptDoor:
        """The door to the element's journal."""
        ...

    @property
    def is_proven(self) -> bool: ...

    def keep_store(self, store: BroughtStore) -> None:
        """Draw the element's receipts in the form of this store from now on."""
        ...

    def has_receipt(self, key: str) -> bool:
        """Tell whether the key has, or may have, a receipt. Raises MachineError."""
        ...

    async def ask_as_till(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        """Return status and body of one of the till's routes, for a person who answers a doubt."""
        ...


class Elements(Protocol):
    """The secure elements of this signer."""

    def opened(
        self, uid: str, certificate: BroughtCertificate | None
    ) -> AbstractAsyncContextManager[OpenElement]:
        """Open an element. certificate: None to read the element's journal only. Raises
        ElementNotReady, SetupWrong, MachineError."""
        ...

    async def state(self) -> SignerState:
        """Return the signer's state. Raises MachineError."""
        ...


class SignerDoor:
    def __init__(self, *, elements: Elements, token: str, clock: Clock) -> None:
        self._elements = elements
        self._token = token.encode()
        self._clock = clock

    def app(self) -> ASGIApp:
        return Starlette(
            routes=[
                Route(signing.PATH, self.carry_out, methods=["POST"]),
                Route(signing.ELEMENTS, self.state, methods=["GET"]),
                Route(
                    f"{signing.ELEMENTS}/{{uid}}{{path:path}}",
                    self.as_till,
                    methods=["GET", "POST"],
                ),
            ],
            exception_handlers={errors.PosError: _expected},
        )

    async def carry_out(self, request: Request) -> Response:
        """POST: carries out a SigningRequest; 200 with its outcome, an Answer or Declined."""
        if not self._is_let_in(request):
            return error_answer(_FOREIGN)
        signing_request = signing.request_from(await _body(request))
        REQUEST_ID.set(signing_request.command.request_id)
        until = self._clock.seconds() + signing_request.command.remaining_ms / 1000
        async with _noticing_end(request) as gone:
            try:
                outcome = await self._outcome(signing_request, until, gone)
            except (ElementNotReady, errors.Invalid, errors.MachineError) as error:
                _log.warning("a request of certificate mode was not begun: %s", error.what)
                outcome = _declined(signing_request.command, error.what)
        return Response(relay.written(outcome), media_type=JSON)

    def _is_let_in(self, request: Request) -> bool:
        token = request.headers.get(signing.TOKEN, "").encode("latin-1")
        return hmac.compare_digest(token, self._token)

    async def state(self, request: Request) -> Response:
        """GET: the open elements, and the work that is open."""
        if not self._is_let_in(request):
            return error_answer(_FOREIGN)
        state = await self._elements.state()
        return Response(records.written(SignerState, state), media_type=JSON)

    async def as_till(self, request: Request) -> Response:
        """Serves a till's routes at one element, by which a person of the platform answers doubts
        and a restore."""
        if not self._is_let_in(request):
            return error_answer(_FOREIGN)
        uid, path = request.path_params["uid"], request.path_params["path"]
        if not (_UID.fullmatch(uid) and path.startswith("/till/")):
            raise errors.NotFound("path")
        body = await _body(request)
        try:
            async with self._elements.opened(uid, None) as element:
                status, data = await element.ask_as_till(request.method, path, body)
        except ElementNotReady as error:
            raise errors.NotFound(what=error.what) from error
        return Response(data, status, media_type=JSON)

    async def _outcome(
        self, request: signing.SigningRequest, until: float, gone: asyncio.Event
    ) -> relay.AnswerMessage | relay.DeclinedMessage:
        """Carry out a request. Raises the errors of opening the element, before anything is
        begun."""
        brought = request.certificate
        certificate = (
            None
            if brought is None
            else BroughtCertificate(brought.decoded(), brought.password, brought.pac)
        )
        store = BroughtStore(
            request.paper.language, request.paper.print_discounts, request.paper.print_bank_accounts
        )
        try:
            async with asyncio.timeout(until - LEAST_SECONDS - self._clock.seconds()) as opening:
                async with self._elements.opened(request.uid, certificate) as element:
                    opening.reschedule(None)
                    if brought and not element.is_proven and _asks_of_receipts(request, element):
                        return _declined(
                            request.command, "The V-PFR does not accept the certificate."
                        )
                    element.keep_store(store)
                    return await self._run(element.receipts, request, until, gone)
        except TimeoutError:
            return _declined(request.command, NO_TIME)

    async def _run(
        self, door: ReceiptDoor, request: signing.SigningRequest, until: float, gone: asyncio.Event
    ) -> relay.AnswerMessage:
        answer, message = await ask(
            door,
            request.command,
            origin=certificate_origin(request.uid),
            cashier=request.cashier or door.cashier,
            seconds_left=until - self._clock.seconds(),
            is_gone=gone.is_set,
        )
        if not gone.is_set():
            answer.delivered()
        return message.model_copy(update={"body": _of_headers(message.body)})


def _asks_of_receipts(request: signing.SigningRequest, element: OpenElement) -> bool:
    """Tell whether the answer might show receipts of the element. A certificate that the V-PFR does
    not know must not get them, because it may name any element."""
    command = request.command
    return command.operation != "issue" or element.has_receipt(command.key)


_HEADERS = {"processor_pac": "pac", "processor_pfx": "pfx"}
"""The headers that bring the secrets which a shop's server keeps."""


def _of_headers(body: str) -> str:
    """Name the caller's headers where an answer names the settings of a shop's server."""
    document: Any = loads(body)
    value = document.get("validation") if isinstance(document, dict) else None
    at_fault = value.get("settings") if isinstance(value, dict) else None
    if at_fault is None:
        return body
    keys = [_HEADERS[one] for one in at_fault["keys"] if one in _HEADERS]
    named = {"headers": at_fault | {"source": "headers", "keys": keys}} if keys else {}
    return dumps(document | {"validation": named}).decode()


def _declined(command: relay.CommandMessage, reason: str) -> relay.DeclinedMessage:
    return relay.DeclinedMessage(
        command_id=command.command_id, attempt=command.attempt, reason=reason[:500]
    )


async def _body(request: Request) -> bytes:
    """Read the body. Raises BodyTooLarge."""
    receive = limited(request.receive, signing.MOST_BYTES)
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise BodyTooLarge("cut")
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


@asynccontextmanager
async def _noticing_end(request: Request) -> AsyncIterator[asyncio.Event]:
    """Yield an event that is set when the waiting worker is gone; to be used after the body was
    read."""
    gone = asyncio.Event()

    async def listen() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        gone.set()

    listening = asyncio.create_task(listen(), name="worker of the platform")
    try:
        yield gone
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)


async def _expected(request: Request, error: Exception) -> Response:
    assert isinstance(error, errors.PosError)
    return error_answer(problem_of(error))
