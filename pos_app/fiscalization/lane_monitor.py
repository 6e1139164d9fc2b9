"""Watching a lane: doubts are looked up until they end, and the processor is known to be there.

Source: exactly-once.md, "States of a request on the server" and "Proven absent".
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.processor import PfrStatus
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import IN_DOUBT, RequestState
from pos_app.errors import MachineError
from pos_app.fiscalization.answer_check import Outcome, counted_on, echo_fault, sent_before
from pos_app.fiscalization.doubt import DoubtProgress, DoubtRule, FoundReceipt, weigh
from pos_app.fiscalization.lane_queue import LaneQueue, Rank
from pos_app.fiscalization.lane_state import LaneState
from pos_app.fiscalization.outcome_writer import PERHAPS_SIGNED_BEFORE, OutcomeWriter, stopped
from pos_app.fiscalization.ports import Journal, Request
from pos_app.fiscalization.probe import Probe

IDLE_TICK_SECONDS = 5.0
AWAY_TICK_SECONDS = 1.0
ASK_WITHIN_SECONDS = 10.0
"""How long one tick may ask for receipts that may exist; the next goes on where it stopped. A sale
that came meanwhile has time left after it (`START_WITHIN_SECONDS`)."""

_log = log.get(__name__)


class LaneMonitor:
    """Looks after one lane between its receipts.

    name: tells the lane; None while it is another processor's. queue: who talks to this one.
    """

    def __init__(
        self,
        *,
        name: Callable[[], str | None],
        journal: Journal,
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

    @property
    def status(self) -> PfrStatus | None:
        """What its processor told of itself last."""
        return self._probe.status

    async def run(self) -> None:
        """For ever: look doubts up, and know whether the processor is there."""
        while True:
            try:
                async with self._queue.turn(Rank.USUAL):
                    if not await self.look_up_doubt():
                        until_seconds = self._clock.seconds() + ASK_WITHIN_SECONDS
                        await self._probe.refresh(until_seconds=until_seconds)
            except MachineError as error:
                _log.error("the lane can't be watched now: %s", error.what)
            await self._pause(self._tick())

    async def look_up_doubt(self) -> bool:
        """Look the doubt of the lane up once; False when there is none. Raises MachineError."""
        tick = self._tick()
        name = self._name()
        held = None if name is None else self._journal.in_lane(name)
        if held is None:
            self._doubt = None  # a person may have ended it
            return False
        await self._look_up(held, tick)
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
        if request.state is RequestState.SENDING:  # nothing is in flight: its outcome was not kept
            await self._outcomes.keep(request, stopped(), lane)
            return
        doubt = self._doubt_of(request, lane)
        began = self._clock.seconds()
        look = await self._probe.look(request)
        if self._journal.request(request.id) != request:
            return  # decided by a person while we asked
        now, wall = self._clock.seconds(), self._clock.now()
        doubt, verdict = weigh(
            doubt, look, self._rule, began_seconds=began, now=now, wall=wall, tick=tick
        )
        self._doubt = (request, doubt)
        if verdict is not None and verdict.is_absent and self._is_unprovable(request):
            verdict = Outcome(RequestState.NEEDS_HUMAN, PERHAPS_SIGNED_BEFORE)
        if verdict is not None:
            self._doubt = None
            _log.info("a doubt ended: %s", verdict.state)
            if verdict.receipt is None and isinstance(look, FoundReceipt):
                lane = counted_on(lane, look.receipt)  # whatever it says, it stands under our name
            await self._outcomes.keep(request, verdict, lane)

    def _is_unprovable(self, request: Request) -> bool:
        """Whether other receipts may have followed its own since the copy was made that this
        journal is: a processor without a counter is sure to find the last one only."""
        return request.baseline is None and self._journal.restores.is_from_before(request.id)

    def _doubt_of(self, request: Request, lane: LaneState) -> DoubtProgress:
        """The doubt about this very attempt; an earlier one of the same key tells nothing of it."""
        if self._doubt is not None and self._doubt[0] == request:
            return self._doubt[1]
        sent = sent_before(request, lane)
        return DoubtProgress(sent, last_tick=self._clock.seconds(), wall=self._clock.now())

    # --- out of its turn ------------------------------------------------------------------------

    async def look_again(self, request_id: str) -> SignedReceipt | None:
        """The receipt of a doubt, which is signed then; None when none is found that is equal."""
        request = self._journal.request(request_id)
        if request is None or request.state not in IN_DOUBT:
            return None
        look = await self._probe.look(request)
        if not isinstance(look, FoundReceipt) or self._journal.request(request_id) != request:
            return None
        sent = sent_before(request, self._journal.lane(request.lane)).found_at(look.clock)
        if echo_fault(look.receipt, sent) is not None:
            return None
        verdict = Outcome(RequestState.SIGNED, receipt=look.receipt)
        receipt = self._outcomes.checked(request, verdict).receipt
        if receipt is not None:
            self._outcomes.sign_out_of_turn(request, receipt)
        return receipt
