"""The routes of the till: status, doubts, alarms, refusals, cancelling, stopping.

All need the install token.
"""

from __future__ import annotations

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pos_app import log
from pos_app.domain.states import REVERSED, RequestState
from pos_app.errors import NotAllowed, NotFound
from pos_app.fiscalization.answer import StillOpen, is_reversed, look_up_one
from pos_app.fiscalization.cancel import cancel
from pos_app.fiscalization.counter import Counter
from pos_app.fiscalization.person import (
    LOOK_UP_SECONDS,
    asked_about,
    declare_absent,
    declare_found,
)
from pos_app.fiscalization.ports import Request as Issuing
from pos_app.fiscalization.refusals import ReceiptNotFound
from pos_app.fiscalization.truth import truth_told
from pos_app.local_api.gate import visitor_of
from pos_app.local_api.headers import cashier_of, checked_key, epoch_of, origin_of
from pos_app.local_api.house import House
from pos_app.local_api.job_totals import JobTotals
from pos_app.local_api.problems import JSON, error_answer, problem_of
from pos_app.local_api.receipt_answer import DRAW_WITHIN, ReceiptAnswers
from pos_app.local_api.status import doubts, refused_callers, till_status
from pos_app.wire.reading import read
from pos_app.wire.server import (
    BySaid,
    CancelAsked,
    FoundSaid,
    State,
    written,
    written_list,
)
from pos_app.wire.strict_json import loads

_log = log.get(__name__)

_MOST_DIGITS = 18
"""Of an alarm's number: SQLite counts to 2^63 - 1, which has nineteen."""


class TokenRoutes:
    """What only this installation's till may ask."""

    def __init__(self, *, counter: Counter, house: House, answers: ReceiptAnswers) -> None:
        self._counter = counter
        self._house = house
        self._answers = answers
        self._totals = JobTotals(counter.journal)

    def all(self) -> list[Route]:
        """The routes of this module."""
        doubt = "/till/doubts/{receipt_id}"
        return [
            Route("/till/status", self.status, methods=["GET"]),
            Route("/till/doubts", self.doubts, methods=["GET"]),
            Route(f"{doubt}/lookup", self.look_up_now, methods=["POST"]),
            Route(f"{doubt}/absent", self.absent, methods=["POST"]),
            Route(f"{doubt}/found", self.found, methods=["POST"]),
            Route("/till/alarms/{alarm_id}/seen", self.alarm_seen, methods=["POST"]),
            Route("/till/refusals", self.refusals, methods=["GET"]),
            Route("/till/cancel", self.cancel, methods=["POST"]),
            Route("/till/stop", self.stop, methods=["POST"]),
        ]

    async def status(self, request: Request) -> Response:
        """GET /till/status."""
        return Response(
            written(till_status(self._counter, self._house, self._totals)), media_type=JSON
        )

    async def doubts(self, request: Request) -> Response:
        """GET /till/doubts."""
        return Response(written_list(doubts(self._counter)), media_type=JSON)

    async def look_up_now(self, request: Request) -> Response:
        """POST /till/doubts/{receiptId}/lookup: ask the processor, answer what is known then."""
        pending = asked_in(request, self._counter)
        if pending.state is RequestState.UNKNOWN:
            self._counter.lane.look_now()
            await self._counter.lane.changes.wait(pending.id, LOOK_UP_SECONDS)
        elif pending.state is RequestState.NEEDS_HUMAN:
            await self._counter.lane.look_again(pending.id, seconds=LOOK_UP_SECONDS)
        return await whatever_is(self._counter, self._answers, request, pending.id)

    async def absent(self, request: Request) -> Response:
        """POST /till/doubts/{receiptId}/absent: a person says that no such receipt exists."""
        said = read(BySaid, loads(await request.body()))
        receipt_id = asked_in(request, self._counter).id
        try:
            state = await declare_absent(counter=self._counter, receipt_id=receipt_id, by=said.by)
        except NotAllowed as error:
            return self._not_allowed(error, receipt_id)
        return state_answer(state)

    async def found(self, request: Request) -> Response:
        """POST /till/doubts/{receiptId}/found: a person brings the processor's own paper."""
        said = read(FoundSaid, loads(await request.body()))
        receipt_id = asked_in(request, self._counter).id
        try:
            declare_found(
                counter=self._counter, receipt_id=receipt_id, url=said.verification_url, by=said.by
            )
        except NotAllowed as error:
            return self._not_allowed(error, receipt_id)
        return await whatever_is(self._counter, self._answers, request, receipt_id)

    async def alarm_seen(self, request: Request) -> Response:
        """POST /till/alarms/{id}/seen: a person has seen an alarm, and who it was is kept."""
        said = read(BySaid, loads(await request.body()))
        alarm_id, now = _alarm_id(request.path_params["alarm_id"]), self._counter.clock.now()
        if not self._counter.journal.findings.see(alarm_id, by=said.by, now=now):
            raise NotFound("No such alarm")
        _log.info("an alarm was seen", extra={"fields": {"alarm": alarm_id, "by": said.by}})
        return Response(b"{}", media_type=JSON)

    async def refusals(self, request: Request) -> Response:
        """GET /till/refusals: the last callers that the guard refused, the newest first."""
        return Response(written_list(refused_callers(self._house.guard_log)), media_type=JSON)

    async def cancel(self, request: Request) -> Response:
        """POST /till/cancel: 200 cancelled, or 409 with the state that keeps it from that; 400
        (wait) while the journal was not compared with the processor."""
        asked = read(CancelAsked, loads(await request.body()))
        key = checked_key(asked.key, name="key", source="body")
        visitor = visitor_of(request.scope)
        origin = origin_of(request.headers, visitor, till_id=self._house.install.till_id)
        cashier = cashier_of(request.headers, visitor, otherwise=self._house.cashier)
        epoch = epoch_of(request.headers, visitor)
        try:
            state = cancel(
                counter=self._counter, origin=origin, key=key, cashier=cashier, epoch=epoch
            )
        except NotAllowed as error:
            told = error.values.get("state")
            return error_answer(problem_of(error), state=None if told is None else str(told))
        return state_answer(state)

    async def stop(self, request: Request) -> Response:
        """POST /till/stop: the server ends gracefully after this answer."""

        async def stop() -> None:
            self._house.stop()

        return Response(b"{}", media_type=JSON, background=BackgroundTask(stop))

    def _not_allowed(self, error: NotAllowed, receipt_id: str) -> Response:
        return not_allowed(self._counter, error, receipt_id)


def asked_in(request: Request, counter: Counter) -> Issuing:
    """The very receipt that is in doubt: the id of a pair means the one of the two.

    Raises what stands of it where it can't be read.
    """
    receipt_id = request.path_params["receipt_id"]
    with truth_told(counter.journal, receipt_id):
        return asked_about(counter, receipt_id)


async def whatever_is(
    counter: Counter,
    answers: ReceiptAnswers,
    request: Request,
    receipt_id: str,
    *,
    seconds_left: float = DRAW_WITHIN,
) -> Response:
    """The receipt alone, or the state in which it is not one. Its PDF is drawn within the seconds
    left."""
    with truth_told(counter.journal, receipt_id):
        one = counter.journal.request(receipt_id)
        assert one is not None  # a request is never deleted
        try:
            found = look_up_one(counter.journal, one)
        except ReceiptNotFound:
            return state_answer(one.state)
    if isinstance(found, StillOpen):
        return state_answer(found.state)
    body = await answers.body(request, found, seconds_left=seconds_left)
    return Response(body, media_type=JSON)


def not_allowed(counter: Counter, error: NotAllowed, receipt_id: str) -> Response:
    """409 with the state that keeps the request from what a person wanted."""
    request = counter.journal.request(receipt_id)
    if request is None:
        raise ReceiptNotFound("Receipt not found")
    is_signed = request.state is RequestState.SIGNED
    undone = is_signed and is_undone(counter, request)
    return error_answer(problem_of(error), state=REVERSED if undone else request.state.value)


def is_undone(counter: Counter, asked: Issuing) -> bool:
    """Whether it is of a pair of which the second receipt undid the first."""
    with truth_told(counter.journal, asked.command_id):
        return is_reversed(counter.journal.requests_of(asked.command_id))


def state_answer(state: RequestState) -> Response:
    return Response(written(State(state=state.value)), media_type=JSON)


def _alarm_id(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
        raise NotFound("No such alarm")
    return int(text)
