"""Sends one request to the processor: from the probe to the outcome of its answer.

Source: exactly-once.md, steps 3 to 6 and 9. SENDING is committed before the first byte, and from
then on every result is stored.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pos_app.clock import Clock
from pos_app.domain.money.tax import TaxLabel, rates_at
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.domain.setup.processor import PfrStatus
from pos_app.errors import MachineError, RemoteError
from pos_app.fiscalization import ports
from pos_app.fiscalization.lane.probe import Probe
from pos_app.fiscalization.outcomes import answer_check
from pos_app.fiscalization.outcomes.outcome_writer import OutcomeWriter, stopped
from pos_app.lazy_dataclass import dataclass

CallerWaits = Callable[[], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class Begun:
    """A request whose SENDING is committed. clock: the processor's time."""

    request: ports.Request
    sent: answer_check.SentDocument
    lane: ports.LaneState
    clock: datetime | None


class Sending:
    def __init__(
        self,
        *,
        address: str,
        journal: ports.LaneJournal,
        processor: ports.Processor,
        clock: Clock,
        probe: Probe,
        outcomes: OutcomeWriter,
    ) -> None:
        self._address = address
        self._journal = journal
        self._processor = processor
        self._clock = clock
        self._probe = probe
        self._outcomes = outcomes

    async def begin(
        self, request_id: str, start_by: float, caller_waits: CallerWaits
    ) -> Begun | ports.StateReason | None:
        """Steps 3 and 4: commit SENDING, or return the reason against that, or None when the
        request has ended."""
        status = await self._probe.may_send(request_id, until_seconds=start_by)
        if isinstance(status, ports.StateReason):
            return status
        if self._clock.seconds() > start_by:
            return ports.StateReason(AnswerClass.WAIT, "late", "The time to answer ran out.")
        if not await caller_waits():
            return ports.StateReason(AnswerClass.WAIT, "caller_gone", "The caller went away.")
        return self._send(request_id, status)

    def _send(self, request_id: str, status: PfrStatus) -> Begun | ports.StateReason | None:
        request = self._journal.request(request_id)
        assert request is not None
        if request.state is not RequestState.QUEUED:  # the probe found its receipt
            return None
        if request.child == 0 and (fault := self._pair_fault(request, status)):
            return fault
        known = self._journal.lane(self._journal.element())
        lane = replace(
            known,
            uid=known.uid or status.uid,
            tin=known.tin or status.tin,
            counter=status.total_counter,
            is_counted=known.is_counted or status.total_counter is not None,
            address=self._address,
        )
        self._journal.send(request_id, lane=lane, clock=status.clock, now=self._clock.now())
        window = answer_check.SigningWindow.since(status.clock)
        sent = answer_check.SentDocument(request.document, lane.uid, lane.counter, lane.tin, window)
        return Begun(request, sent, lane, status.clock)

    def _pair_fault(self, first: ports.Request, status: PfrStatus) -> ports.StateReason | None:
        """Step 9: both receipts of a pair are checked before the first is sent."""
        documents = [request.document for request in self._journal.requests_of(first.command_id)]
        if len(documents) == 1:
            return None
        return label_fault(documents, status, now=self._clock.now())

    async def post(self, begun: Begun) -> None:
        """Steps 5 and 6: SENDING is committed, so every result is stored here."""
        try:
            outcome = await self._ask_signature(begun)
        except BaseException:
            # If the journal can't be written now, the monitor or the next start records it.
            with contextlib.suppress(MachineError):
                self._outcomes.conclude(begun.request, stopped(), begun.lane)
            raise
        await self._outcomes.save(begun.request, outcome, begun.lane)

    async def _ask_signature(self, begun: Begun) -> answer_check.Outcome:
        request, sent, began = begun.request, begun.sent, self._clock.seconds()
        reply = await self._processor.sign(request.document, pfr_request_id=request.pfr_request_id)
        elapsed = timedelta(seconds=self._clock.seconds() - began)
        outcome = answer_check.judge(reply, sent.found_at(begun.clock and begun.clock + elapsed))
        if answer_check.is_unlisted_refusal(outcome) and sent.counter is not None:
            try:
                status = await self._probe.ask()
            except RemoteError:
                return outcome
            if (status.uid, status.total_counter) == (sent.uid, sent.counter):
                return answer_check.counter_stood_still(outcome)
        return outcome


# --- whether the tax labels of a pair are in force ---------------------------------------------
# They are checked before the pair's first receipt is sent: if a label of the second has ended, the
# processor would sign the first and refuse the second, and a person would have to undo the first. A
# single receipt is left to the processor's own check. Source: exactly-once.md step 9.


INVALID_LABELS = "2310"


def label_fault(
    documents: Sequence[FiscalDocument], status: PfrStatus, *, now: datetime
) -> ports.StateReason | None:
    """The reason why a pair can't be signed completely, or None, also where no rates are known.

    documents: the documents of the pair, in order. now: our clock, for a processor that does not
    show its own.
    """
    for document in documents:
        label = _ended_label(document, status, now)
        if label is not None:
            message = f'"{label}" is not among the tax labels that the processor has for that time'
            return ports.StateReason(AnswerClass.FIX, "label", f"{message}.", INVALID_LABELS)
    return None


def _ended_label(document: FiscalDocument, status: PfrStatus, now: datetime) -> TaxLabel | None:
    rates = rates_at(status.rates, document.taxed_as_of or status.clock or now)
    if rates is None or not rates.percent:
        return None
    return next((label for label in document.by_label if label not in rates.percent), None)
