"""Servers that are wrong in one place each: the machine must tell every one from the real one.

The first thirteen are those that exactly-once.md lists; the others were thought of, or were
bugs of ours, while the machine was built.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pos_app.adapters.sqlite.journal import SqliteJournal
from pos_app.domain.processor import PfrStatus
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.fiscalization.doubt import Doubt, Found, Missing
from pos_app.fiscalization.evidence import (
    Sent,
    Verdict,
    counter_stood_still,
    is_unlisted_refusal,
    judge,
)
from pos_app.fiscalization.issue import Caller, Counter, Issued, Received, issue_receipt
from pos_app.fiscalization.lane import Lane, _Begun
from pos_app.fiscalization.lookup import cancel
from pos_app.fiscalization.ports import (
    Command,
    LaneFacts,
    Reason,
    Refused,
    Request,
    Signed,
)
from pos_app.fiscalization.probe import Probe
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


# --- our own ------------------------------------------------------------------------------------


class KeepsADoubtTooLong(Lane):
    """The doubt about an earlier attempt of the same key goes on in the next one."""

    def _doubt_of(self, request: Request, lane: LaneFacts) -> Doubt:
        if self._doubt is not None and self._doubt[0].id == request.id:
            return self._doubt[1]
        return super()._doubt_of(request, lane)


class SleepsThroughTheQuietTime(Lane):
    """A tick that came late is taken for quiet time."""

    async def _look_up(self, request: Request, tick: float) -> None:
        await super()._look_up(request, tick + 3600.0)


class NoCounterIsNoMove(Lane):
    """A status without a counter (card out) counts as "the counter did not move"."""

    async def _look_up(self, request: Request, tick: float) -> None:
        ask = self._probe.look

        async def look(of: Request) -> Any:
            found = await ask(of)
            told = isinstance(found, Missing) and found.counter is None
            return replace(found, counter=of.baseline) if told else found

        self._probe.look = look
        try:
            await super()._look_up(request, tick)
        finally:
            self._probe.look = ask


class OverrulesAPerson(Lane):
    """A look-up that was under way while a person decided is acted upon."""

    async def _look_up(self, request: Request, tick: float) -> None:
        look = await self._probe.look(request)
        if isinstance(look, Found):
            verdict = Verdict(_S.SIGNED, receipt=look.receipt)
            await self._keep(request, verdict, self._journal.lane(self.name))
        else:
            await super()._look_up(request, tick)


class ReleasesOnce(Lane):
    """A release that the disk refused is forgotten."""

    async def _release(self, request_id: str, reason: Reason) -> None:
        now = self._clock.now()
        self._journal.settle(request_id, _S.RELEASED, reason=reason, now=now)
        self.changes.tell(request_id)


class AnyElementStoodStill(Lane):
    """After an unlisted refusal the counter is compared, whosever it is."""

    async def _ask_signature(self, request: Request, sent: Sent) -> Verdict:
        verdict = await super()._ask_signature(request, sent)
        unlisted = verdict.state is _S.UNKNOWN and is_unlisted_refusal(verdict)
        still = self.status is not None and self.status.total_counter == sent.counter
        return counter_stood_still(verdict) if unlisted and still else verdict


class BelievesEveryCode(Lane):
    """An unlisted refusal is taken for "surely not signed" without asking the counter."""

    async def _ask_signature(self, request: Request, sent: Sent) -> Verdict:
        reply = await self._processor.sign(request.document, pfr_request_id=request.pfr_request_id)
        verdict = judge(reply, sent)
        refused = isinstance(reply, Refused) and verdict.state is _S.UNKNOWN
        return counter_stood_still(verdict) if refused else verdict


class LooksUpWithoutEcho(Lane):
    """What a look-up finds is taken without comparing it."""

    async def _look_up(self, request: Request, tick: float) -> None:
        lane = self._journal.lane(self.name)
        look = await self._probe.look(request)
        if self._journal.request(request.id) == request and isinstance(look, Found):
            await self._keep(request, Verdict(_S.SIGNED, receipt=look.receipt), lane)
        else:
            await super()._look_up(request, tick)


class SendsWhatIsFound(Lane):
    """A receipt that was found late is told of, and sent once more all the same."""

    def __init__(self, **parts: Any) -> None:
        super().__init__(**parts)
        probe = self._probe

        def found_late(request_id: str, receipt: SignedReceipt, lane: LaneFacts) -> int:
            request = self._journal.request(request_id)
            assert request is not None
            if request.state is not _S.QUEUED:
                return Probe._found_late(probe, request_id, receipt, lane)
            self._journal.note(
                "alarm_late_receipt", request_id=request_id, now=self._clock.now(), words="late"
            )
            return 1

        probe._found_late = found_late


class ForgetsGaps(Lane):
    """A counter that jumped over a receipt while ours was signed is taken as it is."""

    def _conclude(self, request: Request, verdict: Verdict, lane: LaneFacts) -> None:
        super()._conclude(request, verdict, lane)
        if verdict.receipt is not None:
            now = self._journal.lane(self.name)
            self._journal.keep_lane(replace(now, counter=verdict.receipt.total_counter))


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
OUR_OWN: dict[str, Parts] = {
    "a doubt outlives its attempt": Parts(lane=KeepsADoubtTooLong),
    "a late tick counts as quiet": Parts(lane=SleepsThroughTheQuietTime),
    "no counter = it did not move": Parts(lane=NoCounterIsNoMove),
    "a look-up overrules a person": Parts(lane=OverrulesAPerson),
    "a refused release is forgotten": Parts(lane=ReleasesOnce),
    "any element stood still": Parts(lane=AnyElementStoodStill),
    "every code is believed": Parts(lane=BelievesEveryCode),
    "no echo check of a look-up": Parts(lane=LooksUpWithoutEcho),
}
BEYOND_W: dict[str, Parts] = {
    "what is found late is sent again": Parts(lane=SendsWhatIsFound),
    "a gap in the counter is forgotten": Parts(lane=ForgetsGaps),
}
