"""What the journal answers: to the caller who waits, and to whoever looks a receipt up.

Source: exactly-once.md, step 7 (from the table, never from memory); platform-contract.md 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import OPEN, AnswerClass, RequestState
from pos_app.fiscalization.ports import Command, Journal
from pos_app.fiscalization.refusals import KeyBound, NotSigned, OutcomeNotKnown, ReceiptNotFound

BY_KEY = "key:"


@dataclass(frozen=True, slots=True)
class Issued:
    """A signed receipt as it stands in the journal."""

    command: Command
    receipt_id: str
    receipt: SignedReceipt


@dataclass(frozen=True, slots=True)
class StillOpen:
    """Neither a receipt nor surely none."""

    receipt_id: str
    state: RequestState


def answer_of(journal: Journal, command_id: str) -> Issued:
    """What the journal says of a command now. Raises NotSigned, OutcomeNotKnown, KeyBound."""
    command = journal.command(command_id)
    assert command is not None
    request = journal.requests_of(command_id)[0]
    receipt = journal.receipt(request.id)
    if receipt is not None:
        return Issued(command, request.id, receipt)
    reason = request.reason
    if request.state in OPEN:
        raise OutcomeNotKnown(
            reason.words if reason else "The receipt is on its way, its outcome is not known yet.",
            receipt_id=command.id,
        )
    if request.state is RequestState.CANCELLED:
        raise KeyBound("This key was cancelled, nothing was signed.")
    assert reason is not None
    pfr_code = reason.code if reason.code.isdecimal() else ""
    answer_class = reason.answer_class
    if answer_class is AnswerClass.UNKNOWN:  # released by a person or by proof
        answer_class = AnswerClass.WAIT
    raise NotSigned(reason.words, answer_class=answer_class, pfr_code=pfr_code)


def look_up(*, journal: Journal, origin: str, reference: str) -> Issued | StillOpen:
    """What became of a receipt, by its id, its fiscal number, or "key:" and its caller's key.

    Raises ReceiptNotFound when surely none was issued.
    """
    command = _find(journal, origin, reference)
    if command is None:
        raise ReceiptNotFound("Receipt not found")
    request = journal.requests_of(command.id)[0]
    receipt = journal.receipt(request.id)
    if receipt is not None:
        return Issued(command, request.id, receipt)
    if request.state in OPEN:
        return StillOpen(command.id, request.state)
    raise ReceiptNotFound("Receipt not found")


def _find(journal: Journal, origin: str, reference: str) -> Command | None:
    if reference.startswith(BY_KEY):
        return journal.command_by_key(origin, reference.removeprefix(BY_KEY))
    return journal.command(reference) or journal.command_of_number(reference)
