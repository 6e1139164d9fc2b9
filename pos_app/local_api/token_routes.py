"""The routes of the till: status, doubts, alarms, cancelling, stopping.

All need the install token.
"""

from __future__ import annotations

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from pos_app import log
from pos_app.domain.receipt import server_status
from pos_app.domain.receipt.states import REVERSED, RequestState
from pos_app.errors import NotAllowed, NotFound
from pos_app.fiscalization.issuing import manual_decision, results
from pos_app.fiscalization.issuing.cancel import cancel
from pos_app.fiscalization.ports import Request as Issuing
from pos_app.fiscalization.refusals import ReceiptNotFound
from pos_app.fiscalization.service import FiscalService
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.http_front.errors import error_answer
from pos_app.local_api import headers
from pos_app.local_api.access_middleware import admitted_caller
from pos_app.local_api.context import ApiContext, then_reopened
from pos_app.local_api.error_responses import problem_of
from pos_app.local_api.receipt_response import DRAW_WITHIN, ReceiptResponses
from pos_app.local_api.till_status import JobTotals, doubts, till_status
from pos_app.wire import records, server
from pos_app.wire.reading import read
from pos_app.wire.strict_json import loads

_log = log.get(__name__)

_MOST_DIGITS = 18
"""The most digits of an alarm's number: SQLite's largest, 2^63 - 1, has nineteen."""


class TokenRoutes:
    def __init__(
        self, *, service: FiscalService, context: ApiContext, answers: ReceiptResponses
    ) -> None:
        self._service = service
        self._context = context
        self._answers = answers
        self._totals = JobTotals(service.journal)

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        doubt = "/till/doubts/{receipt_id}"
        return [
            Endpoint("GET", "/till/status", cls.status),
            Endpoint("GET", "/till/doubts", cls.doubts),
            Endpoint("POST", f"{doubt}/lookup", cls.look_up_now),
            Endpoint("POST", f"{doubt}/absent", cls.absent),
            Endpoint("POST", f"{doubt}/found", cls.declare_found),
            Endpoint("POST", "/till/alarms/{alarm_id}/seen", cls.alarm_seen),
            Endpoint("POST", "/till/cancel", cls.cancel),
            Endpoint("POST", "/till/reopen", cls.reopen),
            Endpoint("POST", "/till/stop", cls.stop),
        ]

    async def status(self, request: Request) -> Response:
        status = till_status(self._service, self._context, self._totals)
        return Response(records.written(server_status.ServerStatus, status), media_type=JSON)

    async def doubts(self, request: Request) -> Response:
        in_doubt = records.written_list(server_status.ReceiptInDoubt, doubts(self._service))
        return Response(in_doubt, media_type=JSON)

    async def look_up_now(self, request: Request) -> Response:
        """POST /till/doubts/{receiptId}/lookup: asks the processor, then answers with the
        result."""
        pending = asked_in(request, self._service)
        if pending.state is RequestState.UNKNOWN:
            self._service.lane.look_now()
            await self._service.lane.changes.wait(pending.id, manual_decision.LOOK_UP_SECONDS)
        elif pending.state is RequestState.NEEDS_HUMAN:
            await self._service.lane.look_again(pending.id, seconds=manual_decision.LOOK_UP_SECONDS)
        return await receipt_or_state(self._service, self._answers, request, pending.id)

    async def absent(self, request: Request) -> Response:
        """POST /till/doubts/{receiptId}/absent: a person says that no such receipt exists."""
        body = read(server.DecidedByBody, loads(await request.body()))
        receipt_id = asked_in(request, self._service).id
        try:
            state = await manual_decision.declare_absent(
                service=self._service, receipt_id=receipt_id, by=body.by
            )
        except NotAllowed as error:
            return self._not_allowed(error, receipt_id)
        return state_answer(state)

    async def declare_found(self, request: Request) -> Response:
        """POST /till/doubts/{receiptId}/found: a person enters the processor's own paper."""
        body = read(server.FoundBody, loads(await request.body()))
        receipt_id = asked_in(request, self._service).id
        try:
            manual_decision.declare_found(
                service=self._service, receipt_id=receipt_id, url=body.verification_url, by=body.by
            )
        except NotAllowed as error:
            return self._not_allowed(error, receipt_id)
        return await receipt_or_state(self._service, self._answers, request, receipt_id)

    async def alarm_seen(self, request: Request) -> Response:
        """POST /till/alarms/{id}/seen: a person, whose name is stored, has seen an alarm."""
        body = read(server.DecidedByBody, loads(await request.body()))
        alarm_id, now = _alarm_id(request.path_params["alarm_id"]), self._service.clock.now()
        if not self._service.journal.findings.see(alarm_id, by=body.by, now=now):
            raise NotFound("alarm")
        _log.info("an alarm was seen", extra={"fields": {"alarm": alarm_id, "by": body.by}})
        return Response(b"{}", media_type=JSON)

    async def cancel(self, request: Request) -> Response:
        """POST /till/cancel: 200 cancelled, or 409 with the state that prevents it. It answers 400
        (wait) until the journal was compared with the processor."""
        body = read(server.CancelBody, loads(await request.body()))
        key = headers.checked_key(body.key, name="key", source="body")
        admitted = admitted_caller(request.scope)
        origin = headers.origin_of(request.headers, admitted, till_id=self._context.install.till_id)
        cashier = headers.cashier_of(request.headers, admitted, otherwise=self._context.cashier)
        epoch = headers.epoch_of(request.headers, admitted)
        try:
            state = cancel(
                service=self._service, origin=origin, key=key, cashier=cashier, epoch=epoch
            )
        except NotAllowed as error:
            present = error.values.get("state")
            return error_answer(problem_of(error), state=None if present is None else str(present))
        return state_answer(state)

    async def reopen(self, request: Request) -> Response:
        """POST /till/reopen: a manager changed the settings; the shop is opened anew with them."""
        body = read(server.ReopenBody, loads(await request.body()))
        _log.warning("the settings were changed by %s", body.by)
        return then_reopened(self._context, port=body.port)

    async def stop(self, request: Request) -> Response:
        """POST /till/stop: the server ends gracefully after this answer."""

        async def stop() -> None:
            self._context.stop()

        return Response(b"{}", media_type=JSON, background=BackgroundTask(stop))

    def _not_allowed(self, error: NotAllowed, receipt_id: str) -> Response:
        return not_allowed(self._service, error, receipt_id)


def asked_in(request: Request, service: FiscalService) -> Issuing:
    """Return the request that `asked_about` finds for the path's id. Raises as `never_denied` if it
    can't be read."""
    receipt_id = request.path_params["receipt_id"]
    with results.never_denied(service.journal, receipt_id):
        return manual_decision.asked_about(service, receipt_id)


async def receipt_or_state(
    service: FiscalService,
    answers: ReceiptResponses,
    request: Request,
    receipt_id: str,
    *,
    seconds_left: float = DRAW_WITHIN,
) -> Response:
    """Answer with the receipt only, or with the request's state. seconds_left: the time for
    rendering the PDF."""
    with results.never_denied(service.journal, receipt_id):
        pending = service.journal.request(receipt_id)
        assert pending is not None  # a request is never deleted
        try:
            found = results.look_up_one(service.journal, pending)
        except ReceiptNotFound:
            return state_answer(pending.state)
    if isinstance(found, results.PendingCommand):
        return state_answer(found.state)
    body = await answers.body(
        found, admitted_caller(request.scope).files, seconds_left=seconds_left
    )
    return Response(body, media_type=JSON)


def not_allowed(service: FiscalService, error: NotAllowed, receipt_id: str) -> Response:
    request = service.journal.request(receipt_id)
    if request is None:
        raise ReceiptNotFound()
    is_signed = request.state is RequestState.SIGNED
    undone = is_signed and is_undone(service, request)
    return error_answer(problem_of(error), state=REVERSED if undone else request.state.value)


def is_undone(service: FiscalService, request: Issuing) -> bool:
    with results.never_denied(service.journal, request.command_id):
        return results.is_reversed(service.journal.requests_of(request.command_id))


def state_answer(state: RequestState) -> Response:
    return Response(server.written(server.State(state=state.value)), media_type=JSON)


def _alarm_id(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
        raise NotFound("alarm")
    return int(text)
