"""One secure element is one lane: at most one receipt in flight, each issued exactly once.

Source: exactly-once.md, steps 2 to 8. Every act is committed before and after; what a
processor said is weighed by `evidence`, what it did not say by `doubt`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

from pos_app import log
from pos_app.domain import processor as pfr
from pos_app.domain.processor import PfrStatus
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.errors import MachineError, RemoteError
from pos_app.fiscalization.changes import Changes
from pos_app.fiscalization.doubt import Doubt, Found, Look, Missing, Rule, Unreachable, weigh
from pos_app.fiscalization.evidence import (
    Sent,
    Verdict,
    counter_stood_still,
    is_unlisted_refusal,
    judge,
)
from pos_app.fiscalization.ports import (
    Clock,
    Disk,
    Journal,
    LaneFacts,
    Processor,
    Reason,
    Request,
)

LEAST_ROOM = 64 * 1024 * 1024
"""Bytes that must be free before a receipt is sent (step 3)."""
IDLE_TICK_SECONDS = 5.0
AWAY_TICK_SECONDS = 1.0
COMMIT_RETRY_SECONDS = 1.0

CallerWaits = Callable[[], Awaitable[bool]]

_log = log.get(__name__)


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
        self.status: PfrStatus | None = None
        self._journal = journal
        self._processor = processor
        self._clock = clock
        self._disk = disk
        self._rule = rule
        self._turn = asyncio.Lock()
        self._nudge = asyncio.Event()
        self._in_flight: set[asyncio.Task[None]] = set()
        self._away: str | None = None
        self._shut: Reason | None = None
        self._doubt: tuple[str, Doubt] | None = None

    # --- what callers see ------------------------------------------------------------------

    def closed(self) -> Reason | None:
        """Why the lane takes nothing now: in doubt, shut, or its processor known to be away."""
        if self._shut is not None:
            return self._shut
        held = self._journal.in_lane(self.name)
        if held is not None and held.state is RequestState.UNKNOWN:
            return Reason(
                AnswerClass.WAIT, "doubt", "The outcome of an earlier receipt is being looked up."
            )
        if self._away is not None:
            return Reason(AnswerClass.WAIT, "away", self._away)
        return None

    async def carry(
        self, request_id: str, *, start_by: float, answer_by: float, caller_waits: CallerWaits
    ) -> None:
        """Take a QUEUED request to the processor. Ends when it is settled, or at `answer_by`.

        start_by, answer_by: monotonic seconds; after start_by nothing is sent any more.
        """
        reason = self.closed()
        if reason is None:
            reason = await self._wait_for_turn(start_by)
        if reason is not None:
            self._release(request_id, reason)
            return
        work = asyncio.create_task(
            self._in_turn(request_id, start_by, caller_waits), name=f"lane {request_id}"
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

    # --- one request ------------------------------------------------------------------------

    async def _wait_for_turn(self, start_by: float) -> Reason | None:
        try:
            async with asyncio.timeout(max(0.0, start_by - self._clock.seconds())):
                await self._turn.acquire()
        except TimeoutError:
            return Reason(AnswerClass.WAIT, "busy", "Another receipt is being signed.")
        return None

    async def _in_turn(self, request_id: str, start_by: float, caller_waits: CallerWaits) -> None:
        try:
            reason = self.closed()
            status = await self._probe() if reason is None else reason
            if isinstance(status, Reason):
                self._release(request_id, status)
            elif self._clock.seconds() > start_by:
                self._release(
                    request_id, Reason(AnswerClass.WAIT, "late", "The time to answer ran out.")
                )
            elif not await caller_waits():
                self._release(
                    request_id, Reason(AnswerClass.WAIT, "caller_gone", "The caller went away.")
                )
            else:
                await self._post(request_id, status)
        finally:
            self._turn.release()

    def _landed(self, work: asyncio.Task[None]) -> None:
        self._in_flight.discard(work)
        if not work.cancelled() and work.exception() is not None:
            _log.error("a receipt's way ended with a bug", exc_info=work.exception())

    def _release(self, request_id: str, reason: Reason) -> None:
        self._journal.settle(
            request_id, RequestState.RELEASED, reason=reason, now=self._clock.now()
        )
        self.changes.tell(request_id)

    async def _probe(self) -> PfrStatus | Reason:
        """Step 3: may a receipt be sent now? The status, or the reason why not."""
        if self._disk.free_bytes() < LEAST_ROOM:
            return Reason(AnswerClass.CURE, "disk", "The disk is nearly full.")
        try:
            status = await self._ask_status()
        except RemoteError as error:
            return Reason(AnswerClass.WAIT, "away", error.what)
        known = self._journal.lane(self.name)
        if known.uid is not None and status.uid is not None and known.uid != status.uid:
            words = f"The processor's secure element is {status.uid}, not {known.uid}."
            return Reason(AnswerClass.CURE, "other_element", words)
        if code := status.blocking_code:
            return Reason(AnswerClass.CURE, code, f"{code} {pfr.meaning(code)}")
        if status.total_counter is not None and known.counter not in (None, status.total_counter):
            await self._explain_counter(known, status.total_counter)
        return status

    async def _ask_status(self) -> PfrStatus:
        try:
            status = await self._processor.status()
        except RemoteError as error:
            if self._away is None:
                _log.warning("the processor is away: %s", error.what)
            self._away = error.what
            raise
        if self._away is not None:
            _log.info("the processor is back")
        self._away, self.status = None, status
        return status

    async def _explain_counter(self, known: LaneFacts, counter: int) -> None:
        """The counter moved without us: was it a receipt that had been proven absent?"""
        now = self._clock.now()
        for request in self._journal.proven_absent(self.name):
            try:
                receipt = await self._processor.find(request.pfr_request_id)
            except RemoteError:
                continue
            kept = self._journal.receipt(request.id)
            if receipt is None or (kept and kept.invoice_number == receipt.invoice_number):
                continue
            if request.state is RequestState.RELEASED:
                lane = replace(known, counter=counter)
                self._journal.sign(request.id, receipt, lane=lane, now=now)
                self.changes.tell(request.id)
            else:
                self._journal.note(
                    "alarm_late_receipt",
                    request_id=request.id,
                    now=now,
                    words=f"{receipt.invoice_number} was signed late; a refund is due.",
                )
        words = f"The counter moved from {known.counter} to {counter}."
        self._journal.note("foreign_traffic", request_id=None, now=now, words=words)

    async def _post(self, request_id: str, status: PfrStatus) -> None:
        """Steps 4 to 6. From the commit of SENDING on, whatever happens is settled here."""
        request = self._journal.request(request_id)
        assert request is not None
        known = self._journal.lane(self.name)
        lane = replace(known, uid=known.uid or status.uid, counter=status.total_counter)
        self._journal.send(request_id, lane=lane, now=self._clock.now())
        sent = Sent(request.document, lane.uid, lane.counter, lane.tin, status.clock)
        try:
            verdict = await self._ask_signature(request, sent)
        except BaseException:
            self._conclude(request, _stopped(), lane)
            raise
        await self._keep(request, verdict, lane)

    async def _ask_signature(self, request: Request, sent: Sent) -> Verdict:
        began = self._clock.seconds()
        reply = await self._processor.sign(request.document, pfr_request_id=request.pfr_request_id)
        elapsed = timedelta(seconds=self._clock.seconds() - began)
        verdict = judge(reply, replace(sent, elapsed=elapsed))
        if is_unlisted_refusal(verdict) and sent.counter is not None:
            try:
                status = await self._ask_status()
            except RemoteError:
                return verdict
            if status.total_counter == sent.counter:
                return counter_stood_still(verdict)
        return verdict

    async def _keep(self, request: Request, verdict: Verdict, lane: LaneFacts) -> None:
        """Commit a verdict; while the disk refuses, the lane is shut and the commit retried."""
        while True:
            try:
                self._conclude(request, verdict, lane)
                self._shut = None
                return
            except MachineError as error:
                _log.error("an outcome can't be stored yet: %s", error.what)
                self._shut = Reason(AnswerClass.WAIT, "storage", error.what)
                await asyncio.sleep(COMMIT_RETRY_SECONDS)

    def _conclude(self, request: Request, verdict: Verdict, lane: LaneFacts) -> None:
        now = self._clock.now()
        if verdict.receipt is not None:
            receipt = verdict.receipt
            counter = None if lane.counter is None else receipt.total_counter
            lane = replace(lane, counter=counter, tin=lane.tin or receipt.tin)
            self._journal.sign(request.id, receipt, lane=lane, now=now)
        else:
            assert verdict.reason is not None
            self._journal.settle(
                request.id,
                verdict.state,
                reason=verdict.reason,
                now=now,
                proven_absent=verdict.reason.code == "proven_absent",
            )
            if verdict.state is RequestState.NEEDS_HUMAN:
                self._journal.keep_lane(replace(lane, counter=None))
        if verdict.state is RequestState.UNKNOWN:
            self._nudge.set()
        self.changes.tell(request.id)

    # --- doubts -----------------------------------------------------------------------------

    async def watch(self) -> None:
        """For ever: look doubts up, and know whether the processor is there."""
        while True:
            tick = self._tick()
            async with self._turn:
                held = self._journal.in_lane(self.name)
                if held is None:
                    await self._refresh()
                else:
                    await self._look_up(held, tick)
            await self._pause(self._tick())

    def _tick(self) -> float:
        if self._doubt is not None:
            return min(1.0, self._rule.quiet_seconds / 4)
        return AWAY_TICK_SECONDS if self._away is not None else IDLE_TICK_SECONDS

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
            await self._ask_status()
        except RemoteError:
            return

    async def _look_up(self, request: Request, tick: float) -> None:
        lane = self._journal.lane(self.name)
        doubt = self._doubt_of(request, lane)
        look = await self._look(request)
        now, wall = self._clock.seconds(), self._clock.now()
        elapsed = wall - (request.sent_at or wall)
        doubt = replace(doubt, sent=replace(doubt.sent, elapsed=elapsed))
        doubt, verdict = weigh(doubt, look, self._rule, now=now, wall=wall, tick=tick)
        self._doubt = (request.id, doubt)
        if verdict is not None:
            self._doubt = None
            _log.info("a doubt ended: %s", verdict.state)
            await self._keep(request, verdict, lane)

    def _doubt_of(self, request: Request, lane: LaneFacts) -> Doubt:
        if self._doubt is not None and self._doubt[0] == request.id:
            return self._doubt[1]
        sent = Sent(request.document, lane.uid, request.baseline, lane.tin)
        return Doubt(sent, last_tick=self._clock.seconds(), wall=self._clock.now())

    async def _look(self, request: Request) -> Look:
        """The counter first, then the receipt: a signature between the two is found."""
        try:
            status = await self._ask_status()
            receipt = await self._processor.find(request.pfr_request_id)
        except RemoteError:
            return Unreachable()
        return Missing(status.uid, status.total_counter) if receipt is None else Found(receipt)


def _stopped() -> Verdict:
    words = "The server stopped before the processor answered."
    return Verdict(RequestState.UNKNOWN, Reason(AnswerClass.UNKNOWN, "stopped", words))
