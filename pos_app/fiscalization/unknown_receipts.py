"""Receipts that may exist although this journal does not hold them: asked for before anything is
sent, and signed or told of when they are found.

That is what was taken as absent, what a person was asked about, and, where the journal's own past
is in question, the very sale that is about to be sent.
Source: exactly-once.md, step 3 and "Restores, replacements, damage".
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.processor import PfrStatus
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import AnswerClass, RequestState, RestoreFound
from pos_app.errors import RemoteError
from pos_app.fiscalization.answer_check import (
    counted_on,
    counter_of,
    differences,
    echo_fault,
    sent_before,
)
from pos_app.fiscalization.doubt import FoundReceipt, NoReceiptFound
from pos_app.fiscalization.lane_state import LaneState
from pos_app.fiscalization.lookup_log import LookupLog
from pos_app.fiscalization.outcome_writer import OutcomeWriter
from pos_app.fiscalization.ports import Journal, Processor, ReleasedAttempt, Request, StateReason
from pos_app.fiscalization.restore_detection import may_lack_receipts
from pos_app.fiscalization.state_changes import StateChanges

ON_ITS_WAY_AT_MOST = timedelta(hours=1)
"""An attempt taken as absent that long ago, and asked for since, is not executed any more."""
REPEATED_AT_MOST = timedelta(days=7)
"""So long after a manager has closed a question about the past, another program may still repeat
what it sent before: it is asked for first, which costs one question."""
_MAY_BE_SIGNED_YET = frozenset(
    {RequestState.RELEASED, RequestState.QUEUED, RequestState.NEEDS_HUMAN}
)

_log = log.get(__name__)


class UnknownReceipts:
    """Of one processor. What it was found not to hold is not asked for again until its counter
    moves, so that a round cut off by time goes on where it stopped.

    proves_absence: whether what it does not find was never signed; None before that was tried.
    """

    def __init__(
        self,
        *,
        journal: Journal,
        processor: Processor,
        clock: Clock,
        changes: StateChanges,
        looks: LookupLog,
        outcomes: OutcomeWriter,
    ) -> None:
        self._journal = journal
        self._processor = processor
        self._clock = clock
        self._changes = changes
        self._looks = looks
        self._outcomes = outcomes
        self._asked_at: tuple[str, int | None] = ("", None)
        self._missing: set[str] = set()
        self._found: dict[str, tuple[ReleasedAttempt, SignedReceipt]] = {}
        self._was_away = True
        self._asks_all = True
        self.proves_absence: bool | None = None
        self._queued_before: set[str] = set()

    def ask_all_again(self) -> None:
        """Somebody said of a receipt that it does not exist, and may be wrong."""
        self._asks_all = True
        self._missing.clear()

    def processor_is_back(self) -> None:
        """It answers again: what a person was asked about meanwhile may be found now."""
        self._was_away = True
        self._missing.clear()

    async def settle(
        self, status: PfrStatus, known: LaneState, *, sale: Request | None, until_seconds: float
    ) -> StateReason | None:
        """Ask for all that may exist; why nothing may be sent now, else None.

        sale: what is to be sent next. until_seconds: monotonic. One question without an answer, and
        nothing may be sent: the counter that is known stays, so that the next probe asks on.
        """
        self._forget_what_moved(known.name, status.total_counter)
        for one in self._to_ask(status, known, sale):
            if one.pfr_request_id in self._missing or one.pfr_request_id in self._found:
                continue
            if self._clock.seconds() > until_seconds:
                return StateReason(AnswerClass.WAIT, "late", "The time to answer ran out.")
            try:
                receipt = await self._processor.find(one.pfr_request_id)
            except RemoteError as error:
                return StateReason(AnswerClass.WAIT, "away", error.what)
            self._note(one, receipt, status)
        self._was_away = self._asks_all = False
        if sale is not None and self._may_be_repeated(sale):
            with contextlib.suppress(RemoteError):  # a manager has looked: selling goes on
                receipt = await self._processor.find(sale.pfr_request_id)
                self._note(_as_absent(sale), receipt, status)
        return await self._conclude(status, known, sale) or await self._try_memory(known, sale)

    async def _try_memory(self, known: LaneState, sale: Request | None) -> StateReason | None:
        """Once since the start: where others signed before it, which may have been this shop, what
        the processor does not find proves nothing, unless it still finds a receipt from before.

        What was queued by then waits where it does not, once: sent again, whose key may be old is
        asked of a person.
        """
        findings = self._journal.findings
        if self.proves_absence is None:
            try:
                proves = not findings.unexplained() or await self._remembers(known.name)
            except RemoteError as error:
                return StateReason(AnswerClass.WAIT, "away", error.what)
            self.proves_absence = proves
            self._queued_before = set() if proves else {one for one, _ in self._journal.queued()}
        if sale is None or sale.id not in self._queued_before:
            return None
        self._queued_before.discard(sale.id)
        if self._journal.restores.restored() is not None:  # then it was asked for already
            return None
        return StateReason(AnswerClass.WAIT, "others_signed", "Others signed on the same card.")

    async def _remembers(self, lane: str) -> bool:
        """Whether it finds the last receipt from before others signed: then it finds all since.

        An element on which we signed nothing before tells nothing; but a journal that held nothing
        at all is that of a new shop.
        """
        findings = self._journal.findings
        before = findings.signed_before_unexplained(lane)
        if before is None:
            return findings.signed_before_unexplained() is None
        return await self._processor.find(before) is not None

    def _forget_what_moved(self, name: str, counter: int | None) -> None:
        before, self._asked_at = self._asked_at, (name, counter)
        if counter is None or before != self._asked_at:
            self._missing.clear()
        if name != before[0]:
            self._found.clear()
            self.proves_absence = None

    def _to_ask(
        self, status: PfrStatus, known: LaneState, sale: Request | None
    ) -> Iterable[ReleasedAttempt]:
        """One for each RequestId; what was sent before tells more than the sale itself."""
        asked: list[ReleasedAttempt] = []
        has_moved = status.total_counter not in (None, known.counter)
        if sale is not None:
            asked += self._journal.absent_of(sale.id)
        if has_moved or self._asks_all:
            asked += self._journal.absent_in(known.name)
        if has_moved or self._was_away:
            asked += [_as_absent(one) for one in self._journal.asked_of_person(known.name)]
        if sale is not None and self._is_past_in_question(status, known, sale):
            asked.append(_as_absent(sale))
        return {one.pfr_request_id: one for one in reversed(asked)}.values()

    def _is_past_in_question(self, status: PfrStatus, known: LaneState, sale: Request) -> bool:
        """Whether this journal may lack what was signed: nothing says how far the element had
        come, or it came further without us: a clone of this journal may have sent the very sale."""
        restores = self._journal.restores
        return (
            status.total_counter not in (0, known.counter)
            or status.total_counter is None
            or may_lack_receipts(restores, self._journal.findings)
            or restores.began_before(sale.id)
        )

    def _may_be_repeated(self, sale: Request) -> bool:
        """Whether its past was in question lately, and it was not asked for just now."""
        name, since = sale.pfr_request_id, self._clock.now() - REPEATED_AT_MOST
        if name in self._missing or name in self._found:
            return False
        restores, findings = self._journal.restores, self._journal.findings
        return restores.was_found_since(since) or findings.others_signed_since(since)

    def _note(self, one: ReleasedAttempt, receipt: SignedReceipt | None, status: PfrStatus) -> None:
        if receipt is not None and self._is_anothers(one, receipt):
            receipt = None
        if receipt is not None:
            self._found[one.pfr_request_id] = one, receipt
        else:
            self._missing.add(one.pfr_request_id)
            long_ago = self._clock.now() - ON_ITS_WAY_AT_MOST
            self._journal.not_found_again(one.pfr_request_id, long_ago=long_ago)
        if one.asked_in is RequestState.NEEDS_HUMAN:
            look = NoReceiptFound(status.uid, status.total_counter)
            self._looks.note(
                one.request_id, look if receipt is None else FoundReceipt(receipt, status.clock)
            )

    def _is_anothers(self, one: ReleasedAttempt, receipt: SignedReceipt) -> bool:
        """A processor that answers with a receipt it signed for another sale holds none of this."""
        known = self._journal.request_of_number(receipt.invoice_number)
        return known is not None and known.id != one.request_id

    async def _conclude(
        self, status: PfrStatus, known: LaneState, sale: Request | None
    ) -> StateReason | None:
        found = sorted(self._found.items(), key=lambda one: counter_of(one[1][1]) or 0)
        refusal = None
        for name, (absent, receipt) in found:
            # one by one, so that a stop in between leaves the rest to be explained
            known = await self._found_late(absent, receipt, known, status)
            is_known = absent.alarmed_number == receipt.invoice_number  # and a person has decided
            if sale is not None and name == sale.pfr_request_id and not is_known:
                refusal = await self._check_signed(sale, receipt)
            del self._found[name]
        before, counter = known.explained, status.total_counter
        if before is not None and counter is not None and before != counter:
            self._explain(known, before, counter)
        return refusal

    async def _check_signed(self, sale: Request, receipt: SignedReceipt) -> StateReason | None:
        """What was found under the name of the sale that is to be sent must have become its
        receipt: else it is not sent, and a person is asked."""
        now = self._journal.request(sale.id)
        if now is None or now.state is not RequestState.QUEUED:
            return None
        number = receipt.invoice_number
        _log.error("the processor holds %s under another sale's name", number)
        words = f"The processor holds {number} for it, which is not of this sale."
        reason = StateReason(AnswerClass.UNKNOWN, "echo", words)
        await self._outcomes.ask_person(sale.id, reason)
        return reason

    def _explain(self, known: LaneState, before: int, counter: int) -> None:
        """No receipt of ours explains where the counter is: it may be what a person is asked about,
        else another program signs here too, or this one did, before its data were lost. After a
        start the last is possible, so one at least is told."""
        lane = replace(known, counter=counter, is_counted=True)
        baselines = [one.baseline for one in self._journal.asked_of_person(known.name)]
        asked = [one for one in baselines if one is not None and one >= before]
        others = counter - before - len(asked)
        if self.proves_absence is None:
            others = max(1, others)
        if others <= 0:
            self._journal.keep_lane(lane)
            return
        self._journal.findings.foreign_traffic(
            before=counter - others, counter=counter, lane=lane, now=self._clock.now()
        )

    async def _found_late(
        self, absent: ReleasedAttempt, receipt: SignedReceipt, known: LaneState, status: PfrStatus
    ) -> LaneState:
        """A receipt taken as absent is there after all: the lane in use with what is explained
        by it."""
        request = self._journal.request(absent.request_id)
        assert request is not None
        kept, number = self._journal.receipt(request.id), receipt.invoice_number
        if number in (absent.alarmed_number, kept and kept.invoice_number):
            return known
        is_here = absent.lane == known.name
        lane = counted_on(known if is_here else self._journal.lane(absent.lane), receipt)
        if self._may_take(request, absent, receipt, lane, status):
            await self._outcomes.commit(lambda: self._take(request, absent, receipt, lane))
            self._changes.tell(request.id)
        elif absent.asked_in is not RequestState.RELEASED:
            return known  # it waits for a person already, or is not sent
        else:
            self._journal.findings.late_receipt(
                request.id,
                receipt,
                pfr_request_id=absent.pfr_request_id,
                total=receipt.total_amount or absent.document.total,
                lane=lane,
                now=self._clock.now(),
            )
        return lane if is_here else known

    def _take(
        self, request: Request, absent: ReleasedAttempt, receipt: SignedReceipt, lane: LaneState
    ) -> None:
        """Sign it. One that was to be sent for the first time was signed before a restore."""
        now, restores = self._clock.now(), self._journal.restores
        if absent.asked_in is RequestState.QUEUED and restores.restored() is None:
            restores.mark_restored(RestoreFound.PROCESSOR_HOLDS, now=now)
        differs = differences(receipt, absent.document, tin=lane.tin)
        self._journal.sign(request.id, receipt, lane=lane, now=now, differs=differs)

    def _may_take(
        self,
        request: Request,
        absent: ReleasedAttempt,
        receipt: SignedReceipt,
        lane: LaneState,
        status: PfrStatus,
    ) -> bool:
        """Whether a late receipt answers its request still: it was not corrected since."""
        return (
            request.pfr_request_id == absent.pfr_request_id
            and request.state in _MAY_BE_SIGNED_YET
            and echo_fault(receipt, sent_before(absent, lane).found_at(status.clock)) is None
        )


def _as_absent(request: Request) -> ReleasedAttempt:
    """A request that was never taken as absent, as what is asked for."""
    return ReleasedAttempt(
        request.id,
        request.attempt,
        request.pfr_request_id,
        request.document,
        request.lane,
        baseline=request.baseline,
        sent_clock=request.sent_clock,
        asked_in=request.state,
        was_sent=request.was_sent,
    )
