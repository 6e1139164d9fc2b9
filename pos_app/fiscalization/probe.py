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
from pos_app.fiscalization.evidence import echo_fault, sent_before
from pos_app.fiscalization.looks import Looks
from pos_app.fiscalization.ports import (
    Absent,
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

    async def may_send(self, lane: str) -> PfrStatus | Reason:
        """Step 3: may a receipt be sent now? The status, or the reason why not."""
        if self._disk.free_bytes() < LEAST_ROOM:
            return Reason(AnswerClass.CURE, "disk", "The disk is nearly full.")
        try:
            status = await self.ask()
        except RemoteError as error:
            return Reason(AnswerClass.WAIT, "away", error.what)
        known = self._journal.lane(lane)
        if known.uid is not None and status.uid is not None and known.uid != status.uid:
            words = f"The processor's secure element is {status.uid}, not {known.uid}."
            return Reason(AnswerClass.CURE, "other_element", words)
        if code := status.blocking_code:
            return Reason(AnswerClass.CURE, code, f"{code} {pfr.meaning(code)}")
        if status.total_counter not in (None, known.counter):
            unasked = await self._explain(
                replace(known, counter=status.total_counter), known.counter
            )
            return unasked or status
        return status

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

    # --- a counter that moved without us ------------------------------------------------------

    async def _explain(self, lane: LaneFacts, before: int | None) -> Reason | None:
        """Was it a receipt that had been proven absent? Else another program signs here too.

        lane: with the counter as it is now; before: as it was known, None to be taken anew.
        One question without an answer, and nothing may be sent: the counter that is known stays,
        so that the next probe asks all of them again.
        """
        late = list[tuple[Absent, SignedReceipt]]()
        for absent in self._journal.proven_absent(lane.name):
            try:
                receipt = await self._processor.find(absent.pfr_request_id)
            except RemoteError as error:
                return Reason(AnswerClass.WAIT, "away", error.what)
            if receipt is not None:
                late.append((absent, receipt))
        explained = 0
        for absent, receipt in late:
            # one by one, so that a stop in between leaves the rest to be explained
            counter = None if before is None else before + explained + 1
            explained += self._found_late(absent, receipt, replace(lane, counter=counter))
        if before is not None and before + explained != lane.counter:
            assert lane.counter is not None  # only a counter that is told can have moved
            now, own = self._clock.now(), before + explained
            self._journal.findings.foreign_traffic(before=own, counter=lane.counter, now=now)
        return None

    def _found_late(self, absent: Absent, receipt: SignedReceipt, lane: LaneFacts) -> int:
        """A receipt that was proven absent is there after all; how many are explained by it."""
        now, request = self._clock.now(), self._journal.request(absent.request_id)
        assert request is not None
        kept, number = self._journal.receipt(request.id), receipt.invoice_number
        if number in (absent.alarmed_number, kept and kept.invoice_number):
            return 0
        if not self._may_take(request, absent, receipt, lane):
            self._journal.findings.late_receipt(
                request.id,
                receipt,
                pfr_request_id=absent.pfr_request_id,
                total=receipt.total_amount or absent.document.total,
                now=now,
            )
            return 1
        if request.state is RequestState.QUEUED:  # to be sent again: that is not needed now
            reason = Reason(AnswerClass.WAIT, "found_late", "It had been signed late.")
            self._journal.settle(request.id, RequestState.RELEASED, reason=reason, now=now)
        self._journal.sign(request.id, receipt, lane=lane, now=now)
        self._changes.tell(request.id)
        return 1

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
