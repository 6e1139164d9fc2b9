"""Issuing a receipt: what a key stands for, and the way from a request to its answer.

Source: exactly-once.md, steps 1, 2, 7 and the table of what binds a key.
"""

from __future__ import annotations

from datetime import timedelta

from pos_app.domain.states import BINDING, RequestState
from pos_app.fiscalization.accept import accept
from pos_app.fiscalization.answer import Issued, answer_of
from pos_app.fiscalization.counter import Caller, Counter, Received
from pos_app.fiscalization.ports import Command, Request
from pos_app.fiscalization.refusals import KeyBound, OutcomeNotKnown

START_WITHIN_SECONDS = 18.0
"""Seconds from acceptance within which a receipt may be sent (step 2)."""
ANSWER_WITHIN_SECONDS = 19.0
"""Seconds from acceptance within which it is known what to answer; clients wait 20."""
UNDELIVERED = timedelta(minutes=10)
"""How long an answer that did not reach its keyless caller guards against a twin."""


async def issue_receipt(*, counter: Counter, caller: Caller, received: Received) -> Issued:
    """Issue one receipt, or answer what became of its key.

    Raises Invalid (nothing stored), NotSigned, OutcomeNotKnown, KeyBound.
    """
    began = counter.clock.seconds()
    command = _known_command(counter, caller, received)
    if command is not None and (bound := _binding(counter, command, received)):
        return await _bound_answer(counter, command, bound, began + ANSWER_WITHIN_SECONDS)
    request = accept(counter, caller, received, command)
    await counter.lane.carry(
        request.id,
        start_by=began + START_WITHIN_SECONDS,
        answer_by=began + ANSWER_WITHIN_SECONDS,
        caller_waits=caller.waits,
    )
    return answer_of(counter.journal, request.command_id)


def kept_command(counter: Counter, caller: Caller, received: Received) -> Command | None:
    """What the journal holds of this request: by its key; without one, its open twin."""
    if not caller.keyless:
        return counter.journal.command_by_key(caller.origin, caller.key)
    since = counter.clock.now() - UNDELIVERED
    return counter.journal.keyless_twin(caller.origin, received.body_hash, undelivered_since=since)


def _known_command(counter: Counter, caller: Caller, received: Received) -> Command | None:
    command = kept_command(counter, caller, received)
    if command is not None and caller.keyless:
        raise OutcomeNotKnown(
            "The same request without a key is still open or was not delivered.",
            receipt_id=command.id,
        )
    return command


def _binding(counter: Counter, command: Command, received: Received) -> Request | None:
    """The request that binds this key now; None when a new attempt may begin."""
    request = counter.journal.requests_of(command.id)[0]
    if request.state not in BINDING:
        return None
    if request.state is RequestState.CANCELLED:
        raise KeyBound("This key was cancelled, nothing was signed for this body.")
    if command.body_hash != received.body_hash:
        raise KeyBound("This key stands for another body, nothing was signed for this body.")
    return request


async def _bound_answer(
    counter: Counter, command: Command, request: Request, answer_by: float
) -> Issued:
    waiting = {RequestState.QUEUED, RequestState.SENDING}
    while request.state in waiting:
        left = answer_by - counter.clock.seconds()
        if left <= 0 or not await counter.lane.changes.wait(request.id, left):
            break
        request = counter.journal.requests_of(command.id)[0]
    return answer_of(counter.journal, command.id)
