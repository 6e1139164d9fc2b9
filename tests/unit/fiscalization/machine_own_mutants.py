"""Further wrong servers: faults that we imagined or made while the machine was built."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from pos_app.adapters.sqlite.journal.findings import SqliteFindings
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.states import RequestState
from pos_app.domain.setup.processor import PfrStatus
from pos_app.fiscalization import ports
from pos_app.fiscalization.lane.lane_monitor import LaneMonitor
from pos_app.fiscalization.lane.probe import Probe
from pos_app.fiscalization.lane.sending import Begun, Sending
from pos_app.fiscalization.outcomes import answer_check
from pos_app.fiscalization.outcomes.doubt import DoubtProgress, FoundReceipt
from pos_app.fiscalization.outcomes.outcome_writer import OutcomeWriter
from pos_app.fiscalization.outcomes.unknown_receipts import UnknownReceipts
from tests.unit.fiscalization.machine_server import Parts

_S = RequestState


class KeepsADoubtTooLong(LaneMonitor):
    """The doubt about an earlier attempt of the same key goes on in the next one."""

    def _doubt_of(self, request: ports.Request, lane: ports.LaneState) -> DoubtProgress:
        if self._doubt is not None and self._doubt[0].id == request.id:
            return self._doubt[1]
        return super()._doubt_of(request, lane)


class SleepsThroughTheQuietTime(LaneMonitor):
    """A tick that came late is taken for quiet time."""

    async def _look_up(self, request: ports.Request, tick: float) -> None:
        await super()._look_up(request, tick + 3600.0)


class OverrulesAPerson(LaneMonitor):
    """A look-up that was under way while a person decided is acted upon."""

    async def _look_up(self, request: ports.Request, tick: float) -> None:
        look = await self._probe.look_up_receipt(request)
        if isinstance(look, FoundReceipt):
            verdict = answer_check.Outcome(_S.SIGNED, receipt=look.receipt)
            await self._outcomes.save(request, verdict, self._journal.lane(request.lane))
        else:
            await super()._look_up(request, tick)


class ReleasesOnce(OutcomeWriter):
    """A release that the disk refused is forgotten."""

    async def release(self, request_id: str, reason: ports.StateReason) -> None:
        now = self._clock.now()
        self._journal.settle(request_id, _S.RELEASED, reason=reason, now=now)
        self._changes.announce(request_id)


class AnyElementStoodStill(Sending):
    """After an unlisted refusal the counter is compared, even if it is another element's."""

    async def _ask_signature(self, begun: Begun) -> answer_check.Outcome:
        verdict = await super()._ask_signature(begun)
        unlisted = verdict.state is _S.UNKNOWN and answer_check.is_unlisted_refusal(verdict)
        status = self._probe.status
        still = status is not None and status.total_counter == begun.sent.counter
        return answer_check.counter_stood_still(verdict) if unlisted and still else verdict


class BelievesEveryCode(Sending):
    """An unlisted refusal is taken for "surely not signed" without asking the counter."""

    async def _ask_signature(self, begun: Begun) -> answer_check.Outcome:
        rid = begun.request.pfr_request_id
        reply = await self._processor.sign(begun.request.document, pfr_request_id=rid)
        verdict = answer_check.judge(reply, begun.sent)
        refused = isinstance(reply, ports.PfrRefused) and verdict.state is _S.UNKNOWN
        return answer_check.counter_stood_still(verdict) if refused else verdict


class LooksUpWithoutEcho(LaneMonitor):
    """A look-up's receipt is taken without comparing it."""

    async def _look_up(self, request: ports.Request, tick: float) -> None:
        lane = self._journal.lane(request.lane)
        look = await self._probe.look_up_receipt(request)
        if self._journal.request(request.id) == request and isinstance(look, FoundReceipt):
            await self._outcomes.save(
                request, answer_check.Outcome(_S.SIGNED, receipt=look.receipt), lane
            )
        else:
            await super()._look_up(request, tick)


class SendsUnprobed(Probe):
    """A processor that can't report its state is no reason not to send."""

    async def may_send(
        self, request_id: str, *, until_seconds: float
    ) -> PfrStatus | ports.StateReason:
        reason = await super().may_send(request_id, until_seconds=until_seconds)
        told = isinstance(reason, ports.StateReason) and reason.code in ("no_element", "no_counter")
        assert not told or self.status is not None
        return self.status if told and self.status is not None else reason


class AlarmsAlone(SqliteFindings):
    """An alarm is kept, but not the counter that it reports."""

    def _keep_lane(self, lane: ports.LaneState) -> None:
        """The lane is kept with the next receipt that is sent."""


class KeepsAlarmsAlone(SqliteJournal):
    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.findings = AlarmsAlone(self._connection)


class BelievesAPerson(SqliteJournal):
    """A receipt that a person says does not exist is never looked up again."""

    def settle(
        self, request_id: str, state: RequestState, *, reason: ports.StateReason, **more: Any
    ) -> None:
        if reason.code == "declared_absent":
            more["taken_as_absent"] = False
        super().settle(request_id, state, reason=reason, **more)


class SendsWhatIsFound(UnknownReceipts):
    """A receipt that was found late is reported, and sent once more all the same."""

    async def _found_late(
        self,
        absent: ports.ReleasedAttempt,
        receipt: SignedReceipt,
        known: ports.LaneState,
        status: PfrStatus,
    ) -> ports.LaneState:
        request = self._journal.request(absent.request_id)
        assert request is not None
        if request.state is not _S.QUEUED:
            return await super()._found_late(absent, receipt, known, status)
        now = self._clock.now()
        assert isinstance(self._journal, SqliteJournal)
        self._journal.note("alarm_late_receipt", request_id=request.id, now=now, words="late")
        return known


class ForgetsGaps(SqliteJournal):
    """A counter that skipped a number while ours was signed is accepted as it is."""

    def sign(
        self, request_id: str, receipt: SignedReceipt, *, lane: ports.LaneState, **more: Any
    ) -> None:
        lane = replace(lane, counter=receipt.total_counter)
        super().sign(request_id, receipt, lane=lane, **more)


OUR_OWN: dict[str, Parts] = {
    "a doubt outlives its attempt": Parts(watch=KeepsADoubtTooLong),
    "a late tick counts as quiet": Parts(watch=SleepsThroughTheQuietTime),
    "a look-up overrules a person": Parts(watch=OverrulesAPerson),
    "a refused release is forgotten": Parts(outcomes=ReleasesOnce),
    "any element stood still": Parts(sending=AnyElementStoodStill),
    "every code is believed": Parts(sending=BelievesEveryCode),
    "no echo check of a look-up": Parts(watch=LooksUpWithoutEcho),
    "no status is no reason": Parts(probe=SendsUnprobed),
    "an alarm without its counter": Parts(journal=KeepsAlarmsAlone),
}
BEYOND_W: dict[str, Parts] = {
    "what is found late is sent again": Parts(late=SendsWhatIsFound),
    "a person is never wrong": Parts(journal=BelievesAPerson),
    "a gap in the counter is forgotten": Parts(journal=ForgetsGaps),
}
