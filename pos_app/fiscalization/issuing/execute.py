"""Carries out an operation: checks the earlier use of its key, then enqueues, sends and answers.

Source: exactly-once.md, steps 1, 2, 7 and "States of a request on the server".
"""

from __future__ import annotations

from collections.abc import Sequence

from pos_app.domain.receipt.states import BINDING, RequestState
from pos_app.errors import Invalid, NotFound
from pos_app.fiscalization.issuing.after_restore import (
    is_asked_first,
    is_unsure_of_referent,
    nothing_denied,
)
from pos_app.fiscalization.issuing.enqueue import enqueue
from pos_app.fiscalization.issuing.results import IssuedReceipts, answer_for_caller, is_half_done
from pos_app.fiscalization.lane.command_runner import ASK_FIRST_SECONDS
from pos_app.fiscalization.lane.lane_queue import Rank
from pos_app.fiscalization.outcomes.outcome_writer import PERHAPS_DONE_BEFORE, PERHAPS_SIGNED_BEFORE
from pos_app.fiscalization.outcomes.restore_detection import may_lack_receipts
from pos_app.fiscalization.ports import Command, ReceiptStatus
from pos_app.fiscalization.refusals import KeyBound, NotSigned, OutcomeNotKnown
from pos_app.fiscalization.service import Caller, FiscalService, IncomingRequest

START_WITHIN_SECONDS = 18.0
"""Seconds from acceptance within which a receipt may be sent (step 2)."""
ANSWER_WITHIN_SECONDS = 19.0
"""Seconds from acceptance within which the server answers; clients wait 20."""


async def execute(
    *,
    service: FiscalService,
    caller: Caller,
    incoming: IncomingRequest,
    began_seconds: float | None = None,
) -> IssuedReceipts:
    """Carry out one operation, or answer with the result of its key.

    began_seconds: when the first try began, in monotonic seconds, or None for now. Raises Invalid
    and ReceiptNotFound (nothing stored), NotSigned, OutcomeNotKnown, KeyBound.
    """
    began = service.clock.seconds() if began_seconds is None else began_seconds
    within_seconds = ANSWER_WITHIN_SECONDS
    if caller.left_seconds is not None:
        within_seconds = min(within_seconds, caller.left_seconds)
    answer_by = began + within_seconds
    start_by = answer_by - (ANSWER_WITHIN_SECONDS - START_WITHIN_SECONDS)
    known = await kept_id(service, caller, incoming)
    found = () if known is None else service.journal.statuses_of(known)
    if known is not None and _is_bound(service, known, found, incoming):
        if caller.keyless and known != caller.receipt_id:
            _repeat_keyless(service, caller, known)
        if caller.is_provable:
            await service.lane.prove_absent(known, seconds=ASK_FIRST_SECONDS)
        await _wait(service, known, answer_by)
        return answer_for_caller(service.journal, known)
    old = None if known is None else service.journal.command(known)
    if old is not None and not found:
        raise OutcomeNotKnown("receipts_missing", receipt_id=old.id)
    if caller.may_be_begun and old is None and service.lane.is_just_started():
        raise OutcomeNotKnown("just_started", receipt_id=caller.receipt_id)
    if is_asked_first(service, caller, found):
        return await _ask_first(service, caller, incoming, old)
    with nothing_denied(service, caller, incoming):
        if is_unsure_of_referent(service, incoming, old):
            command = enqueue(service, caller, incoming, old, asked_first=PERHAPS_DONE_BEFORE)
            return answer_for_caller(service.journal, command.id)
        command = enqueue(service, caller, incoming, old)
        await service.lane.carry(
            command.id,
            start_by=start_by,
            answer_by=answer_by,
            caller_waits=caller.waits,
            rank=Rank.TILL if caller.is_till else Rank.USUAL,
        )
        return answer_for_caller(service.journal, command.id)


async def _ask_first(
    service: FiscalService, caller: Caller, incoming: IncomingRequest, old: Command | None
) -> IssuedReceipts:
    """Find the processor's receipt for a key that may be older than a restore.

    If the processor has none, a person is asked, and OutcomeNotKnown is raised. The receipt is not
    denied until a manager has looked, even if the restored journal lacks receipts that the plan
    needs. In that case nothing is stored, and the till gets no receipt id, because an id would mean
    that the request is stored.
    """
    incoming.read()
    is_unsure = is_unsure_of_referent(service, incoming, old) and not caller.is_from_before_restore
    reason = PERHAPS_DONE_BEFORE if is_unsure else PERHAPS_SIGNED_BEFORE
    try:
        command = enqueue(service, caller, incoming, old, asked_first=reason)
    except (Invalid, NotFound, NotSigned) as error:
        if not may_lack_receipts(service.journal.restores, service.journal.findings):
            raise
        message = f"{PERHAPS_SIGNED_BEFORE.words} {error.what}"
        receipt_id = None if caller.is_from_before_restore else caller.receipt_id
        raise OutcomeNotKnown(what=message, receipt_id=receipt_id) from error
    for request in service.journal.requests_of(command.id):
        if await service.lane.look_again(request.id, seconds=ASK_FIRST_SECONDS) is None:
            break
    return answer_for_caller(service.journal, command.id)


async def kept_id(service: FiscalService, caller: Caller, incoming: IncomingRequest) -> str | None:
    """Return the id of the command that the journal may hold for this request.

    For a request without a key this is the request's own id, if it was stored before. Otherwise it
    is the id of an identical command that is open or whose answer was not delivered, unless the
    caller of that command, or a caller who gets its answer, is still connected; or of one that goes
    on by a person's word.
    """
    if not caller.keyless:
        return caller.receipt_id
    others = await service.present.ids()
    if service.journal.statuses_of(caller.receipt_id):
        return caller.receipt_id
    if earlier_id := service.present.given_to(caller.receipt_id):
        return earlier_id
    journal, lane = service.journal, service.lane.name
    if twin := journal.keyless_twin(caller.origin, incoming.body_hash, besides=others):
        return twin
    return journal.keyless_vouched(caller.origin, incoming.body_hash, lane=lane)


def _is_bound(
    service: FiscalService,
    command_id: str,
    statuses: Sequence[ReceiptStatus],
    incoming: IncomingRequest,
) -> bool:
    """Return True if the receipts of this key bind it to the present body, and False if nothing
    binds it, so that a new attempt may begin. Raises KeyBound if it is bound to another body, or
    cancelled. statuses: the receipts of the key.

    This is checked before the command's content is read, so another body is refused even if the
    content is damaged.
    """
    states = {status.state for status in statuses}
    if not states & BINDING:
        return False
    if RequestState.CANCELLED in states:
        raise KeyBound("cancelled_body")
    hashes = statuses[0].body_hash, service.journal.corrected_hash(command_id)
    if incoming.body_hash not in hashes:
        raise KeyBound("other_body")
    return True


def _repeat_keyless(service: FiscalService, caller: Caller, command_id: str) -> None:
    """Let a repeated request without a key take the signed receipt, or resume its pair.

    It does not wait for an open command, because that may be another sale. A signed receipt goes to
    this caller only, not to others that send the same body at the same time.
    """
    service.journal.repeated(command_id)
    found = service.journal.statuses_of(command_id)
    if not any(status.state is RequestState.SIGNED for status in found):
        raise OutcomeNotKnown("still_open", receipt_id=command_id)
    if all(status.state is RequestState.SIGNED for status in found):
        service.present.give(caller.receipt_id, command_id)


async def _wait(service: FiscalService, command_id: str, answer_by: float) -> None:
    resumed = False
    while (left := answer_by - service.clock.seconds()) > 0:
        requests = service.journal.requests_of(command_id)
        waiting = next(
            (request for request in requests if request.state is not RequestState.SIGNED), None
        )
        if waiting is None:
            return
        if waiting.state is RequestState.RELEASED and is_half_done(requests) and not resumed:
            service.lane.resume(command_id)
            resumed = True
        elif waiting.state not in (RequestState.QUEUED, RequestState.SENDING):
            return
        if not await service.lane.changes.wait(waiting.id, left):
            return
