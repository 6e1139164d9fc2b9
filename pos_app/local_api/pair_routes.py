"""A person's ways with a half-done pair: again, corrected, or reversed. All need the token.

Source: exactly-once.md, step 9.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pos_app.domain.states import REVERSED, RequestState
from pos_app.errors import NotAllowed
from pos_app.fiscalization.half_done_pair import CorrectedBody, correct, reverse, try_again
from pos_app.fiscalization.ports import Request as Issuing
from pos_app.fiscalization.results import IssuedReceipts, look_up, signed_numbers
from pos_app.fiscalization.service import FiscalService
from pos_app.fiscalization.unreadable_answer import never_denied
from pos_app.local_api.access_middleware import client_of
from pos_app.local_api.error_responses import JSON
from pos_app.local_api.headers import cashier_of
from pos_app.local_api.receipt_response import WHOLE_WAY, ReceiptResponses
from pos_app.local_api.token_routes import (
    asked_in,
    is_undone,
    not_allowed,
    state_answer,
    whatever_is,
)
from pos_app.wire.readers import READERS
from pos_app.wire.reading import read
from pos_app.wire.server import CorrectBody, DecidedByBody, State, written
from pos_app.wire.spelling import noticed
from pos_app.wire.strict_json import canonical, dumps, loads

_Act = Callable[[], Awaitable[RequestState]]


class PairRoutes:
    """What a person at this installation's till decides about a pair that is half done."""

    def __init__(self, *, service: FiscalService, answers: ReceiptResponses) -> None:
        self._service = service
        self._answers = answers

    def all(self) -> list[Route]:
        """The routes of this module."""
        doubt = "/till/doubts/{receipt_id}"
        return [
            Route(f"{doubt}/again", self.again, methods=["POST"]),
            Route(f"{doubt}/correct", self.correct, methods=["POST"]),
            Route(f"{doubt}/reverse", self.reverse, methods=["POST"]),
        ]

    async def again(self, request: Request) -> Response:
        """POST /till/doubts/{receiptId}/again: the refused receipt as it was planned; it, or its
        state."""
        said = read(DecidedByBody, loads(await request.body()))
        asked = asked_in(request, self._service)

        async def act() -> RequestState:
            return await try_again(service=self._service, receipt_id=asked.id, by=said.by)

        return await self._answer(request, asked, act, alone=True)

    async def correct(self, request: Request) -> Response:
        """POST /till/doubts/{receiptId}/correct: from another body; both receipts, or a state."""
        said = read(CorrectBody, loads(await request.body()))
        document = said.request
        corrected = CorrectedBody(
            body=dumps(document),
            canonical=canonical(document),
            read=lambda operation, body: READERS[operation](loads(body)),
            notice=lambda operation, body: noticed(operation, loads(body)),
        )
        asked = asked_in(request, self._service)

        async def act() -> RequestState:
            return await correct(
                service=self._service,
                receipt_id=asked.id,
                corrected=corrected,
                by=said.by,
                cashier=_cashier(request),
            )

        return await self._answer(request, asked, act)

    async def reverse(self, request: Request) -> Response:
        """POST /till/doubts/{receiptId}/reverse: what is signed is undone; the state, and the
        numbers of all that is signed. The same again, as when no answer came: the same answer."""
        said = read(DecidedByBody, loads(await request.body()))
        asked = asked_in(request, self._service)
        if is_undone(self._service, asked):
            return self._undone(asked.command_id)

        async def act() -> RequestState:
            return await reverse(
                service=self._service, receipt_id=asked.id, by=said.by, cashier=_cashier(request)
            )

        return await self._answer(request, asked, act)

    async def _answer(
        self, request: Request, asked: Issuing, act: _Act, *, alone: bool = False
    ) -> Response:
        """What the pair has come to. alone: of the receipts of a whole pair the last one."""
        until = self._service.clock.seconds() + WHOLE_WAY
        with never_denied(self._service.journal, asked.command_id):
            try:
                state = await act()
            except NotAllowed as error:
                return not_allowed(self._service, error, asked.id)
            if state is not RequestState.SIGNED:
                return state_answer(state)
            return await self._signed(request, asked, until, alone=alone)

    async def _signed(
        self, request: Request, asked: Issuing, until_seconds: float, *, alone: bool
    ) -> Response:
        """What the pair has come to, all of it signed. Of the last one alone no other receipt is
        read: what was signed before it may be damaged."""
        journal, command_id = self._service.journal, asked.command_id
        last = journal.request(asked.id)
        if last is not None and last.planned.is_reversal:
            return self._undone(command_id)
        left = until_seconds - self._service.clock.seconds()
        found = None if alone else look_up(journal=journal, origin="", reference=command_id)
        if not isinstance(found, IssuedReceipts):
            return await whatever_is(
                self._service, self._answers, request, asked.id, seconds_left=left
            )
        body = await self._answers.body(request, found, seconds_left=left)
        return Response(body, media_type=JSON)

    def _undone(self, command_id: str) -> Response:
        signed = signed_numbers(self._service.journal, command_id)
        return Response(written(State(state=REVERSED, signed=list(signed))), media_type=JSON)


def _cashier(request: Request) -> str | None:
    """Who is named on the receipt, where the till tells; else it is the one of the request."""
    told = cashier_of(request.headers, client_of(request.scope), otherwise="")
    return told or None
