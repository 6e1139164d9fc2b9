"""Monitors a lane: looks doubts up until they end, and checks that the processor answers.

Source: exactly-once.md, "States of a request on the server" and "Proven absent".
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.states import IN_DOUBT, RequestState
from pos_app.domain.setup.processor import PfrStatus
from pos_app.errors import MachineError
from pos_app.fiscalization.lane.lane_queue import LaneQueue, Rank
from pos_app.fiscalization.lane.probe import Probe
from pos_app.fiscalization.outcomes import answer_check
from pos_app.fiscalization.outcomes.doubt import (
    DoubtProgress,
    DoubtRule,
    FoundReceipt,
    Look,
    assess,
)
from pos_app.fiscalization.outcomes.outcome_writer import (
    PERHAPS_SIGNED_BEFORE,
    OutcomeWriter,
    stopped,
)
from pos_app.fiscalization.ports import LaneJournal, LaneState, Request

IDLE_TICK_SECONDS = 5.0
AWAY_TICK_SECONDS = 1.0
ASK_WITHIN_SECONDS = 10.0
"""The seconds for which one tick may ask for receipts that may exist; the next tick continues where
it stopped. A sale that waits for the tick can still be sent in time
(`execute.START_WITHIN_SECONDS`)."""
ASKED_AGAIN_WITHIN_SECONDS = 30.0
"""The longest time between two calls of `prove_absent` for one request. A later call begins the
proof anew."""

_log = log.get(__name__)


class LaneMonitor:
    """name: returns the lane's name, or None while the connected processor belongs to another lane.
    queue: the queue of the connected processor."""

    def __init__(
        self,
        *,
        name: Callable[[], str | None],
        journal: LaneJournal,
        clock: Clock,
        rule: DoubtRule,
        probe: Probe,
        outcomes: OutcomeWriter,
        queue: LaneQueue,
    ) -> None:
        self._name = name
        self._journal = journal
        self._clock = clock
        self._rule = rule
        self._probe = probe
        self._outcomes = outcomes
        self._queue = queue
        self._doubt: tuple[Request, DoubtProgress] | None = None
        self._proving: dict[str, DoubtProgress] = {}

    @property
    def status(self) -> PfrStatus | None:
        return self._probe.status

    async def run(self) -> None:
        while True:
            try:
                async with self._queue.turn(Rank.USUAL):
                    if not await self.look_up_doubt():
                        until_seconds = self._clock.seconds() + ASK_WITHIN_SECONDS
                        await self._probe.refresh(until_seconds=until_seconds)
            except MachineError as error:
                _log.error("the lane can't be monitored now: %s", error.what)
            await self._pause(self._tick())

    async def look_up_doubt(self) -> bool:
        """Look up the lane's doubt once; return False if there is none. Raises MachineError."""
        tick = self._tick()
        name = self._name()
        request = None if name is None else self._journal.in_lane(name)
        if request is None:
            self._doubt = None  # a person may have ended it
            return False
        await self._look_up(request, tick)
        return True

    def _tick(self) -> float:
        if self._doubt is not None:
            return min(1.0, self._rule.quiet_seconds / 4)
        return AWAY_TICK_SECONDS if self._probe.away is not None else IDLE_TICK_SECONDS

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._outcomes.doubted.wait()
        except TimeoutError:
            return
        finally:
            self._outcomes.doubted.clear()

    async def _look_up(self, request: Request, tick: float) -> None:
        lane = self._journal.lane(request.lane)
        if request.state is RequestState.SENDING:
            # nothing is in flight now: the request was sent, but its outcome could not be stored
            await self._outcomes.save(request, stopped(), lane)
            return
        looked = await self._looked(request, self._doubt_of(request, lane), self._rule, tick)
        if looked is None:
            return
        look, doubt, outcome = looked
        self._doubt = (request, doubt)
        if outcome is not None and outcome.is_absent and self._is_unprovable(request):
            outcome = answer_check.Outcome(RequestState.NEEDS_HUMAN, PERHAPS_SIGNED_BEFORE)
        if outcome is not None:
            self._doubt = None
            _log.info("a doubt ended: %s", outcome.state)
            if outcome.receipt is None and isinstance(look, FoundReceipt):
                # the found receipt was signed under our RequestId, so it counts
                lane = answer_check.counted_on(lane, look.receipt)
            await self._outcomes.save(request, outcome, lane)

    def _is_unprovable(self, request: Request) -> bool:
        """Whether the processor's "not found" proves nothing for the request.

        This holds for a request from before a restore that was sent to a processor without a
        counter. Other receipts may have followed its receipt, and such a processor surely finds
        only its last one.
        """
        return request.baseline is None and self._journal.restores.is_from_before(request.id)

    def _doubt_of(self, request: Request, lane: LaneState) -> DoubtProgress:
        if self._doubt is not None and self._doubt[0] == request:
            return self._doubt[1]
        return self._new_doubt(request, lane)

    def _new_doubt(self, request: Request, lane: LaneState) -> DoubtProgress:
        sent = answer_check.sent_before(request, lane)
        return DoubtProgress(sent, last_tick=self._clock.seconds(), wall=self._clock.now())

    async def _looked(
        self, request: Request, doubt: DoubtProgress, rule: DoubtRule, tick: float
    ) -> tuple[Look, DoubtProgress, answer_check.Outcome | None] | None:
        """Look the receipt up once, and judge the result. Return None if the request changed
        meanwhile, for example because a person decided. tick: the longest time until the next
        look-up, in seconds."""
        began = self._clock.seconds()
        look = await self._probe.look_up_receipt(request)
        if self._journal.request(request.id) != request:
            return None
        now, wall = self._clock.seconds(), self._clock.now()
        assessed = assess(doubt, look, rule, began_seconds=began, now=now, wall=wall, tick=tick)
        return look, *assessed

    # --- on demand ------------------------------------------------------------------------------

    async def prove_absent(self, request_id: str) -> None:
        """Look once more for the receipt of a request that was reported after a restore. The caller
        repeats this until the proof ends: the request is signed when its receipt is found, and
        released when none was found for the quiet time."""
        request = self._journal.request(request_id)
        if request is None or not _waits_for_proof(request):
            self._proving.pop(request_id, None)
            return
        lane, rule = self._journal.lane(request.lane), replace(self._rule, used_here_alone=True)
        doubt = self._proving.get(request_id) or self._new_doubt(request, lane)
        looked = await self._looked(request, doubt, rule, ASKED_AGAIN_WITHIN_SECONDS)
        if looked is None:
            return
        look, doubt, outcome = looked
        if isinstance(look, FoundReceipt):
            self._sign_found(request, look)
            return
        self._proving[request_id] = doubt
        if outcome is not None and outcome.is_absent:
            del self._proving[request_id]
            await self._outcomes.save(request, outcome, self._journal.lane(request.lane))

    async def look_again(self, request_id: str) -> SignedReceipt | None:
        """Look up a doubt once, out of turn. Sign the request with the receipt that was found and
        return the receipt; return None if none was found that fits."""
        request = self._journal.request(request_id)
        if request is None or request.state not in IN_DOUBT:
            return None
        look = await self._probe.look_up_receipt(request)
        if not isinstance(look, FoundReceipt) or self._journal.request(request_id) != request:
            return None
        return self._sign_found(request, look)

    def _sign_found(self, request: Request, look: FoundReceipt) -> SignedReceipt | None:
        """Sign a request with the found receipt, or return None if the receipt does not fit."""
        sent = answer_check.sent_before(request, self._journal.lane(request.lane)).found_at(
            look.clock
        )
        if answer_check.echo_fault(look.receipt, sent) is not None:
            return None
        outcome = answer_check.Outcome(RequestState.SIGNED, receipt=look.receipt)
        receipt = self._outcomes.checked(request, outcome).receipt
        if receipt is not None:
            self._outcomes.sign_out_of_turn(request, receipt)
        return receipt


def _waits_for_proof(request: Request) -> bool:
    return request.state is RequestState.NEEDS_HUMAN and request.reason == PERHAPS_SIGNED_BEFORE
