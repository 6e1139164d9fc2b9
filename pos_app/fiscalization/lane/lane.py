"""One secure element is one lane: at most one receipt in flight, each issued exactly once.

Source: exactly-once.md, steps 2 to 8. This module decides the order and time of sending. `sending`
sends a request, `outcome_writer` stores its outcome, `lane_monitor` looks up missing answers.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.states import AnswerClass, RestoreFound
from pos_app.domain.setup.processor import PfrStatus
from pos_app.errors import MachineError, NotAllowed, RemoteError
from pos_app.fiscalization import ports
from pos_app.fiscalization.lane import command_runner
from pos_app.fiscalization.lane.lane_monitor import LaneMonitor
from pos_app.fiscalization.lane.lane_queue import LaneQueue, Rank
from pos_app.fiscalization.lane.probe import OTHER_ELEMENT, Probe, not_ready
from pos_app.fiscalization.lane.retired_elements import RetiredElements
from pos_app.fiscalization.lane.sending import Begun, CallerWaits, Sending
from pos_app.fiscalization.outcomes.busy_retry import retry_while_busy
from pos_app.fiscalization.outcomes.doubt import DoubtRule
from pos_app.fiscalization.outcomes.outcome_writer import OutcomeWriter
from pos_app.fiscalization.refusals import STORAGE
from pos_app.fiscalization.state_changes import StateChanges

_NOT_BEGUN = ports.StateReason(
    AnswerClass.WAIT, "stopped", "The server stopped working on it before it was sent."
)
_IN_DOUBT = ports.StateReason(
    AnswerClass.WAIT, "doubt", "The outcome of an earlier receipt is being looked up."
)

T = TypeVar("T")
_MAY_HAVE_A_TWIN = frozenset({RestoreFound.TWIN, RestoreFound.OTHER_MACHINE})
"""A copy of the shop may still send the same sale from another machine."""

_log = log.get(__name__)


class Lane:
    """Sends requests to the processor in use, one at a time. address: the address of the processor
    in use. connect: connects to processors at other addresses, for doubts that began there."""

    def __init__(
        self,
        *,
        journal: ports.LaneJournal,
        processor: ports.Processor,
        clock: Clock,
        disk: ports.Disk,
        rule: DoubtRule,
        address: str,
        connect: Callable[[str], ports.Processor],
    ) -> None:
        self.changes = StateChanges()
        self._journal = journal
        self._clock = clock
        self._began_seconds, self._quiet_seconds = clock.seconds(), rule.quiet_seconds
        self._address = address
        self._queue = LaneQueue()
        self._in_flight: dict[asyncio.Task[None], str] = {}
        self._disk = disk
        self._connect = connect
        self._outcomes = OutcomeWriter(journal=journal, clock=clock, changes=self.changes)
        self._probes: dict[str, Probe] = {}
        self._probe = self._probes[address] = self._new_probe(processor)
        self.lookup_log = self._probe.lookup_log
        self._sending = Sending(
            address=address,
            journal=journal,
            processor=processor,
            clock=clock,
            probe=self._probe,
            outcomes=self._outcomes,
        )
        self._monitor = self._new_monitor(rule)
        self._retired = RetiredElements(
            journal=journal,
            clock=clock,
            rule=rule,
            outcomes=self._outcomes,
            is_here=self._is_here,
            probe_at=self._probe_at,
        )
        self._commands = command_runner.CommandRunner(
            journal=journal,
            clock=clock,
            outcomes=self._outcomes,
            take=self._take,
            ask=partial(self.look_again, seconds=command_runner.ASK_FIRST_SECONDS),
        )

    def _new_probe(self, processor: ports.Processor) -> Probe:
        return Probe(
            journal=self._journal,
            processor=processor,
            clock=self._clock,
            disk=self._disk,
            changes=self.changes,
            outcomes=self._outcomes,
        )

    def _new_monitor(self, rule: DoubtRule) -> LaneMonitor:
        return LaneMonitor(
            name=lambda: self.name if self._is_here(self.name) else None,
            journal=self._journal,
            clock=self._clock,
            rule=rule,
            probe=self._probe,
            outcomes=self._outcomes,
            queue=self._queue,
        )

    def _is_here(self, name: str) -> bool:
        """Whether the processor in use is asked about doubts of that lane: they were sent to its
        address, or it has that element now."""
        if name not in (self.name, ports.UNNAMED):
            return False
        status, address = self._probe.status, self._journal.lane(name).address
        return address in (None, self._address) or (status is not None and status.uid == name)

    def _probe_at(self, address: str) -> Probe:
        if address not in self._probes:
            self._probes[address] = self._new_probe(self._connect(address))
        return self._probes[address]

    # --- what callers see ------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The element in use, or "" until the processor has named one."""
        return self._journal.element()

    @property
    def element(self) -> str | None:
        """The UID of the element in use, or None while nothing was sent, because any element may
        come then."""
        if not self._journal.was_sent():
            return None
        return self._journal.lane(self.name).uid or self.name or None

    @property
    def status(self) -> PfrStatus | None:
        return self._probe.status

    def status_of(self, request_id: str) -> PfrStatus | None:
        return self._monitor_of(request_id).status

    def closed(self) -> ports.StateReason | None:
        """The reason why nothing is sent now: a doubt, an unwritable journal, or an absent
        processor."""
        if self._outcomes.shut is not None:
            return self._outcomes.shut
        if self._journal.is_in_doubt(self.name):
            return _IN_DOUBT
        return self._probe.away

    def no_room(self) -> ports.StateReason | None:
        return self._probe.no_room()

    def not_ready(self) -> ports.StateReason | None:
        """The reason in the processor's last status why nothing can be sent, or None."""
        status = self._probe.status
        if status is None:
            return None
        return not_ready(status, self._journal.lane(self.name)) or self._probe.set_back

    def offered(self) -> str | None:
        reason, status = self.not_ready(), self._probe.status
        if reason is None or status is None or reason.code != OTHER_ELEMENT:
            return None
        return status.uid

    async def accept_element(self, uid: str, *, by: str) -> None:
        """Let receipts go to this element from now on, by a manager's decision.

        Doubts of the previous one are looked up at its own processor, or a person is asked.
        Raises NotAllowed, MachineError.
        """
        async with self._queue.turn(Rank.TILL):
            with contextlib.suppress(RemoteError):
                await self._probe.ask()
            if self._probe.away is not None or self.offered() != uid:
                raise NotAllowed("element", uid=uid)
            now = self._clock.now()
            self._journal.accept_element(uid, by=by, now=now)
        _log.warning("the secure element %s was accepted by %s", uid, by)

    async def between_receipts(self, act: Callable[[], Awaitable[T]]) -> T:
        """Act at the processor while no receipt is in flight, and read its status after. Raises the
        errors of `act`. An unreadable status raises nothing."""
        async with self._queue.turn(Rank.TILL):
            try:
                return await act()
            finally:
                with contextlib.suppress(RemoteError):
                    await self._probe.ask()

    async def compare_after(self, act: Callable[[], Awaitable[T]], *, seconds: float) -> T:
        """Act as `between_receipts`. If no doubt is open, the journal is then also compared with
        the processor, so that it may deny receipts that it does not hold.

        seconds: the time after which the comparison asks nothing more. Raises MachineError too.
        """
        async with self._queue.turn(Rank.TILL):
            try:
                return await act()
            finally:
                if self._journal.is_in_doubt(self.name):
                    with contextlib.suppress(RemoteError):
                        await self._probe.ask()
                else:
                    await self._probe.refresh(until_seconds=self._clock.seconds() + seconds)

    def is_compared(self) -> bool:
        return self._probe.is_compared

    def forgets(self) -> bool:
        """Whether a receipt that the processor does not find may be signed nevertheless.

        It may be if others signed, who may have been this shop before its data were lost, and the
        processor no longer finds receipts from that time.
        """
        return self._probe.forgets

    def is_just_started(self) -> bool:
        """Whether the processor may still be signing for a server that ran here before, with a
        journal that has been replaced by an older one. It surely is not after the quiet time W."""
        return self._clock.seconds() - self._began_seconds < self._quiet_seconds

    def is_new(self) -> bool:
        return self._journal.lane(self.name).address is None

    async def carry(
        self,
        command_id: str,
        *,
        start_by: float,
        answer_by: float,
        caller_waits: CallerWaits,
        rank: Rank = Rank.USUAL,
    ) -> None:
        """Send a QUEUED command. Returns when it is settled, or at `answer_by`.

        start_by, answer_by: monotonic seconds; after start_by its first receipt is no longer sent.
        The second one of a pair is sent whether or not a caller waits.
        """
        work = self._start(command_id, start_by, caller_waits, rank)
        await asyncio.wait({work}, timeout=max(0.0, answer_by - self._clock.seconds()))

    def resume(self, command_id: str) -> None:
        if command_id not in self._in_flight.values():
            self._start(command_id, math.inf, command_runner.nobody_needs_to_wait)

    def _start(
        self,
        command_id: str,
        start_by: float,
        caller_waits: CallerWaits,
        rank: Rank = Rank.HALF_DONE,
    ) -> asyncio.Task[None]:
        work = asyncio.create_task(
            self._commands.carry(
                command_id, command_runner.SendingTerms(start_by, caller_waits, rank)
            ),
            name=f"lane {command_id}",
        )
        self._in_flight[work] = command_id
        work.add_done_callback(self._finished)
        return work

    async def finish(self, seconds: float) -> None:
        if self._in_flight:
            await asyncio.wait(list(self._in_flight), timeout=seconds)
        for work in list(self._in_flight):
            work.cancel()
        await asyncio.gather(*self._in_flight, return_exceptions=True)

    async def watch(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._monitor.run())
            group.create_task(self._retired.run())
            group.create_task(self._finish_leftovers())

    def look_now(self) -> None:
        self._outcomes.doubted.set()

    async def look_again(self, request_id: str, *, seconds: float) -> SignedReceipt | None:
        """Ask once for the receipt of a doubt, and sign its request when it is found and equal.

        It returns None when none was found, the echo differs, or no answer came within those
        seconds.
        """
        try:
            async with asyncio.timeout(seconds):
                return await self._monitor_of(request_id).look_again(request_id)
        except TimeoutError:
            return None

    async def prove_absent(self, request_id: str, *, seconds: float) -> None:
        """Ask once more about a request that was reported after a restore. The request is released
        as surely not signed once its receipt was not found for the quiet time.

        The processor must still find earlier receipts (`remembers`). Nothing changes if no answer
        came within those seconds.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._monitor_of(request_id).prove_absent(request_id)

    async def remembers(self, pfr_request_id: str, *, number: str) -> bool:
        """Whether the element in use still finds that receipt by its RequestId. Then later sales
        that it does not find were not signed. The answer is False if a copy of the shop may still
        send those sales. Raises RemoteError."""
        restored = self._journal.restores.restored()
        if restored is not None and restored.why in _MAY_HAVE_A_TWIN:
            return False
        return await self._probe.remembers(pfr_request_id, number=number)

    def ask_all_again(self) -> None:
        """Look up everything taken as absent before the next receipt is sent, because a person who
        declared a receipt absent may be wrong."""
        self._probe.ask_all_again()

    def sign_with_found_receipt(self, request: ports.Request, receipt: SignedReceipt) -> None:
        """Sign a doubt with the receipt that a person brought. Raises MachineError, NotAllowed."""
        self._outcomes.sign_out_of_turn(request, receipt)

    def _monitor_of(self, request_id: str) -> LaneMonitor:
        request = self._journal.request(request_id)
        if request is None or self._is_here(request.lane):
            return self._monitor
        return self._retired.monitor_of(request.lane)

    async def _finish_leftovers(self) -> None:
        while True:
            try:
                self._release_orphans()
                if self.closed() is None:
                    for command_id in self._commands.due():
                        self.resume(command_id)
            except MachineError as error:
                _log.error("the journal can't be looked through now: %s", error.what)
            await asyncio.sleep(command_runner.FIRST_PAUSE_SECONDS)

    def _release_orphans(self) -> None:
        """Release a request that a fault left QUEUED without a task: surely it was not sent."""
        in_flight = set(self._in_flight.values())
        for request_id, command_id in self._journal.queued():
            if command_id not in in_flight:
                _log.error("a request had no owner any more: %s", request_id)
                self._outcomes.release_now(request_id, _NOT_BEGUN)

    # --- turns ------------------------------------------------------------------------------

    async def _take(self, request_id: str, terms: command_runner.SendingTerms) -> None:
        try:
            reason = await retry_while_busy(
                lambda: self._use_turn(request_id, terms),
                clock=self._clock,
                until_seconds=terms.start_by_seconds,
            )
        except MachineError as error:
            reason = ports.StateReason(AnswerClass.WAIT, STORAGE, error.what)
        except BaseException:
            with contextlib.suppress(MachineError):  # else the next start releases it
                self._outcomes.release_now(request_id, _NOT_BEGUN)
            raise
        if reason is not None:
            await self._outcomes.release(request_id, reason)

    async def _use_turn(
        self, request_id: str, terms: command_runner.SendingTerms
    ) -> ports.StateReason | None:
        """Send the request when its turn comes, or return why it was not sent. The journal's errors
        are raised only before SENDING is committed; later commits are retried."""
        if reason := self.closed() or await self._wait_for_turn(terms):
            return reason
        try:
            begun = self.closed() or await self._sending.begin(
                request_id, terms.start_by_seconds, terms.caller_waits
            )
            if isinstance(begun, Begun):
                await self._sending.post(begun)
                return None
            return begun
        finally:
            self._queue.release()

    async def _wait_for_turn(self, terms: command_runner.SendingTerms) -> ports.StateReason | None:
        try:
            async with asyncio.timeout(max(0.0, terms.start_by_seconds - self._clock.seconds())):
                await self._queue.take(terms.rank)
        except TimeoutError:
            return ports.StateReason(AnswerClass.WAIT, "busy", "Another receipt is being signed.")
        return None

    def _finished(self, work: asyncio.Task[None]) -> None:
        del self._in_flight[work]
        if not work.cancelled() and work.exception() is not None:
            _log.error("sending a receipt ended with a bug", exc_info=work.exception())
