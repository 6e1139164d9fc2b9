"""One secure element is one lane: at most one receipt in flight, each issued exactly once.

Source: exactly-once.md, steps 2 to 8. Every act is committed before and after; what a
processor said is weighed by `evidence`, what it did not say by `doubt`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta

from pos_app import log
from pos_app.domain.processor import PfrStatus
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.errors import MachineError, RemoteError
from pos_app.fiscalization.changes import Changes
from pos_app.fiscalization.doubt import Doubt, Rule, weigh
from pos_app.fiscalization.evidence import (
    Sent,
    Verdict,
    counter_stood_still,
    is_unlisted_refusal,
    judge,
)
from pos_app.fiscalization.outcome import checked, conclude, look_again, sign_again, stopped
from pos_app.fiscalization.ports import (
    Clock,
    Disk,
    Journal,
    LaneFacts,
    Processor,
    Reason,
    Request,
)
from pos_app.fiscalization.probe import Probe

IDLE_TICK_SECONDS = 5.0
AWAY_TICK_SECONDS = 1.0
COMMIT_RETRY_SECONDS = 1.0

_NOT_BEGUN = Reason(
    AnswerClass.WAIT, "stopped", "The server stopped working on it before it was sent."
)


CallerWaits = Callable[[], Awaitable[bool]]

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class _Begun:
    """A request whose SENDING is committed; `lane` is what it is sent on."""

    request: Request
    sent: Sent
    lane: LaneFacts


class Lane:
    """Carries requests to one processor, and settles what stayed unanswered."""

    def __init__(
        self,
        *,
        name: str,
        journal: Journal,
        processor: Processor,
        clock: Clock,
        disk: Disk,
        rule: Rule,
    ) -> None:
        self.name = name
        self.changes = Changes()
        self._journal = journal
        self._processor = processor
        self._clock = clock
        self._rule = rule
        self._probe = Probe(
            journal=journal, processor=processor, clock=clock, disk=disk, changes=self.changes
        )
        self.looks = self._probe.looks
        self._turn = asyncio.Lock()
        self._nudge = asyncio.Event()
        self._in_flight: set[asyncio.Task[None]] = set()
        self._shut: Reason | None = None
        self._doubt: tuple[Request, Doubt] | None = None

    # --- what callers see ------------------------------------------------------------------

    @property
    def status(self) -> PfrStatus | None:
        """The processor's status as it was told last."""
        return self._probe.status

    def closed(self) -> Reason | None:
        """Why the lane takes nothing now: in doubt, shut, or its processor known to be away."""
        if self._shut is not None:
            return self._shut
        held = self._journal.in_lane(self.name)
        if held is not None and held.state is RequestState.UNKNOWN:
            return Reason(
                AnswerClass.WAIT, "doubt", "The outcome of an earlier receipt is being looked up."
            )
        if self._probe.away is not None:
            return Reason(AnswerClass.WAIT, "away", self._probe.away)
        return None

    async def carry(
        self, request_id: str, *, start_by: float, answer_by: float, caller_waits: CallerWaits
    ) -> None:
        """Take a QUEUED request to the processor. Ends when it is settled, or at `answer_by`.

        start_by, answer_by: monotonic seconds; after start_by nothing is sent any more.
        """
        work = asyncio.create_task(
            self._take(request_id, start_by, caller_waits), name=f"lane {request_id}"
        )
        self._in_flight.add(work)
        work.add_done_callback(self._landed)
        await asyncio.wait({work}, timeout=max(0.0, answer_by - self._clock.seconds()))

    async def finish(self, seconds: float) -> None:
        """Wait for the receipt in flight before the program stops; then let go of it."""
        if self._in_flight:
            await asyncio.wait(set(self._in_flight), timeout=seconds)
        for work in set(self._in_flight):
            work.cancel()
        await asyncio.gather(*self._in_flight, return_exceptions=True)

    def look_now(self) -> None:
        """Look a doubt up at once instead of at the next tick."""
        self._nudge.set()

    async def look_again(self, request_id: str, *, seconds: float) -> SignedReceipt | None:
        """Ask once for the receipt of a doubt, and sign its request when it is found and equal.

        None when none was found, the echo differs, or there was no answer within those seconds.
        """
        try:
            async with asyncio.timeout(seconds):
                found = await look_again(self._probe, self._journal, request_id)
        except TimeoutError:
            return None
        if found is None:
            return None
        request, receipt = found
        sign_again(self._journal, request, receipt, now=self._clock.now())
        self.changes.tell(request_id)
        return receipt

    # --- one request ------------------------------------------------------------------------

    async def _take(self, request_id: str, start_by: float, caller_waits: CallerWaits) -> None:
        """Wait for its turn, and use it: afterwards the request is not QUEUED any more."""
        try:
            reason = await self._use_turn(request_id, start_by, caller_waits)
        except MachineError as error:
            reason = Reason(AnswerClass.WAIT, "storage", error.what)
        except BaseException:
            with contextlib.suppress(MachineError):  # else the next start does it
                self._release_now(request_id, _NOT_BEGUN)
            raise
        if reason is not None:
            await self._release(request_id, reason)

    async def _use_turn(
        self, request_id: str, start_by: float, caller_waits: CallerWaits
    ) -> Reason | None:
        """Send it when its turn comes, or why it was not sent."""
        if reason := self.closed() or await self._wait_for_turn(start_by):
            return reason
        try:
            begun = await self._begin(request_id, start_by, caller_waits)
            if isinstance(begun, _Begun):
                await self._post(begun)
                return None
            return begun
        finally:
            self._turn.release()

    async def _wait_for_turn(self, start_by: float) -> Reason | None:
        try:
            async with asyncio.timeout(max(0.0, start_by - self._clock.seconds())):
                await self._turn.acquire()
        except TimeoutError:
            return Reason(AnswerClass.WAIT, "busy", "Another receipt is being signed.")
        return None

    def _landed(self, work: asyncio.Task[None]) -> None:
        self._in_flight.discard(work)
        if not work.cancelled() and work.exception() is not None:
            _log.error("a receipt's way ended with a bug", exc_info=work.exception())

    async def _begin(
        self, request_id: str, start_by: float, caller_waits: CallerWaits
    ) -> _Begun | Reason | None:
        """Steps 2 to 4: SENDING is committed, or why not; None when it has ended meanwhile."""
        if reason := self.closed():
            return reason
        status = await self._probe.may_send(self.name)
        if isinstance(status, Reason):
            return status
        if self._clock.seconds() > start_by:
            return Reason(AnswerClass.WAIT, "late", "The time to answer ran out.")
        if not await caller_waits():
            return Reason(AnswerClass.WAIT, "caller_gone", "The caller went away.")
        return self._send(request_id, status)

    def _send(self, request_id: str, status: PfrStatus) -> _Begun | None:
        request = self._journal.request(request_id)
        assert request is not None
        if request.state is not RequestState.QUEUED:  # the probe found its receipt
            return None
        known = self._journal.lane(self.name)
        lane = replace(known, uid=known.uid or status.uid, counter=status.total_counter)
        self._journal.send(request_id, lane=lane, now=self._clock.now())
        sent = Sent(request.document, lane.uid, lane.counter, lane.tin, status.clock)
        return _Begun(request, sent, lane)

    async def _release(self, request_id: str, reason: Reason) -> None:
        await self._commit(lambda: self._release_now(request_id, reason))

    def _release_now(self, request_id: str, reason: Reason) -> None:
        now = self._clock.now()
        request = self._journal.request(request_id)
        if request is not None and request.state is RequestState.QUEUED:
            self._journal.settle(request_id, RequestState.RELEASED, reason=reason, now=now)
        self.changes.tell(request_id)

    async def _post(self, begun: _Begun) -> None:
        """Steps 5 and 6. From the commit of SENDING on, whatever happens is settled here."""
        try:
            verdict = await self._ask_signature(begun.request, begun.sent)
        except BaseException:
            with contextlib.suppress(MachineError):  # else the watch, or the next start, does it
                self._conclude(begun.request, stopped(), begun.lane)
            raise
        await self._keep(begun.request, verdict, begun.lane)

    async def _ask_signature(self, request: Request, sent: Sent) -> Verdict:
        began = self._clock.seconds()
        reply = await self._processor.sign(request.document, pfr_request_id=request.pfr_request_id)
        elapsed = timedelta(seconds=self._clock.seconds() - began)
        verdict = judge(reply, replace(sent, elapsed=elapsed))
        if is_unlisted_refusal(verdict) and sent.counter is not None:
            try:
                status = await self._probe.ask()
            except RemoteError:
                return verdict
            if (status.uid, status.total_counter) == (sent.uid, sent.counter):
                return counter_stood_still(verdict)
        return verdict

    async def _keep(self, request: Request, verdict: Verdict, lane: LaneFacts) -> None:
        def conclude() -> None:
            self._conclude(request, checked(self._journal, request, verdict), lane)

        await self._commit(conclude)

    async def _commit(self, act: Callable[[], None]) -> None:
        """Commit an outcome; while the disk refuses, the lane is shut and the commit retried."""
        while True:
            try:
                act()
            except MachineError as error:
                _log.error("an outcome can't be stored yet: %s", error.what)
                self._shut = Reason(AnswerClass.WAIT, "storage", error.what)
                await asyncio.sleep(COMMIT_RETRY_SECONDS)
            else:
                self._shut = None
                return

    def _conclude(self, request: Request, verdict: Verdict, lane: LaneFacts) -> None:
        conclude(self._journal, request, verdict, lane, now=self._clock.now())
        if verdict.state is RequestState.UNKNOWN:
            self._nudge.set()
        self.changes.tell(request.id)

    # --- doubts -----------------------------------------------------------------------------

    async def watch(self) -> None:
        """For ever: look doubts up, and know whether the processor is there."""
        while True:
            tick = self._tick()
            try:
                async with self._turn:
                    held = self._journal.in_lane(self.name)
                    if held is None:
                        await self._refresh()
                    else:
                        await self._look_up(held, tick)
            except MachineError as error:
                _log.error("the lane can't be watched now: %s", error.what)
            await self._pause(self._tick())

    def _tick(self) -> float:
        if self._doubt is not None:
            return min(1.0, self._rule.quiet_seconds / 4)
        return AWAY_TICK_SECONDS if self._probe.away is not None else IDLE_TICK_SECONDS

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._nudge.wait()
        except TimeoutError:
            return
        finally:
            self._nudge.clear()

    async def _refresh(self) -> None:
        try:
            await self._probe.ask()
        except RemoteError:
            return

    async def _look_up(self, request: Request, tick: float) -> None:
        lane = self._journal.lane(self.name)
        if request.state is RequestState.SENDING:  # nothing is in flight: its outcome was not kept
            await self._keep(request, stopped(), lane)
            return
        doubt = self._doubt_of(request, lane)
        began = self._clock.seconds()
        look = await self._probe.look(request)
        if self._journal.request(request.id) != request:
            return  # decided by a person while we asked
        now, wall = self._clock.seconds(), self._clock.now()
        elapsed = wall - (request.sent_at or wall)
        doubt = replace(doubt, sent=replace(doubt.sent, elapsed=elapsed))
        doubt, verdict = weigh(
            doubt, look, self._rule, began_seconds=began, now=now, wall=wall, tick=tick
        )
        self._doubt = (request, doubt)
        if verdict is not None:
            self._doubt = None
            _log.info("a doubt ended: %s", verdict.state)
            await self._keep(request, verdict, lane)

    def _doubt_of(self, request: Request, lane: LaneFacts) -> Doubt:
        """The doubt about this very attempt; an earlier one of the same key tells nothing of it."""
        if self._doubt is not None and self._doubt[0] == request:
            return self._doubt[1]
        sent = Sent(request.document, lane.uid, request.baseline, lane.tin)
        return Doubt(sent, last_tick=self._clock.seconds(), wall=self._clock.now())
