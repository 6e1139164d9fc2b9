"""One secure element is one lane: at most one receipt in flight, each issued exactly once.

Source: exactly-once.md, steps 2 to 8. This file is about turns: who may go to the processor, and
when. What is done there is told in `sending`, how it ends in `outcome`, and what is done about
answers that did not come in `watch`.
"""

from __future__ import annotations

import asyncio
import contextlib
import math

from pos_app import log
from pos_app.domain.processor import PfrStatus
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import AnswerClass
from pos_app.errors import MachineError
from pos_app.fiscalization.changes import Changes
from pos_app.fiscalization.doubt import Rule
from pos_app.fiscalization.outcome import Outcomes
from pos_app.fiscalization.pairs import FIRST_PAUSE_SECONDS, Pairs, nobody_needs_to_wait
from pos_app.fiscalization.ports import Clock, Disk, Journal, Processor, Reason, Request
from pos_app.fiscalization.probe import Probe, not_ready
from pos_app.fiscalization.refusals import STORAGE
from pos_app.fiscalization.sending import Begun, CallerWaits, Sending
from pos_app.fiscalization.watch import Watch

_NOT_BEGUN = Reason(
    AnswerClass.WAIT, "stopped", "The server stopped working on it before it was sent."
)
_IN_DOUBT = Reason(
    AnswerClass.WAIT, "doubt", "The outcome of an earlier receipt is being looked up."
)

_log = log.get(__name__)


class Lane:
    """Carries requests to one processor, one at a time."""

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
        self._clock = clock
        self._turn = asyncio.Lock()
        self._in_flight: dict[asyncio.Task[None], str] = {}
        self._probe = Probe(
            journal=journal, processor=processor, clock=clock, disk=disk, changes=self.changes
        )
        self.looks = self._probe.looks
        self._outcomes = Outcomes(journal=journal, clock=clock, changes=self.changes)
        self._sending = Sending(
            name=name,
            journal=journal,
            processor=processor,
            clock=clock,
            probe=self._probe,
            outcomes=self._outcomes,
        )
        self._watch = Watch(
            name=name,
            journal=journal,
            clock=clock,
            rule=rule,
            probe=self._probe,
            outcomes=self._outcomes,
            turn=self._turn,
        )
        self._pairs = Pairs(journal=journal, clock=clock, outcomes=self._outcomes, take=self._take)

    # --- what callers see ------------------------------------------------------------------

    @property
    def status(self) -> PfrStatus | None:
        """The processor's status as it was told last."""
        return self._probe.status

    def closed(self) -> Reason | None:
        """Why the lane takes nothing now: in doubt, shut, or its processor known to be away."""
        if self._outcomes.shut is not None:
            return self._outcomes.shut
        if self._journal.is_in_doubt(self.name):
            return _IN_DOUBT
        if self._probe.away is not None:
            return Reason(AnswerClass.WAIT, "away", self._probe.away)
        return None

    def no_room(self) -> Reason | None:
        """Why nothing is sent now, although the processor may be ready: a disk nearly full."""
        return self._probe.no_room()

    def not_ready(self) -> Reason | None:
        """Why the processor, by what it told last, can't be sent anything; None when it can."""
        status = self._probe.status
        return None if status is None else not_ready(status, self._journal.lane(self.name))

    async def carry(
        self, command_id: str, *, start_by: float, answer_by: float, caller_waits: CallerWaits
    ) -> None:
        """Take a QUEUED command to the processor. Ends when it is settled, or at `answer_by`.

        start_by, answer_by: monotonic seconds; after start_by its first receipt is not sent any
        more. The later ones of a pair are sent whoever waits.
        """
        work = self._start(command_id, start_by, caller_waits)
        await asyncio.wait({work}, timeout=max(0.0, answer_by - self._clock.seconds()))

    def resume(self, command_id: str) -> None:
        """Go on with a half-done pair, unless that is being done: its first receipt is signed."""
        if command_id not in self._in_flight.values():
            self._start(command_id, math.inf, nobody_needs_to_wait)

    def _start(
        self, command_id: str, start_by: float, caller_waits: CallerWaits
    ) -> asyncio.Task[None]:
        work = asyncio.create_task(
            self._pairs.carry(command_id, start_by, caller_waits), name=f"lane {command_id}"
        )
        self._in_flight[work] = command_id
        work.add_done_callback(self._landed)
        return work

    async def finish(self, seconds: float) -> None:
        """Wait for the receipt in flight before the program stops; then let go of it."""
        if self._in_flight:
            await asyncio.wait(list(self._in_flight), timeout=seconds)
        for work in list(self._in_flight):
            work.cancel()
        await asyncio.gather(*self._in_flight, return_exceptions=True)

    async def watch(self) -> None:
        """For ever: look doubts up, know whether the processor is there, finish pairs."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._watch.run())
            group.create_task(self._finish_pairs())

    def look_now(self) -> None:
        """Look a doubt up at once instead of at the next tick."""
        self._outcomes.doubted.set()

    async def look_again(self, request_id: str, *, seconds: float) -> SignedReceipt | None:
        """Ask once for the receipt of a doubt, and sign its request when it is found and equal.

        None when none was found, the echo differs, or there was no answer within those seconds.
        """
        try:
            async with asyncio.timeout(seconds):
                return await self._watch.look_again(request_id)
        except TimeoutError:
            return None

    def take(self, request: Request, receipt: SignedReceipt) -> None:
        """Sign a doubt with the receipt that a person brought. Raises MachineError, NotAllowed."""
        self._outcomes.sign_out_of_turn(request, receipt)

    async def _finish_pairs(self) -> None:
        while True:
            try:
                if self.closed() is None:
                    for command_id in self._pairs.due(self.name):
                        self.resume(command_id)
            except MachineError as error:
                _log.error("half-done pairs can't be read now: %s", error.what)
            await asyncio.sleep(FIRST_PAUSE_SECONDS)

    # --- turns ------------------------------------------------------------------------------

    async def _take(self, request_id: str, start_by: float, caller_waits: CallerWaits) -> None:
        """Wait for its turn, and use it: afterwards the request is not QUEUED any more."""
        try:
            reason = await self._use_turn(request_id, start_by, caller_waits)
        except MachineError as error:
            reason = Reason(AnswerClass.WAIT, STORAGE, error.what)
        except BaseException:
            with contextlib.suppress(MachineError):  # else the next start does it
                self._outcomes.release_now(request_id, _NOT_BEGUN)
            raise
        if reason is not None:
            await self._outcomes.release(request_id, reason)

    async def _use_turn(
        self, request_id: str, start_by: float, caller_waits: CallerWaits
    ) -> Reason | None:
        """Send it when its turn comes, or why it was not sent."""
        if reason := self.closed() or await self._wait_for_turn(start_by):
            return reason
        try:
            begun = self.closed() or await self._sending.begin(request_id, start_by, caller_waits)
            if isinstance(begun, Begun):
                await self._sending.post(begun)
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
        del self._in_flight[work]
        if not work.cancelled() and work.exception() is not None:
            _log.error("a receipt's way ended with a bug", exc_info=work.exception())
