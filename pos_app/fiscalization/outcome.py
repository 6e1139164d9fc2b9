"""Writing down how a request ended: after its answer, after a look-up, after a person asked.

Source: exactly-once.md, step 6 and the table of states.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.fiscalization.doubt import Found
from pos_app.fiscalization.evidence import Sent, Verdict, echo_fault
from pos_app.fiscalization.ports import Journal, LaneFacts, Reason, Request
from pos_app.fiscalization.probe import Probe

_DOUBTED = frozenset({RequestState.UNKNOWN, RequestState.NEEDS_HUMAN})


def checked(journal: Journal, request: Request, verdict: Verdict) -> Verdict:
    """A receipt that is another sale's already is no answer: one given twice, for example."""
    receipt = verdict.receipt
    known = receipt and journal.command_of_number(receipt.invoice_number)
    if not receipt or not known or known.id == request.command_id:
        return verdict
    words = f"The processor's answer {receipt.invoice_number} is of another sale."
    reason = Reason(AnswerClass.UNKNOWN, "echo", words)
    looked_up = request.state is RequestState.UNKNOWN
    return Verdict(RequestState.NEEDS_HUMAN if looked_up else RequestState.UNKNOWN, reason)


def conclude(
    journal: Journal, request: Request, verdict: Verdict, lane: LaneFacts, *, now: datetime
) -> None:
    """Commit a verdict, and what it tells of the lane."""
    if verdict.receipt is not None:
        receipt = verdict.receipt
        lane = replace(lane, counter=_counter_after(lane, receipt), tin=lane.tin or receipt.tin)
        journal.sign(request.id, receipt, lane=lane, now=now)
        return
    assert verdict.reason is not None
    frees = verdict.state is RequestState.NEEDS_HUMAN
    journal.settle(
        request.id,
        verdict.state,
        reason=verdict.reason,
        now=now,
        proven_absent=verdict.reason.code == "proven_absent",
        lane=replace(lane, counter=None) if frees else None,
    )


def stopped() -> Verdict:
    """Of a request that was being sent when the work on it ended."""
    words = "The server stopped before the processor answered."
    return Verdict(RequestState.UNKNOWN, Reason(AnswerClass.UNKNOWN, "stopped", words))


async def look_again(
    probe: Probe, journal: Journal, request_id: str
) -> tuple[Request, SignedReceipt] | None:
    """The doubted request with its receipt, when the processor holds one that is equal."""
    request = journal.request(request_id)
    if request is None or request.state not in _DOUBTED:
        return None
    look = await probe.look(request)
    if not isinstance(look, Found) or journal.request(request_id) != request:
        return None
    lane = journal.lane(request.lane)
    sent = Sent(request.document, lane.uid, request.baseline, lane.tin)
    if echo_fault(look.receipt, sent) is not None:
        return None
    verdict = checked(journal, request, Verdict(RequestState.SIGNED, receipt=look.receipt))
    return None if verdict.receipt is None else (request, verdict.receipt)


def sign_again(
    journal: Journal, request: Request, receipt: SignedReceipt, *, now: datetime
) -> None:
    """Sign what `look_again` found. A lane that went on without it keeps its own counter."""
    lane = journal.lane(request.lane)
    if request.state is RequestState.UNKNOWN:
        conclude(journal, request, Verdict(RequestState.SIGNED, receipt=receipt), lane, now=now)
    else:
        journal.sign(request.id, receipt, lane=lane, now=now)


def _counter_after(lane: LaneFacts, receipt: SignedReceipt) -> int | None:
    """The lane's counter once this is signed: with a gap before it, the next probe sees a move."""
    if lane.counter is None or receipt.total_counter is None:
        return None
    return min(receipt.total_counter, lane.counter + 1)
