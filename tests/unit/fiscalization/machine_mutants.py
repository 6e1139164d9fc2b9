"""The servers that exactly-once.md lists, wrong in one place each: the machine must find them."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pos_app.adapters.sqlite.journal import SqliteJournal
from pos_app.domain.processor import PfrStatus
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.fiscalization.answer import Issued
from pos_app.fiscalization.cancel import cancel
from pos_app.fiscalization.carry_out import carry_out
from pos_app.fiscalization.counter import Caller, Counter, Received
from pos_app.fiscalization.doubt import Missing
from pos_app.fiscalization.evidence import (
    Sent,
    Verdict,
    judge,
)
from pos_app.fiscalization.lane import Lane
from pos_app.fiscalization.lane_facts import LaneFacts
from pos_app.fiscalization.outcome import Outcomes
from pos_app.fiscalization.ports import (
    Command,
    Reason,
    Request,
    Signed,
)
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from pos_app.fiscalization.sending import Begun, Sending
from pos_app.fiscalization.watch import Watch
from tests.unit.fiscalization.machine_server import Parts

_S = RequestState
_WRONG = Reason(AnswerClass.WAIT, "mutant", "a mutant said so")
RELEASED = Verdict(_S.RELEASED, _WRONG)


class BlindRetry(Sending):
    async def _ask_signature(self, begun: Begun) -> Verdict:
        verdict = await super()._ask_signature(begun)
        if verdict.state is _S.UNKNOWN:
            return await super()._ask_signature(begun)
        return verdict


class TimeOutIsFailed(Sending):
    async def _ask_signature(self, begun: Begun) -> Verdict:
        verdict = await super()._ask_signature(begun)
        told = verdict.reason is not None and verdict.reason.code == "no_answer"
        return RELEASED if told else verdict


class NotFoundIsAbsent(Watch):
    async def _look_up(self, request: Request, tick: float) -> None:
        if isinstance(await self._probe.look(request), Missing):
            await self._outcomes.keep(request, RELEASED, self._journal.lane(request.lane))
        else:
            await super()._look_up(request, tick)


class MarkAfterSend(Sending):
    def _send(self, request_id: str, status: PfrStatus) -> Begun | None:
        request = self._journal.request(request_id)
        assert request is not None
        lane = replace(self._journal.lane(request.lane), counter=status.total_counter)
        sent = Sent(request.document, lane.uid, lane.counter)
        return Begun(request, sent, lane, status.clock)

    async def post(self, begun: Begun) -> None:
        verdict = await self._ask_signature(begun)
        now = self._clock.now()
        self._journal.send(begun.request.id, lane=begun.lane, clock=begun.clock, now=now)
        await self._outcomes.keep(begun.request, verdict, begun.lane)


class Requeueing(SqliteJournal):
    def recover(self, *, now: datetime) -> None:
        sending = [one for one in self.open_requests() if one.state is _S.SENDING]
        super().recover(now=now)
        for request in sending:
            self.settle(request.id, _S.RELEASED, reason=_WRONG, now=now)


def _send_again(lane: Lane, request_id: str) -> None:
    """Without anybody who asked for it."""
    request = lane._journal.request(request_id)
    assert request is not None
    command = lane._journal.command(request.command_id)
    if command is None or request.state is not _S.RELEASED:
        return

    async def waits() -> bool:
        return True

    lane._journal.begin_again(command, [replace(request, state=_S.QUEUED, reason=None)])
    lane._start(command.id, lane._clock.seconds() + 18.0, waits)


def requeue(counter: Counter) -> None:
    rows = counter.journal._connection.execute(
        "SELECT id FROM requests WHERE state = 'released' AND reason_code = 'mutant'"
    ).fetchall()
    for (request_id,) in rows:
        _send_again(counter.lane, request_id)


def resend_after_proof(counter: Counter) -> None:
    """Whatever is released by proof from now on is sent once more by the server itself."""
    outcomes, lane = counter.lane._outcomes, counter.lane
    conclude = outcomes.conclude

    def and_send_again(request: Request, verdict: Verdict, facts: LaneFacts) -> None:
        conclude(request, verdict, facts)
        if verdict.is_absent:
            asyncio.get_running_loop().call_soon(_send_again, lane, request.id)

    outcomes.conclude = and_send_again


class NoEchoCheck(Sending):
    async def _ask_signature(self, begun: Begun) -> Verdict:
        rid = begun.request.pfr_request_id
        reply = await self._processor.sign(begun.request.document, pfr_request_id=rid)
        if isinstance(reply, Signed):
            return Verdict(_S.SIGNED, receipt=reply.receipt)
        return judge(reply, begun.sent)


async def issue_for_any_body(*, counter: Counter, caller: Caller, received: Received) -> Issued:
    command = counter.journal.command_by_key(caller.origin, caller.key or "")
    kept = replace(received, body_hash=command.body_hash) if command else received
    return await carry_out(counter=counter, caller=caller, received=kept)


def cancel_anything(*, counter: Counter, origin: str, key: str, cashier: str) -> RequestState:
    command = counter.journal.command_by_key(origin, key)
    if command is None:
        return cancel(counter=counter, origin=origin, key=key, cashier=cashier)
    request = counter.journal.requests_of(command.id)[0]
    now = counter.clock.now()
    if request.state in (_S.QUEUED, _S.SENDING, _S.UNKNOWN, _S.NEEDS_HUMAN):
        counter.journal.settle(request.id, _S.RELEASED, reason=_WRONG, now=now)
    if request.state is not _S.SIGNED:
        cancel(counter=counter, origin=origin, key=key, cashier=cashier)
    return _S.CANCELLED


class CounterMovedSoItIsOurs(Watch):
    async def _look_up(self, request: Request, tick: float) -> None:
        lane = self._journal.lane(request.lane)
        look = await self._probe.look(request)
        if isinstance(look, Missing) and look.counter == (request.baseline or 0) + 1:
            known = self._probe._processor._alive().ledger[-1].receipt
            self._outcomes.conclude(request, Verdict(_S.SIGNED, receipt=known), lane)
        else:
            await super()._look_up(request, tick)


class RandomRequestIds(SqliteJournal):
    def accept(self, command: Command, requests: Sequence[Request]) -> None:
        super().accept(command, [_renamed(request) for request in requests])

    def begin_again(self, command: Command, requests: Sequence[Request]) -> None:
        super().begin_again(command, [_renamed(request) for request in requests])


def _renamed(request: Request) -> Request:
    return replace(request, pfr_request_id=uuid.uuid4().hex)


class ReleasesAfterTheAnswer(Outcomes):
    promised: dict[str, Reason]
    in_flight: set[asyncio.Task[None]]

    async def release(self, request_id: str, reason: Reason) -> None:
        self.promised[request_id] = reason
        later = asyncio.create_task(self._release_later(request_id, reason))
        self.in_flight.add(later)
        later.add_done_callback(self.in_flight.discard)

    async def _release_later(self, request_id: str, reason: Reason) -> None:
        await asyncio.sleep(0.5)
        await super().release(request_id, reason)


def promise(counter: Counter) -> None:
    outcomes = counter.lane._outcomes
    outcomes.promised, outcomes.in_flight = {}, counter.lane._in_flight


async def issue_by_word(*, counter: Counter, caller: Caller, received: Received) -> Issued:
    outcomes = counter.lane._outcomes
    assert isinstance(outcomes, ReleasesAfterTheAnswer)
    try:
        return await carry_out(counter=counter, caller=caller, received=received)
    except OutcomeNotKnown as unknown:
        reason = outcomes.promised.pop(unknown.receipt_id, None)
        if reason is None:
            raise
        raise NotSigned(reason.words, answer_class=reason.answer_class) from unknown


MUTANTS: dict[str, Parts] = {
    "blind retry": Parts(sending=BlindRetry),
    "time-out = failed": Parts(sending=TimeOutIsFailed),
    "404 = absent": Parts(watch=NotFoundIsAbsent),
    "no quiet period": Parts(quiet_seconds=0.2),
    "mark after send": Parts(sending=MarkAfterSend),
    "restart requeues": Parts(journal=Requeueing, on_start=requeue),
    "server resends after proof": Parts(on_start=resend_after_proof),
    "no echo check": Parts(sending=NoEchoCheck),
    "key not compared": Parts(issue=issue_for_any_body),
    "cancel in any state": Parts(cancel=cancel_anything),
    "counter moved, so it is ours": Parts(watch=CounterMovedSoItIsOurs),
    "random RequestId per attempt": Parts(journal=RandomRequestIds),
    "release committed after the answer": Parts(
        outcomes=ReleasesAfterTheAnswer, on_start=promise, issue=issue_by_word
    ),
}
