"""The servers that exactly-once.md lists, each with one fault: the machine must find them."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.domain.setup.processor import PfrStatus
from pos_app.fiscalization import ports
from pos_app.fiscalization.issuing.cancel import cancel
from pos_app.fiscalization.issuing.execute import execute
from pos_app.fiscalization.issuing.results import IssuedReceipts
from pos_app.fiscalization.lane.lane_monitor import LaneMonitor
from pos_app.fiscalization.lane.probe import Probe
from pos_app.fiscalization.lane.sending import Begun, Sending
from pos_app.fiscalization.outcomes.answer_check import Outcome, SentDocument, judge
from pos_app.fiscalization.outcomes.doubt import NoReceiptFound
from pos_app.fiscalization.outcomes.outcome_writer import OutcomeWriter
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from pos_app.fiscalization.service import Caller, FiscalService, IncomingRequest
from tests.fakes.inner_connection import connection_of
from tests.unit.fiscalization.machine_server import Line, Parts, Server

_S = RequestState
_WRONG = ports.StateReason(AnswerClass.WAIT, "mutant", "a mutant said so")
RELEASED = Outcome(_S.RELEASED, _WRONG)


class BlindRetry(Sending):
    async def _ask_signature(self, begun: Begun) -> Outcome:
        verdict = await super()._ask_signature(begun)
        if verdict.state is _S.UNKNOWN:
            return await super()._ask_signature(begun)
        return verdict


class TimeOutIsFailed(Sending):
    async def _ask_signature(self, begun: Begun) -> Outcome:
        verdict = await super()._ask_signature(begun)
        told = verdict.reason is not None and verdict.reason.code == "no_answer"
        return RELEASED if told else verdict


class NotFoundIsAbsent(LaneMonitor):
    async def _look_up(self, request: ports.Request, tick: float) -> None:
        if isinstance(await self._probe.look_up_receipt(request), NoReceiptFound):
            await self._outcomes.save(request, RELEASED, self._journal.lane(request.lane))
        else:
            await super()._look_up(request, tick)


class MarkAfterSend(Sending):
    def _send(self, request_id: str, status: PfrStatus) -> Begun | None:
        request = self._journal.request(request_id)
        assert request is not None
        lane = replace(self._journal.lane(request.lane), counter=status.total_counter)
        sent = SentDocument(request.document, lane.uid, lane.counter)
        return Begun(request, sent, lane, status.clock)

    async def post(self, begun: Begun) -> None:
        verdict = await self._ask_signature(begun)
        now = self._clock.now()
        self._journal.send(begun.request.id, lane=begun.lane, clock=begun.clock, now=now)
        await self._outcomes.save(begun.request, verdict, begun.lane)


class Requeueing(SqliteJournal):
    def recover(self, *, now: datetime) -> None:
        sending = [one for one in self.open_requests() if one.state is _S.SENDING]
        super().recover(now=now)
        for request in sending:
            self.settle(request.id, _S.RELEASED, reason=_WRONG, now=now)


def _send_again(service: FiscalService, request_id: str) -> None:
    """Send the request again, though nobody asked for it."""
    request = service.journal.request(request_id)
    assert request is not None
    command = service.journal.command(request.command_id)
    if command is None or request.state is not _S.RELEASED:
        return
    service.journal.requeue(command, [replace(request, state=_S.QUEUED, reason=None)])
    service.lane.resume(command.id)


def requeue(server: Server) -> None:
    released = "SELECT id FROM requests WHERE state = 'released' AND reason_code = 'mutant'"
    for (request_id,) in connection_of(server.journal.real).execute(released).fetchall():
        _send_again(server.service, str(request_id))


class TellsProofs(OutcomeWriter):
    """The server itself sends once more each request that is released by proof."""

    send_again: Callable[[str], None]

    def conclude(self, request: ports.Request, outcome: Outcome, lane: ports.LaneState) -> None:
        super().conclude(request, outcome, lane)
        if outcome.is_absent:
            asyncio.get_running_loop().call_soon(self.send_again, request.id)


def resend_after_proof(server: Server) -> None:
    assert isinstance(server.outcomes, TellsProofs)
    server.outcomes.send_again = partial(_send_again, server.service)


class NoEchoCheck(Sending):
    async def _ask_signature(self, begun: Begun) -> Outcome:
        rid = begun.request.pfr_request_id
        reply = await self._processor.sign(begun.request.document, pfr_request_id=rid)
        if isinstance(reply, ports.PfrSigned):
            return Outcome(_S.SIGNED, receipt=reply.receipt)
        return judge(reply, begun.sent)


async def issue_for_any_body(
    *, server: Server, caller: Caller, incoming: IncomingRequest
) -> IssuedReceipts:
    service = server.service
    command = service.journal.command_by_key(caller.origin, caller.key or "")
    kept = replace(incoming, body_hash=command.body_hash) if command else incoming
    return await execute(service=service, caller=caller, incoming=kept)


def cancel_anything(*, service: FiscalService, origin: str, key: str, cashier: str) -> RequestState:
    command = service.journal.command_by_key(origin, key)
    if command is None:
        return cancel(service=service, origin=origin, key=key, cashier=cashier)
    request = service.journal.requests_of(command.id)[0]
    now = service.clock.now()
    if request.state in (_S.QUEUED, _S.SENDING, _S.UNKNOWN, _S.NEEDS_HUMAN):
        service.journal.settle(request.id, _S.RELEASED, reason=_WRONG, now=now)
    if request.state is not _S.SIGNED:
        cancel(service=service, origin=origin, key=key, cashier=cashier)
    return _S.CANCELLED


class TellsTheLast(Probe):
    def last_signed(self) -> SignedReceipt:
        assert isinstance(self._processor, Line)
        return self._processor.alive().ledger[-1].receipt


class CounterMovedSoItIsOurs(LaneMonitor):
    async def _look_up(self, request: ports.Request, tick: float) -> None:
        lane = self._journal.lane(request.lane)
        look = await self._probe.look_up_receipt(request)
        if isinstance(look, NoReceiptFound) and look.counter == (request.baseline or 0) + 1:
            assert isinstance(self._probe, TellsTheLast)
            known = self._probe.last_signed()
            self._outcomes.conclude(request, Outcome(_S.SIGNED, receipt=known), lane)
        else:
            await super()._look_up(request, tick)


class RandomRequestIds(SqliteJournal):
    def add_command(self, command: ports.Command, requests: Sequence[ports.Request]) -> None:
        super().add_command(command, [_renamed(request) for request in requests])

    def requeue(self, command: ports.Command, requests: Sequence[ports.Request]) -> None:
        super().requeue(command, [_renamed(request) for request in requests])


def _renamed(request: ports.Request) -> ports.Request:
    return replace(request, pfr_request_id=uuid.uuid4().hex)


class ReleasesAfterTheAnswer(OutcomeWriter):
    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.promised: dict[str, ports.StateReason] = {}
        self._later: set[asyncio.Task[None]] = set()

    async def release(self, request_id: str, reason: ports.StateReason) -> None:
        self.promised[request_id] = reason
        name = f"lane, later: {request_id}"  # it dies with its server
        later = asyncio.create_task(self._release_later(request_id, reason), name=name)
        self._later.add(later)
        later.add_done_callback(self._later.discard)

    async def _release_later(self, request_id: str, reason: ports.StateReason) -> None:
        await asyncio.sleep(0.5)
        await super().release(request_id, reason)


async def issue_by_word(
    *, server: Server, caller: Caller, incoming: IncomingRequest
) -> IssuedReceipts:
    outcomes = server.outcomes
    assert isinstance(outcomes, ReleasesAfterTheAnswer)
    try:
        return await execute(service=server.service, caller=caller, incoming=incoming)
    except OutcomeNotKnown as unknown:
        reason = outcomes.promised.pop(str(unknown.receipt_id), None)
        if reason is None:
            raise
        raise NotSigned(what=reason.words, answer_class=reason.answer_class) from unknown


MUTANTS: dict[str, Parts] = {
    "blind retry": Parts(sending=BlindRetry),
    "time-out = failed": Parts(sending=TimeOutIsFailed),
    "404 = absent": Parts(watch=NotFoundIsAbsent),
    "no quiet period": Parts(quiet_seconds=0.2),
    "mark after send": Parts(sending=MarkAfterSend),
    "restart requeues": Parts(journal=Requeueing, on_start=requeue),
    "server resends after proof": Parts(outcomes=TellsProofs, on_start=resend_after_proof),
    "no echo check": Parts(sending=NoEchoCheck),
    "key not compared": Parts(issue=issue_for_any_body),
    "cancel in any state": Parts(cancel=cancel_anything),
    "counter moved, so it is ours": Parts(probe=TellsTheLast, watch=CounterMovedSoItIsOurs),
    "random RequestId per attempt": Parts(journal=RandomRequestIds),
    "release committed after the answer": Parts(
        outcomes=ReleasesAfterTheAnswer, issue=issue_by_word
    ),
}
