"""Asking the processor: how it is, whether a receipt may be sent, whether one exists.

Source: exactly-once.md, step 3 (probe, and a counter that moved without us).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from pos_app import log
from pos_app.domain import processor as pfr
from pos_app.domain.processor import PfrStatus
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.errors import RemoteError
from pos_app.fiscalization.changes import Changes
from pos_app.fiscalization.doubt import Found, Look, Missing, Unreachable
from pos_app.fiscalization.evidence import differences, echo_fault, sent_before
from pos_app.fiscalization.lane_facts import LaneFacts
from pos_app.fiscalization.looks import Looks
from pos_app.fiscalization.ports import (
    Absent,
    Clock,
    Disk,
    Journal,
    Processor,
    Reason,
    Request,
)
from pos_app.fiscalization.refusals import NO_ROOM

LEAST_ROOM = 64 * 1024 * 1024
"""Bytes that must be free before a receipt is sent (step 3)."""
_MAY_BE_SIGNED_YET = frozenset(
    {RequestState.RELEASED, RequestState.QUEUED, RequestState.NEEDS_HUMAN}
)

_log = log.get(__name__)


class Probe:
    """Questions to one processor. status: as told last; away: why it can't be asked now.

    looks: what was found of doubts, for people.
    """

    def __init__(
        self, *, journal: Journal, processor: Processor, clock: Clock, disk: Disk, changes: Changes
    ) -> None:
        self.status: PfrStatus | None = None
        self.away: str | None = None
        self.looks = Looks(journal.findings, clock)
        self._journal = journal
        self._processor = processor
        self._clock = clock
        self._disk = disk
        self._changes = changes

    async def ask(self) -> PfrStatus:
        """Its status. Raises RemoteError, and remembers that it is away."""
        try:
            status = await self._processor.status()
        except RemoteError as error:
            if self.away is None:
                _log.warning("the processor is away: %s", error.what)
            self.away = error.what
            raise
        if self.away is not None:
            _log.info("the processor is back")
        self.away, self.status = None, status
        return status

    def no_room(self) -> Reason | None:
        """Why nothing may be sent: an answer that can't be kept must not be asked for."""
        if self._disk.free_bytes() >= LEAST_ROOM:
            return None
        words = f"The disk is nearly full: {LEAST_ROOM >> 20} MB must be free."
        return Reason(AnswerClass.CURE, NO_ROOM, words)

    async def may_send(self, lane: str, request_id: str) -> PfrStatus | Reason:
        """Step 3: may this receipt be sent now? The status, or the reason why not."""
        if no_room := self.no_room():
            return no_room
        try:
            status = await self.ask()
        except RemoteError as error:
            return Reason(AnswerClass.WAIT, "away", error.what)
        known = self._journal.lane(lane)
        return not_ready(status, known) or await self._not_sent_before(status, known, request_id)

    async def look(self, request: Request) -> Look:
        """Look a receipt up, and note what came of it for people."""
        look = await self._look(request)
        self.looks.note(request.id, look)
        return look

    async def _look(self, request: Request) -> Look:
        """The counter first, then the receipt: a signature between the two is found."""
        try:
            status = await self.ask()
            receipt = await self._processor.find(request.pfr_request_id)
        except RemoteError:
            return Unreachable()
        if receipt is None:
            return Missing(status.uid, status.total_counter)
        return Found(receipt, status.clock)

    # --- what was taken as absent, and a counter that moved without us --------------------------

    async def _not_sent_before(
        self, status: PfrStatus, known: LaneFacts, request_id: str
    ) -> PfrStatus | Reason:
        """Look up what was taken as absent: when the counter moved all of it, else this sale's.

        One question without an answer, and nothing may be sent: the counter that is known stays,
        so that the next probe asks all of them again.
        """
        has_moved = status.total_counter not in (None, known.counter)
        asked = self._journal.absent_of(request_id)
        if has_moved:
            asked += self._journal.absent_in(known.name)
        late = dict[str, tuple[Absent, SignedReceipt]]()
        for absent in {one.pfr_request_id: one for one in asked}.values():
            try:
                receipt = await self._processor.find(absent.pfr_request_id)
            except RemoteError as error:
                return Reason(AnswerClass.WAIT, "away", error.what)
            if receipt is not None:
                late[absent.pfr_request_id] = absent, receipt
        for absent, receipt in sorted(late.values(), key=lambda one: one[1].total_counter or 0):
            # one by one, so that a stop in between leaves the rest to be explained
            known = self._found_late(absent, receipt, known)
        if known.counter is not None and status.total_counter not in (None, known.counter):
            assert status.total_counter is not None
            self._told_of_others(known, status.total_counter)
        return status

    def _told_of_others(self, known: LaneFacts, counter: int) -> None:
        """No receipt of ours explains where the counter is: another program signs here too."""
        lane = replace(known, counter=counter)
        assert known.counter is not None
        self._journal.findings.foreign_traffic(
            before=known.counter, counter=counter, lane=lane, now=self._clock.now()
        )

    def _found_late(self, absent: Absent, receipt: SignedReceipt, known: LaneFacts) -> LaneFacts:
        """A receipt taken as absent is there after all: the lane with what is explained by it."""
        now, request = self._clock.now(), self._journal.request(absent.request_id)
        assert request is not None
        kept, number = self._journal.receipt(request.id), receipt.invoice_number
        if number in (absent.alarmed_number, kept and kept.invoice_number):
            return known
        lane = _counted_on(known, receipt)
        if not self._may_take(request, absent, receipt, lane):
            self._journal.findings.late_receipt(
                request.id,
                receipt,
                pfr_request_id=absent.pfr_request_id,
                total=receipt.total_amount or absent.document.total,
                lane=lane,
                now=now,
            )
            return lane
        if request.state is RequestState.QUEUED:  # to be sent again: that is not needed now
            reason = Reason(AnswerClass.WAIT, "found_late", "It had been signed late.")
            self._journal.settle(request.id, RequestState.RELEASED, reason=reason, now=now)
        differs = differences(receipt, absent.document, tin=known.tin)
        self._journal.sign(request.id, receipt, lane=lane, now=now, differs=differs)
        self._changes.tell(request.id)
        return lane

    def _may_take(
        self, request: Request, absent: Absent, receipt: SignedReceipt, lane: LaneFacts
    ) -> bool:
        """Whether a late receipt answers its request still: it was not corrected since."""
        return (
            request.pfr_request_id == absent.pfr_request_id
            and request.state in _MAY_BE_SIGNED_YET
            and echo_fault(receipt, sent_before(absent, lane).found_at(self._clock_told())) is None
            and self._journal.request_of_number(receipt.invoice_number) is None
        )

    def _clock_told(self) -> datetime | None:
        return None if self.status is None else self.status.clock


def not_ready(status: PfrStatus, known: LaneFacts) -> Reason | None:
    """Why nothing may be sent to a processor that tells this of itself."""
    if None not in (known.uid, status.uid) and known.uid != status.uid:
        words = f"The processor's secure element is {status.uid}, not {known.uid}."
        return Reason(AnswerClass.CURE, "other_element", words)
    if code := status.blocking_code:
        return Reason(AnswerClass.CURE, "not_ready", f"{code} {pfr.meaning(code)}", code)
    # What it can't tell of itself now, it can't be held to when an answer is lost.
    if status.is_bare or (known.uid is not None and status.uid is None):
        return _not_told(status, "no_element", "which secure element it has")
    if known.is_counted and status.total_counter is None:
        return _not_told(status, "no_counter", "its counter")
    return None


def _not_told(status: PfrStatus, code: str, what: str) -> Reason:
    trouble = status.trouble_code
    why = f": {trouble} {pfr.meaning(trouble)}" if trouble else ""
    return Reason(AnswerClass.CURE, code, f"The processor does not tell {what}{why}.", trouble)


def _counted_on(lane: LaneFacts, receipt: SignedReceipt) -> LaneFacts:
    """The lane with one more receipt explained, unless its counter had passed that already."""
    if lane.counter is None:
        return lane
    if receipt.total_counter is not None and receipt.total_counter <= lane.counter:
        return lane
    return replace(lane, counter=lane.counter + 1)
