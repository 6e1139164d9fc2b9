"""Receipts that may exist although this journal does not hold them.

They are looked up before anything is sent: attempts taken as absent, requests about which a person
was asked, and, where the journal may lack receipts, the sale that is about to be sent. A receipt
that is found is signed, or an alarm is raised.
Source: exactly-once.md, step 3 and "Restores, replacements, damage".
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from pos_app import log
from pos_app.clock import Clock
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.states import AnswerClass, RequestState, RestoreFound
from pos_app.domain.setup.processor import PfrStatus
from pos_app.errors import RemoteError
from pos_app.fiscalization import ports
from pos_app.fiscalization.outcomes import answer_check
from pos_app.fiscalization.outcomes.doubt import FoundReceipt, NoReceiptFound
from pos_app.fiscalization.outcomes.lookup_log import LookupLog
from pos_app.fiscalization.outcomes.outcome_writer import PERHAPS_DONE_BEFORE, OutcomeWriter
from pos_app.fiscalization.outcomes.restore_detection import may_lack_acts, may_lack_receipts
from pos_app.fiscalization.state_changes import StateChanges

ON_ITS_WAY_AT_MOST = timedelta(hours=1)
"""An attempt that was taken as absent so long ago, and looked up since, can no longer be signed."""
REPEATED_AT_MOST = timedelta(days=7)
"""So long after a manager has closed a restore, another program may still repeat an old key: its
receipt is looked up first, which costs one question."""
_AWAY = "away"
_MAY_BE_SIGNED_YET = frozenset(
    {RequestState.RELEASED, RequestState.QUEUED, RequestState.NEEDS_HUMAN}
)

_log = log.get(__name__)


class UnknownReceipts:
    """The unknown receipts of one processor. A receipt that the processor does not have is not
    asked for again until its counter moves. A round that ran out of time thus continues where it
    stopped. proves_absence: whether a receipt that the processor does not find was surely not
    signed, or None before the test.
    """

    def __init__(
        self,
        *,
        journal: ports.LaneJournal,
        processor: ports.Processor,
        clock: Clock,
        changes: StateChanges,
        lookup_log: LookupLog,
        outcomes: OutcomeWriter,
    ) -> None:
        self._journal = journal
        self._processor = processor
        self._clock = clock
        self._changes = changes
        self._lookup_log = lookup_log
        self._outcomes = outcomes
        self._asked_at: tuple[str, int | None] = ("", None)
        self._missing: set[str] = set()
        self._found_receipts: dict[str, tuple[ports.ReleasedAttempt, SignedReceipt]] = {}
        self._was_away = True
        self._asks_all = True
        self.proves_absence: bool | None = None
        self._queued_before: set[str] = set()

    def ask_all_again(self) -> None:
        """Ask for all again, because a person declared a receipt absent and may be wrong."""
        self._asks_all = True
        self._missing.clear()

    def processor_is_back(self) -> None:
        self._was_away = True
        self._missing.clear()

    async def settle(
        self,
        status: PfrStatus,
        known: ports.LaneState,
        *,
        sale: ports.Request | None,
        until_seconds: float,
    ) -> ports.StateReason | None:
        """Look up all receipts that may exist; return the reason why nothing may be sent now, or
        None.

        sale: the next to be sent. until_seconds: monotonic. While one question has no answer,
        nothing may be sent: the stored counter stays, so that the next probe continues.
        """
        self._forget_if_moved(known.name, status.total_counter)
        for attempt in self._to_ask(status, known, sale):
            request_id = attempt.pfr_request_id
            if request_id in self._missing or request_id in self._found_receipts:
                continue
            if self._clock.seconds() > until_seconds:
                return ports.StateReason(AnswerClass.WAIT, "late", "The time to answer ran out.")
            try:
                receipt = await self._processor.find(request_id)
            except RemoteError as error:
                return ports.StateReason(AnswerClass.WAIT, _AWAY, error.what)
            self._note(attempt, receipt, status)
        self._was_away = self._asks_all = False
        if sale is not None and self._may_be_repeated(sale):
            with contextlib.suppress(RemoteError):  # without an answer selling continues
                receipt = await self._processor.find(sale.pfr_request_id)
                self._note(_as_absent(sale), receipt, status)
        twin = await self._ask_for_twin(status, known)
        if twin is not None and twin.code == _AWAY:
            return twin  # the counter stays, so that the next probe asks again
        return (
            await self._conclude(status, known, sale)
            or twin
            or await self._try_memory(known, sale)
            or await self._ask_about_referent(sale)
        )

    async def _ask_about_referent(self, sale: ports.Request | None) -> ports.StateReason | None:
        """Ask a person about a request that refers to a receipt of which this journal may lack what
        was done: that is perhaps known only now, by the processor's counter."""
        number = None if sale is None else sale.document.referent_number
        if sale is None or number is None or sale.child > 0:
            return None
        referent = self._journal.request_of_number(number)
        chain = None if referent is None else referent.chain
        if not may_lack_acts(self._journal, chain, besides=sale.command_id):
            return None
        if self._journal.restores.was_vouched(sale.id):
            return None
        await self._outcomes.ask_person(sale.id, PERHAPS_DONE_BEFORE)
        return PERHAPS_DONE_BEFORE

    async def _ask_for_twin(
        self, status: PfrStatus, known: ports.LaneState
    ) -> ports.StateReason | None:
        """Find, where others moved the counter, whether they are a copy of this journal (a cloned
        disk): the processor then holds another receipt under the RequestId of our own last one.

        That receipt raises the alarm of a late receipt, and the journal is marked: from now on only
        keys that are provably newer than the copy are sent. The twin that signed later finds its
        own receipt, reports the other's as foreign traffic, and alone continues to send.
        """
        before, counter = known.explained, status.total_counter
        if None in (before, counter) or before == counter:
            return None
        own = self._journal.findings.last_signed(known.name)
        request = None if own is None else self._journal.request(own)
        if request is None or self._journal.absent_of(request.id):
            return None  # a late receipt of our own says nothing of others
        try:
            receipt = await self._processor.find(request.pfr_request_id)
        except RemoteError as error:
            return ports.StateReason(AnswerClass.WAIT, _AWAY, error.what)
        if receipt is None or self._journal.has_number(receipt.invoice_number):
            return None
        return self._twin_found(request, receipt, known)

    def _twin_found(
        self, request: ports.Request, receipt: SignedReceipt, known: ports.LaneState
    ) -> ports.StateReason | None:
        number, now = receipt.invoice_number, self._clock.now()
        restores, findings = self._journal.restores, self._journal.findings
        if findings.was_late(number):
            return None  # it was reported already
        # A person may have confirmed a receipt while the processor was asked.
        known = replace(self._journal.lane(known.name), uid=known.uid)
        findings.late_receipt(
            request.id,
            receipt,
            pfr_request_id=request.pfr_request_id,
            total=receipt.total_amount or request.document.total,
            lane=known,
            now=now,
        )
        if restores.restored() is None:
            restores.mark_restored(RestoreFound.TWIN, now=now)
        _log.error("a copy of this journal signed %s for the sale of %s", number, request.id)
        message = "A copy of this shop's data issues receipts at the same fiscal processor."
        return ports.StateReason(AnswerClass.WAIT, "twin", message)

    async def _try_memory(
        self, known: ports.LaneState, sale: ports.Request | None
    ) -> ports.StateReason | None:
        """Test, once since the start, whether "not found" proves absence.

        If others signed, who may have been this shop, it proves absence only while the processor
        still finds an earlier receipt. If the processor finds none, requests queued by then are
        released once; when they are sent again, a person is asked about keys that may be old.
        """
        findings = self._journal.findings
        if self.proves_absence is None:
            try:
                proves = not findings.unexplained() or await self._remembers(known.name)
            except RemoteError as error:
                return ports.StateReason(AnswerClass.WAIT, _AWAY, error.what)
            self.proves_absence = proves
            self._queued_before = (
                set() if proves else {queued for queued, _ in self._journal.queued()}
            )
        if sale is None or sale.id not in self._queued_before:
            return None
        self._queued_before.discard(sale.id)
        if self._journal.restores.restored() is not None:  # then it was looked up already
            return None
        return ports.StateReason(
            AnswerClass.WAIT, "others_signed", "Others signed on the same card."
        )

    async def _remembers(self, lane: str) -> bool:
        """Whether the processor finds our last receipt from before others signed: then it finds all
        later receipts too. If we signed nothing on this element before, the answer is False; only
        if the journal had no receipt at all before, as in a new shop, the answer is True.
        """
        findings = self._journal.findings
        before = findings.signed_before_unexplained(lane)
        if before is None:
            return findings.signed_before_unexplained() is None
        return await self._processor.find(before) is not None

    def _forget_if_moved(self, name: str, counter: int | None) -> None:
        before, self._asked_at = self._asked_at, (name, counter)
        if counter is None or before != self._asked_at:
            self._missing.clear()
        if name != before[0]:
            self._found_receipts.clear()
            self.proves_absence = None

    def _to_ask(
        self, status: PfrStatus, known: ports.LaneState, sale: ports.Request | None
    ) -> Iterable[ports.ReleasedAttempt]:
        attempts: list[ports.ReleasedAttempt] = []
        has_moved = status.total_counter not in (None, known.counter)
        if sale is not None:
            attempts += self._journal.absent_of(sale.id)
        if has_moved or self._asks_all:
            attempts += self._journal.absent_in(known.name)
        if has_moved or self._was_away:
            attempts += [
                _as_absent(request) for request in self._journal.asked_of_person(known.name)
            ]
        if sale is not None and self._is_past_in_question(status, known, sale):
            attempts.append(_as_absent(sale))
        return {attempt.pfr_request_id: attempt for attempt in reversed(attempts)}.values()

    def _is_past_in_question(
        self, status: PfrStatus, known: ports.LaneState, sale: ports.Request
    ) -> bool:
        """Whether this journal may lack receipts: a clone of it may have sent the same sale.

        This holds if the element's counter is unknown or has moved without us, if a restore was
        found, or if the sale was accepted before one.
        """
        restores = self._journal.restores
        return (
            status.total_counter not in (0, known.counter)
            or status.total_counter is None
            or may_lack_receipts(restores, self._journal.findings)
            or restores.began_before(sale.id)
        )

    def _may_be_repeated(self, sale: ports.Request) -> bool:
        name, since = sale.pfr_request_id, self._clock.now() - REPEATED_AT_MOST
        if name in self._missing or name in self._found_receipts:
            return False
        restores, findings = self._journal.restores, self._journal.findings
        return restores.was_found_since(since) or findings.others_signed_since(since)

    def _note(
        self, attempt: ports.ReleasedAttempt, receipt: SignedReceipt | None, status: PfrStatus
    ) -> None:
        if receipt is not None and self._is_of_other_request(attempt, receipt):
            receipt = None
        if receipt is not None:
            self._found_receipts[attempt.pfr_request_id] = attempt, receipt
        else:
            self._missing.add(attempt.pfr_request_id)
            long_ago = self._clock.now() - ON_ITS_WAY_AT_MOST
            self._journal.not_found_again(attempt.pfr_request_id, long_ago=long_ago)
        if attempt.asked_in is RequestState.NEEDS_HUMAN:
            look = NoReceiptFound(status.uid, status.total_counter)
            self._lookup_log.note(
                attempt.request_id, look if receipt is None else FoundReceipt(receipt, status.clock)
            )

    def _is_of_other_request(self, attempt: ports.ReleasedAttempt, receipt: SignedReceipt) -> bool:
        """Whether the found receipt belongs to another sale. Then the processor has no receipt of
        this attempt."""
        known = self._journal.request_of_number(receipt.invoice_number)
        return known is not None and known.id != attempt.request_id

    async def _conclude(
        self, status: PfrStatus, known: ports.LaneState, sale: ports.Request | None
    ) -> ports.StateReason | None:
        found = sorted(
            self._found_receipts.items(),
            key=lambda entry: answer_check.counter_of(entry[1][1]) or 0,
        )
        refusal = None
        for name, (absent, receipt) in found:
            # one by one, so that after a stop in between the rest is still to be explained
            known = await self._found_late(absent, receipt, known, status)
            is_known = absent.alarmed_number == receipt.invoice_number  # and a person has decided
            if sale is not None and name == sale.pfr_request_id and not is_known:
                refusal = await self._check_signed(sale, receipt)
            del self._found_receipts[name]
        # A person may have confirmed a receipt while the processor was asked.
        known = replace(self._journal.lane(known.name), uid=known.uid)
        before, counter = known.explained, status.total_counter
        if before is not None and counter is not None and before < counter:
            self._explain(known, before, counter)
        return refusal

    async def _check_signed(
        self, sale: ports.Request, receipt: SignedReceipt
    ) -> ports.StateReason | None:
        """A receipt was found under the sale's RequestId. Unless the sale has taken it by now, ask
        a person, and do not send the sale."""
        now = self._journal.request(sale.id)
        if now is None or now.state is not RequestState.QUEUED:
            return None
        number = receipt.invoice_number
        _log.error("the processor holds %s under another sale's RequestId", number)
        message = f"The processor holds {number} for it, which is not of this sale."
        reason = ports.StateReason(AnswerClass.UNKNOWN, "echo", message)
        await self._outcomes.ask_person(sale.id, reason)
        return reason

    def _explain(self, known: ports.LaneState, before: int, counter: int) -> None:
        """Explain a counter that has moved without a receipt of ours.

        Receipts about which a person was asked may explain the move; else another program signs
        here too, or this program signed before its data were lost. That may be after a start, so
        the alarm then names at least one receipt.
        """
        lane = replace(known, counter=counter, is_counted=True)
        baselines = [request.baseline for request in self._journal.asked_of_person(known.name)]
        asked = [baseline for baseline in baselines if baseline is not None and baseline >= before]
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
        self,
        absent: ports.ReleasedAttempt,
        receipt: SignedReceipt,
        known: ports.LaneState,
        status: PfrStatus,
    ) -> ports.LaneState:
        """Handle a receipt that was taken as absent and exists; return the lane in use, with its
        counter advanced."""
        request = self._journal.request(absent.request_id)
        assert request is not None
        stored, number = self._journal.receipt(request.id), receipt.invoice_number
        if number in (absent.alarmed_number, stored and stored.invoice_number):
            return known
        is_here = absent.lane == known.name
        lane = answer_check.counted_on(
            known if is_here else self._journal.lane(absent.lane), receipt
        )
        if self._may_take(request, absent, receipt, lane, status):
            await self._outcomes.commit(lambda: self._take(request, absent, receipt, lane))
            self._changes.announce(request.id)
        elif absent.asked_in is not RequestState.RELEASED:
            return known  # a person was asked already, or it is not sent
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
        self,
        request: ports.Request,
        absent: ports.ReleasedAttempt,
        receipt: SignedReceipt,
        lane: ports.LaneState,
    ) -> None:
        now, restores = self._clock.now(), self._journal.restores
        if absent.asked_in is RequestState.QUEUED and restores.restored() is None:
            restores.mark_restored(RestoreFound.PROCESSOR_HOLDS, now=now)
        differs = answer_check.differences(receipt, absent.document, tin=lane.tin)
        self._journal.sign(request.id, receipt, lane=lane, now=now, differs=differs)

    def _may_take(
        self,
        request: ports.Request,
        absent: ports.ReleasedAttempt,
        receipt: SignedReceipt,
        lane: ports.LaneState,
        status: PfrStatus,
    ) -> bool:
        """Whether a late receipt still fits its request, which may have been corrected since."""
        return (
            request.pfr_request_id == absent.pfr_request_id
            and request.state in _MAY_BE_SIGNED_YET
            and answer_check.echo_fault(
                receipt, answer_check.sent_before(absent, lane).found_at(status.clock)
            )
            is None
        )


def _as_absent(request: ports.Request) -> ports.ReleasedAttempt:
    return ports.ReleasedAttempt(
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
