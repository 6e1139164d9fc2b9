"""Further wrong servers: thought of, or bugs of ours, while the machine was built."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from pos_app.adapters.sqlite.journal import SqliteJournal
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import RequestState
from pos_app.fiscalization.doubt import Doubt, Found, Missing
from pos_app.fiscalization.evidence import (
    Sent,
    Verdict,
    counter_stood_still,
    is_unlisted_refusal,
    judge,
)
from pos_app.fiscalization.lane import Lane
from pos_app.fiscalization.ports import (
    Absent,
    LaneFacts,
    Reason,
    Refused,
    Request,
)
from pos_app.fiscalization.probe import Probe
from tests.unit.fiscalization.machine_server import Parts

_S = RequestState


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

        def found_late(absent: Absent, receipt: SignedReceipt, lane: LaneFacts) -> int:
            request = self._journal.request(absent.request_id)
            assert request is not None
            if request.state is not _S.QUEUED:
                return Probe._found_late(probe, absent, receipt, lane)
            self._journal.note(
                "alarm_late_receipt", request_id=request.id, now=self._clock.now(), words="late"
            )
            return 1

        probe._found_late = found_late


class ForgetsGaps(SqliteJournal):
    """A counter that jumped over a receipt while ours was signed is taken as it is."""

    def sign(
        self, request_id: str, receipt: SignedReceipt, *, lane: LaneFacts, now: datetime
    ) -> None:
        lane = replace(lane, counter=receipt.total_counter)
        super().sign(request_id, receipt, lane=lane, now=now)


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
    "a gap in the counter is forgotten": Parts(journal=ForgetsGaps),
}
