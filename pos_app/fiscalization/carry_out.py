"""Carrying an operation out: what a key stands for, and the way from a request to its answer.

Source: exactly-once.md, steps 1, 2, 7 and "States of a request on the server".
"""

from __future__ import annotations

from pos_app.domain.states import BINDING, RequestState
from pos_app.errors import Invalid, NotFound
from pos_app.fiscalization.accept import accept
from pos_app.fiscalization.answer import Issued, answer_for_caller, is_half_done
from pos_app.fiscalization.counter import Caller, Counter, Received
from pos_app.fiscalization.lane_queue import Rank
from pos_app.fiscalization.outcome import PERHAPS_SIGNED_BEFORE
from pos_app.fiscalization.pairs import ASK_FIRST_SECONDS
from pos_app.fiscalization.past import is_asked_first, nothing_denied
from pos_app.fiscalization.ports import Command
from pos_app.fiscalization.refusals import (
    KeyBound,
    NotSigned,
    OutcomeNotKnown,
)

START_WITHIN_SECONDS = 18.0
"""Seconds from acceptance within which a receipt may be sent (step 2)."""
ANSWER_WITHIN_SECONDS = 19.0
"""Seconds from acceptance within which it is known what to answer; clients wait 20."""


async def carry_out(
    *, counter: Counter, caller: Caller, received: Received, began_seconds: float | None = None
) -> Issued:
    """Carry out one operation, or answer what became of its key.

    began_seconds: monotonic, from which its time counts where it is tried again; else now.
    Raises Invalid and ReceiptNotFound (nothing stored), NotSigned, OutcomeNotKnown, KeyBound.
    """
    began = counter.clock.seconds() if began_seconds is None else began_seconds
    answer_by = began + ANSWER_WITHIN_SECONDS
    known = kept_id(counter, caller, received)
    if known is not None and _is_bound(counter, known, received):
        if caller.keyless:
            _heard_again(counter, known)
        await _wait(counter, known, answer_by)
        return answer_for_caller(counter.journal, known)
    old = None if known is None else counter.journal.command(known)
    found = () if known is None else counter.journal.whereabouts_of(known)
    if old is not None and not found:
        words = "The journal lacks the receipts of this key."
        raise OutcomeNotKnown(words, receipt_id=old.id)
    if is_asked_first(counter, caller, found):
        return await _ask_first(counter, caller, received, old)
    with nothing_denied(counter, caller, received):
        command = accept(counter, caller, received, old)
        await counter.lane.carry(
            command.id,
            start_by=began + START_WITHIN_SECONDS,
            answer_by=answer_by,
            caller_waits=caller.waits,
            rank=Rank.TILL if caller.is_till else Rank.USUAL,
        )
        return answer_for_caller(counter.journal, command.id)


async def _ask_first(
    counter: Counter, caller: Caller, received: Received, old: Command | None
) -> Issued:
    """Of a key that may be older than a restore: the receipt that the processor holds for it.

    Raises OutcomeNotKnown where it holds none: a person is asked. Nothing is denied of it until a
    manager has looked, though a journal that lacks what came before can't even plan it: then
    nothing is kept, and the till, which would take the id for that, is told none.
    """
    received.read()
    try:
        command = accept(counter, caller, received, old, asked_first=PERHAPS_SIGNED_BEFORE)
    except (Invalid, NotFound, NotSigned) as error:
        journal = counter.journal
        if journal.restores.restored() is None and not journal.findings.unexplained():
            raise
        words = f"{PERHAPS_SIGNED_BEFORE.words} {error.what}"
        receipt_id = None if caller.is_from_before_restore else caller.receipt_id
        raise OutcomeNotKnown(words, receipt_id=receipt_id) from error
    for request in counter.journal.requests_of(command.id):
        if await counter.lane.look_again(request.id, seconds=ASK_FIRST_SECONDS) is None:
            break
    return answer_for_caller(counter.journal, command.id)


def kept_id(counter: Counter, caller: Caller, received: Received) -> str | None:
    """What the journal may hold of this request: by its key; without one, its twin that is open
    or was not delivered. The id of that command."""
    if not caller.keyless:
        return caller.receipt_id
    return counter.journal.keyless_twin(caller.origin, received.body_hash)


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


def _heard_again(counter: Counter, command_id: str) -> None:
    """The same request without a key gets what is signed, or resumes its pair; an open one it does
    not wait for, because it may be another sale."""
    counter.journal.repeated(command_id)
    found = counter.journal.whereabouts_of(command_id)
    if not any(one.state is RequestState.SIGNED for one in found):
        raise OutcomeNotKnown(
            "The same request without a key is still open.", receipt_id=command_id
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
