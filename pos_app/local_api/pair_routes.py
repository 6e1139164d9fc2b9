"""A person ends a half-done pair by these routes: its second receipt is sent again or corrected, or
its first is undone. All need the install token.

Source: exactly-once.md, step 9.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from pos_app.domain.receipt.states import REVERSED, RequestState
from pos_app.errors import NotAllowed
from pos_app.fiscalization.issuing import half_done_pair, results
from pos_app.fiscalization.ports import Request as Issuing
from pos_app.fiscalization.service import FiscalService
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.local_api import token_routes
from pos_app.local_api.access_middleware import admitted_caller
from pos_app.local_api.headers import cashier_of
from pos_app.local_api.receipt_response import WHOLE_WAY, ReceiptResponses
from pos_app.wire import misspelt_members, operations, reading, server
from pos_app.wire.request_content import content_of
from pos_app.wire.strict_json import canonical, dumps, loads

_Act = Callable[[], Awaitable[RequestState]]


class PairRoutes:
    def __init__(self, *, service: FiscalService, answers: ReceiptResponses) -> None:
        self._service = service
        self._answers = answers

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        doubt = "/till/doubts/{receipt_id}"
        return [
            Endpoint("POST", f"{doubt}/again", cls.again),
            Endpoint("POST", f"{doubt}/correct", cls.correct),
            Endpoint("POST", f"{doubt}/reverse", cls.reverse),
        ]

    async def again(self, request: Request) -> Response:
        """POST /till/doubts/{receiptId}/again: sends the refused receipt as planned. It answers
        with the receipt, or its state."""
        body = reading.read(server.DecidedByBody, loads(await request.body()))
        doubt = token_routes.asked_in(request, self._service)

        async def act() -> RequestState:
            return await half_done_pair.try_again(
                service=self._service, receipt_id=doubt.id, by=body.by
            )

        return await self._answer(request, doubt, act, last_only=True)

    async def correct(self, request: Request) -> Response:
        """POST /till/doubts/{receiptId}/correct: sends another body, and answers with both
        receipts, or a state."""
        body = reading.read(server.CorrectBody, loads(await request.body()))
        document = body.request
        corrected = half_done_pair.CorrectedBody(
            body=dumps(document),
            canonical=canonical(content_of(document)),
            read=lambda operation, body: operations.READERS[operation](loads(body)),
            notice=lambda operation, body: misspelt_members.noticed(operation, loads(body)),
        )
        doubt = token_routes.asked_in(request, self._service)

        async def act() -> RequestState:
            return await half_done_pair.correct(
                service=self._service,
                receipt_id=doubt.id,
                corrected=corrected,
                by=body.by,
                cashier=_cashier(request),
            )

        return await self._answer(request, doubt, act)

    async def reverse(self, request: Request) -> Response:
        """POST /till/doubts/{receiptId}/reverse: undoes the signed receipt. It answers with the
        state and all signed numbers, also when the request is repeated."""
        body = reading.read(server.DecidedByBody, loads(await request.body()))
        doubt = token_routes.asked_in(request, self._service)
        if token_routes.is_undone(self._service, doubt):
            return self._undone(doubt.command_id)

        async def act() -> RequestState:
            return await half_done_pair.reverse(
                service=self._service, receipt_id=doubt.id, by=body.by, cashier=_cashier(request)
            )

        return await self._answer(request, doubt, act)

    async def _answer(
        self, request: Request, doubt: Issuing, act: _Act, *, last_only: bool = False
    ) -> Response:
        """Do the act and answer. last_only: the answer has the second receipt alone."""
        until = self._service.clock.seconds() + WHOLE_WAY
        with results.never_denied(self._service.journal, doubt.command_id):
            try:
                state = await act()
            except NotAllowed as error:
                return token_routes.not_allowed(self._service, error, doubt.id)
            if state is not RequestState.SIGNED:
                return token_routes.state_answer(state)
            return await self._signed(request, doubt, until, last_only=last_only)

    async def _signed(
        self, request: Request, doubt: Issuing, until_seconds: float, *, last_only: bool
    ) -> Response:
        """Answer once both receipts are signed. last_only: the first one, which may be damaged, is
        not read."""
        journal, command_id = self._service.journal, doubt.command_id
        last = journal.request(doubt.id)
        if last is not None and last.planned.is_reversal:
            return self._undone(command_id)
        left = until_seconds - self._service.clock.seconds()
        found = (
            None if last_only else results.look_up(journal=journal, origin="", reference=command_id)
        )
        if not isinstance(found, results.IssuedReceipts):
            return await token_routes.receipt_or_state(
                self._service, self._answers, request, doubt.id, seconds_left=left
            )
        body = await self._answers.body(
            found, admitted_caller(request.scope).files, seconds_left=left
        )
        return Response(body, media_type=JSON)

    def _undone(self, command_id: str) -> Response:
        signed = results.signed_numbers(self._service.journal, command_id)
        return Response(
            server.written(server.State(state=REVERSED, signed=list(signed))), media_type=JSON
        )


def _cashier(request: Request) -> str | None:
    return cashier_of(request.headers, admitted_caller(request.scope), otherwise="") or None
