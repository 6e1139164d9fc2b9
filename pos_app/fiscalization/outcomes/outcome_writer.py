"""Stores the outcomes of requests: after an answer, after a look-up, before they were sent.

Source: exactly-once.md, step 6 and "States of a request on the server".
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.states import RESTORED, AnswerClass, RequestState
from pos_app.errors import MachineError
from pos_app.fiscalization import ports
from pos_app.fiscalization.outcomes import answer_check
from pos_app.fiscalization.outcomes.busy_retry import retry_while_busy
from pos_app.fiscalization.refusals import ACT_UNKNOWN, STORAGE
from pos_app.fiscalization.state_changes import StateChanges

COMMIT_RETRY_SECONDS = 1.0
PERHAPS_SIGNED_BEFORE = ports.StateReason(
    AnswerClass.UNKNOWN,
    RESTORED,
    "It may have been signed before the journal was restored; the processor has not told of it.",
)
PERHAPS_DONE_BEFORE = ports.StateReason(
    AnswerClass.UNKNOWN,
    ACT_UNKNOWN,
    "This journal may lack what was done with the receipt before: a manager has to say whether it "
    "goes on; until then nothing is sent for it.",
)
_TO_BE_SENT = frozenset({RequestState.QUEUED, RequestState.RELEASED})

_log = log.get(__name__)


def stopped() -> answer_check.Outcome:
    message = "The server stopped before the processor answered."
    return answer_check.Outcome(
        RequestState.UNKNOWN, ports.StateReason(AnswerClass.UNKNOWN, "stopped", message)
    )


class OutcomeWriter:
    """Commits the outcomes of one lane's requests, and wakes those who wait for them.

    shut: the reason why nothing is sent while an outcome can't be stored. doubted: set when a doubt
    begins, or is to be looked up at once.
    """

    def __init__(self, *, journal: ports.LaneJournal, clock: Clock, changes: StateChanges) -> None:
        self.shut: ports.StateReason | None = None
        self.doubted = asyncio.Event()
        self._journal = journal
        self._clock = clock
        self._changes = changes

    async def save(
        self, request: ports.Request, outcome: answer_check.Outcome, lane: ports.LaneState
    ) -> None:
        await self.commit(lambda: self.conclude(request, self.checked(request, outcome), lane))

    async def release(self, request_id: str, reason: ports.StateReason) -> None:
        await self.commit(lambda: self.release_now(request_id, reason))

    async def ask_person(self, request_id: str, reason: ports.StateReason) -> None:
        await self.commit(lambda: self._ask_person(request_id, reason))

    def _ask_person(self, request_id: str, reason: ports.StateReason) -> None:
        request, needs_human = self._journal.request(request_id), RequestState.NEEDS_HUMAN
        if request is None or request.state not in _TO_BE_SENT:
            return
        is_queued, now = request.state is RequestState.QUEUED, self._clock.now()
        self._journal.settle(
            request_id,
            RequestState.RELEASED if is_queued else needs_human,
            reason=reason,
            now=now,
            then=needs_human if is_queued else None,
        )
        self._changes.announce(request_id)

    async def release_all(self, command_id: str, reason: ports.StateReason) -> None:
        def release() -> None:
            for request_id, owner in self._journal.queued():
                if owner == command_id:
                    self.release_now(request_id, reason)

        await self.commit(release)

    async def commit(self, act: Callable[[], None]) -> None:
        """Commit an outcome; while it can't be stored, the lane is shut and the commit retried. A
        file that another program has locked for a moment does not shut the lane."""

        async def once() -> None:
            act()

        while True:
            try:
                await retry_while_busy(once, clock=self._clock)
            except MachineError as error:
                _log.error("an outcome can't be stored yet: %s", error.what)
                self.shut = ports.StateReason(AnswerClass.WAIT, STORAGE, error.what)
                await asyncio.sleep(COMMIT_RETRY_SECONDS)
            else:
                self.shut = None
                return

    def checked(
        self, request: ports.Request, outcome: answer_check.Outcome
    ) -> answer_check.Outcome:
        """The outcome, or a doubt if its receipt already belongs to another sale."""
        receipt = outcome.receipt
        known = receipt and self._journal.request_of_number(receipt.invoice_number)
        if not receipt or not known or known.id == request.id:
            return outcome
        message = f"The processor's answer {receipt.invoice_number} is of another sale."
        reason = ports.StateReason(AnswerClass.UNKNOWN, "echo", message)
        looked_up = request.state is RequestState.UNKNOWN
        return answer_check.Outcome(
            RequestState.NEEDS_HUMAN if looked_up else RequestState.UNKNOWN, reason
        )

    def conclude(
        self, request: ports.Request, outcome: answer_check.Outcome, lane: ports.LaneState
    ) -> None:
        if outcome.receipt is not None:
            self._sign(request, outcome.receipt, lane)
        else:
            self._settle(request, outcome, lane)
        if outcome.state is RequestState.UNKNOWN:
            self.doubted.set()
        self._changes.announce(request.id)

    def _sign(self, request: ports.Request, receipt: SignedReceipt, lane: ports.LaneState) -> None:
        after = replace(lane, counter=_counter_after(lane, receipt), tin=lane.tin or receipt.tin)
        differs = answer_check.differences(receipt, request.document, tin=lane.tin)
        self._journal.sign(request.id, receipt, lane=after, now=self._clock.now(), differs=differs)

    def _settle(
        self, request: ports.Request, outcome: answer_check.Outcome, lane: ports.LaneState
    ) -> None:
        assert outcome.reason is not None
        # The first of the pair is signed: a person corrects this one, or reverses the first.
        is_half_done = outcome.state is RequestState.REJECTED and request.child > 0
        self._journal.settle(
            request.id,
            outcome.state,
            reason=outcome.reason,
            now=self._clock.now(),
            taken_as_absent=outcome.is_absent,
            lane=lane if outcome.state is RequestState.NEEDS_HUMAN else None,
            then=RequestState.NEEDS_HUMAN if is_half_done else None,
        )

    def sign_out_of_turn(self, request: ports.Request, receipt: SignedReceipt) -> None:
        """Sign a doubt outside the queue. The receipt then counts for its element's counter, unless
        the counter covers it already because later receipts were sent."""
        lane = self._lane_of(request, receipt)
        if request.state is RequestState.UNKNOWN and lane.name == request.lane:
            self._sign(request, receipt, lane)
        else:
            differs = answer_check.differences(receipt, request.document, tin=lane.tin)
            counted = answer_check.counted_on(lane, receipt)
            self._journal.sign(
                request.id, receipt, lane=counted, now=self._clock.now(), differs=differs
            )
        self._changes.announce(request.id)

    def _lane_of(self, request: ports.Request, receipt: SignedReceipt) -> ports.LaneState:
        """The lane whose element signed the receipt: the request's lane, or the element in use if
        the card was changed before the processor signed the request."""
        names = (request.lane, self._journal.element())
        found = (name for name in names if answer_check.is_of_element(receipt, name or None))
        return self._journal.lane(next(found, request.lane))

    def release_now(self, request_id: str, reason: ports.StateReason) -> None:
        """Release the request if it is QUEUED. Raises MachineError."""
        request = self._journal.request(request_id)
        if request is not None and request.state is RequestState.QUEUED:
            now = self._clock.now()
            self._journal.settle(request_id, RequestState.RELEASED, reason=reason, now=now)
        self._changes.announce(request_id)


def _counter_after(lane: ports.LaneState, receipt: SignedReceipt) -> int | None:
    """The lane's counter after this receipt. If numbers before the receipt are missing, the counter
    is only one more than before, so that the next probe sees that others signed."""
    counter = answer_check.counter_of(receipt)
    if lane.counter is None or counter is None:
        return None
    return min(counter, lane.counter + 1)
