"""The servers that exactly-once.md lists, wrong in one place each: the machine must find them."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pos_app.adapters.sqlite.journal import SqliteJournal
from pos_app.domain.processor import PfrStatus
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.fiscalization.doubt import Missing
from pos_app.fiscalization.evidence import (
    Sent,
    Verdict,
    judge,
)
from pos_app.fiscalization.issue import Caller, Counter, Issued, Received, issue_receipt
from pos_app.fiscalization.lane import Lane, _Begun
from pos_app.fiscalization.lookup import cancel
from pos_app.fiscalization.ports import (
    Command,
    LaneFacts,
    Reason,
    Request,
    Signed,
)
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from tests.unit.fiscalization.machine_server import Parts

_S = RequestState
_WRONG = Reason(AnswerClass.WAIT, "mutant", "a mutant said so")
RELEASED = Verdict(_S.RELEASED, _WRONG)


class BlindRetry(Lane):
    async def _ask_signature(self, request: Request, sent: Sent) -> Verdict:
        verdict = await super()._ask_signature(request, sent)
        if verdict.state is _S.UNKNOWN:
            return await super()._ask_signature(request, sent)
        return verdict


class TimeOutIsFailed(Lane):
    async def _ask_signature(self, request: Request, sent: Sent) -> Verdict:
        verdict = await super()._ask_signature(request, sent)
        told = verdict.reason is not None and verdict.reason.code == "no_answer"
        return RELEASED if told else verdict


class NotFoundIsAbsent(Lane):
    async def _look_up(self, request: Request, tick: float) -> None:
        if isinstance(await self._probe.look(request), Missing):
            await self._keep(request, RELEASED, self._journal.lane(self.name))
        else:
            await super()._look_up(request, tick)


class MarkAfterSend(Lane):
    def _send(self, request_id: str, status: PfrStatus) -> _Begun | None:
        request = self._journal.request(request_id)
        assert request is not None
        lane = replace(self._journal.lane(self.name), counter=status.total_counter)
        return _Begun(request, Sent(request.document, lane.uid, lane.counter), lane)

    async def _post(self, begun: _Begun) -> None:
        verdict = await self._ask_signature(begun.request, begun.sent)
        self._journal.send(begun.request.id, lane=begun.lane, now=self._clock.now())
        await self._keep(begun.request, verdict, begun.lane)


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

    lane._journal.begin_again(command, [request])
    work = asyncio.create_task(lane._take(request.id, lane._clock.seconds() + 18.0, waits))
    lane._in_flight.add(work)
    work.add_done_callback(lane._landed)


def requeue(counter: Counter) -> None:
    rows = counter.journal._connection.execute(
        "SELECT id FROM requests WHERE state = 'released' AND reason_code = 'mutant'"
    ).fetchall()
    for (request_id,) in rows:
        _send_again(counter.lane, request_id)


class ResendsAfterProof(Lane):
    def _conclude(self, request: Request, verdict: Verdict, lane: LaneFacts) -> None:
        super()._conclude(request, verdict, lane)
        if verdict.reason is not None and verdict.reason.code == "proven_absent":
            asyncio.get_running_loop().call_soon(_send_again, self, request.id)


class NoEchoCheck(Lane):
    async def _ask_signature(self, request: Request, sent: Sent) -> Verdict:
        reply = await self._processor.sign(request.document, pfr_request_id=request.pfr_request_id)
        if isinstance(reply, Signed):
            return Verdict(_S.SIGNED, receipt=reply.receipt)
        return judge(reply, sent)


async def issue_for_any_body(*, counter: Counter, caller: Caller, received: Received) -> Issued:
    command = counter.journal.command_by_key(caller.origin, caller.key or "")
    kept = replace(received, body_hash=command.body_hash) if command else received
    return await issue_receipt(counter=counter, caller=caller, received=kept)


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


class CounterMovedSoItIsOurs(Lane):
    async def _look_up(self, request: Request, tick: float) -> None:
        lane = self._journal.lane(self.name)
        look = await self._probe.look(request)
        if isinstance(look, Missing) and look.counter == (request.baseline or 0) + 1:
            known = self._processor._alive().ledger[-1].receipt
            self._conclude(request, Verdict(_S.SIGNED, receipt=known), lane)
        else:
            await super()._look_up(request, tick)


class RandomRequestIds(SqliteJournal):
    def accept(self, command: Command, requests: Sequence[Request]) -> None:
        super().accept(command, [_renamed(request) for request in requests])

    def begin_again(self, command: Command, requests: Sequence[Request]) -> None:
        super().begin_again(command, [_renamed(request) for request in requests])


def _renamed(request: Request) -> Request:
    return replace(request, pfr_request_id=uuid.uuid4().hex)


class ReleasesAfterTheAnswer(Lane):
    def __init__(self, **parts: Any) -> None:
        super().__init__(**parts)
        self.promised: dict[str, Reason] = {}

    async def _release(self, request_id: str, reason: Reason) -> None:
        self.promised[request_id] = reason
        later = asyncio.create_task(self._release_later(request_id, reason))
        self._in_flight.add(later)
        later.add_done_callback(self._landed)

    async def _release_later(self, request_id: str, reason: Reason) -> None:
        await asyncio.sleep(0.5)
        await super()._release(request_id, reason)


async def issue_by_word(*, counter: Counter, caller: Caller, received: Received) -> Issued:
    assert isinstance(counter.lane, ReleasesAfterTheAnswer)
    try:
        return await issue_receipt(counter=counter, caller=caller, received=received)
    except OutcomeNotKnown as unknown:
        reason = counter.lane.promised.pop(unknown.receipt_id, None)
        if reason is None:
            raise
        raise NotSigned(reason.words, answer_class=reason.answer_class) from unknown


MUTANTS: dict[str, Parts] = {
    "blind retry": Parts(lane=BlindRetry),
    "time-out = failed": Parts(lane=TimeOutIsFailed),
    "404 = absent": Parts(lane=NotFoundIsAbsent),
    "no quiet period": Parts(quiet_seconds=0.2),
    "mark after send": Parts(lane=MarkAfterSend),
    "restart requeues": Parts(journal=Requeueing, on_start=requeue),
    "server resends after proof": Parts(lane=ResendsAfterProof),
    "no echo check": Parts(lane=NoEchoCheck),
    "key not compared": Parts(issue=issue_for_any_body),
    "cancel in any state": Parts(cancel=cancel_anything),
    "counter moved, so it is ours": Parts(lane=CounterMovedSoItIsOurs),
    "random RequestId per attempt": Parts(journal=RandomRequestIds),
    "release committed after the answer": Parts(lane=ReleasesAfterTheAnswer, issue=issue_by_word),
}
