"""Carrying an operation out: what a key stands for, and the way from a request to its answer.

Source: exactly-once.md, steps 1, 2, 7 and the table of what binds a key.
"""

from __future__ import annotations

from datetime import timedelta

from pos_app.domain.states import BINDING, RequestState
from pos_app.fiscalization.accept import accept
from pos_app.fiscalization.answer import Issued, answer_for_caller, is_half_done
from pos_app.fiscalization.counter import Caller, Counter, Received
from pos_app.fiscalization.refusals import KeyBound, OutcomeNotKnown

START_WITHIN_SECONDS = 18.0
"""Seconds from acceptance within which a receipt may be sent (step 2)."""
ANSWER_WITHIN_SECONDS = 19.0
"""Seconds from acceptance within which it is known what to answer; clients wait 20."""
UNDELIVERED = timedelta(minutes=10)
"""How long an answer that did not reach its keyless caller guards against a twin."""


async def carry_out(
    *, counter: Counter, caller: Caller, received: Received, began_seconds: float | None = None
) -> Issued:
    """Carry out one operation, or answer what became of its key.

    began_seconds: of the monotonic clock, from which its time counts; None: now.
    Raises Invalid and ReceiptNotFound (nothing stored), NotSigned, OutcomeNotKnown, KeyBound.
    """
    began = counter.clock.seconds() if began_seconds is None else began_seconds
    answer_by = began + ANSWER_WITHIN_SECONDS
    known = kept_id(counter, caller, received)
    if known is not None and _is_bound(counter, known, received):
        if caller.keyless:
            _check_keyless(counter, known)
        await _wait(counter, known, answer_by)
        return answer_for_caller(counter.journal, known)
    old = None if known is None else counter.journal.command(known)
    command = accept(counter, caller, received, old)
    await counter.lane.carry(
        command.id,
        start_by=began + START_WITHIN_SECONDS,
        answer_by=answer_by,
        caller_waits=caller.waits,
    )
    return answer_for_caller(counter.journal, command.id)


def kept_id(counter: Counter, caller: Caller, received: Received) -> str | None:
    """The id of what the journal may hold of this request: by its key; without one, its open
    twin."""
    if not caller.keyless:
        return caller.receipt_id
    since = counter.clock.now() - UNDELIVERED
    return counter.journal.keyless_twin(caller.origin, received.body_hash, undelivered_since=since)


def _is_bound(counter: Counter, command_id: str, received: Received) -> bool:
    """Whether this key stands for its body now; if not, a new attempt may begin.

    Told before the content of the command is read: another body is refused though it is damaged.
    """
    found = counter.journal.whereabouts_of(command_id)
    states = {one.state for one in found}
    if not states & BINDING:
        return False
    if RequestState.CANCELLED in states:
        raise KeyBound("This key was cancelled, nothing was signed for this body.")
    known = found[0].body_hash, counter.journal.corrected_hash(command_id)
    if received.body_hash not in known:
        raise KeyBound("This key stands for another body, nothing was signed for this body.")
    return True


def _check_keyless(counter: Counter, command_id: str) -> None:
    """The same request without a key resumes its pair, or hears how it ended; no other."""
    found = counter.journal.whereabouts_of(command_id)
    if len(found) < 2 or not any(one.state is RequestState.SIGNED for one in found):
        raise OutcomeNotKnown(
            "The same request without a key is still open or was not delivered.",
            receipt_id=command_id,
        )


async def _wait(counter: Counter, command_id: str, answer_by: float) -> None:
    """Until the command is settled, as far as that goes by itself; a half-done one is resumed."""
    resumed = False
    while (left := answer_by - counter.clock.seconds()) > 0:
        requests = counter.journal.requests_of(command_id)
        waiting = next((one for one in requests if one.state is not RequestState.SIGNED), None)
        if waiting is None:
            return
        if waiting.state is RequestState.RELEASED and is_half_done(requests) and not resumed:
            counter.lane.resume(command_id)
            resumed = True
        elif waiting.state not in (RequestState.QUEUED, RequestState.SENDING):
            return
        if not await counter.lane.changes.wait(waiting.id, left):
            return
