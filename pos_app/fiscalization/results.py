"""What the journal answers: to the caller who waits, and to whoever looks a receipt up.

Source: exactly-once.md, steps 7 (from the table, never from memory) and 9 (pairs);
platform-contract.md 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from pos_app.domain.operations import Operation
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.states import OPEN, AnswerClass, RequestState
from pos_app.errors import DatabaseDamaged
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.ports import Command, ReceiptReader, Request
from pos_app.fiscalization.receipt_reference import BY_KEY, find
from pos_app.fiscalization.receipt_status import numbers
from pos_app.fiscalization.refusals import (
    KeyBound,
    NotSigned,
    OutcomeNotKnown,
    PairReversed,
    ReceiptNotFound,
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class IssuedReceipt:
    """A signed receipt as it stands in the journal, with what was planned."""

    id: str
    planned: PlannedReceipt
    receipt: SignedReceipt


@dataclass(frozen=True, slots=True)
class IssuedReceipts:
    """All receipts of a command, in order; `command.id` names it.

    is_array: whether its operation answers with an array, be it of one receipt. copy: what was
    signed behind the one receipt of an issue operation, which its answer names.
    """

    command: Command
    receipts: tuple[IssuedReceipt, ...]
    is_array: bool
    copy: IssuedReceipt | None = None

    @property
    def receipt_id(self) -> str:
        """The id of the first receipt, which is that of a whole command too."""
        return self.receipts[0].id

    @property
    def receipt(self) -> SignedReceipt:
        """The first receipt, of most operations the only one."""
        return self.receipts[0].receipt


@dataclass(frozen=True, slots=True)
class PendingCommand:
    """Neither a receipt nor surely none. receipt_id: the command's.

    signed: of a half-done pair, the numbers of what is signed.
    """

    receipt_id: str
    state: RequestState
    signed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReversedPair:
    """A pair whose first receipt was undone. signed: the numbers of both."""

    receipt_id: str
    signed: tuple[str, ...]


def is_half_done(requests: Sequence[Request]) -> bool:
    """Whether some of a command's receipts are signed, and some are not."""
    signed = [request.state is RequestState.SIGNED for request in requests]
    return any(signed) and not all(signed)


def is_reversed(requests: Sequence[Request]) -> bool:
    """Whether all of a pair is signed, its second receipt undoing the first."""
    is_signed = all(request.state is RequestState.SIGNED for request in requests)
    return is_signed and requests[-1].planned.is_reversal


def answer_for_caller(journal: ReceiptReader, command_id: str) -> IssuedReceipts:
    """What the journal says of a command now. Raises NotSigned, OutcomeNotKnown, KeyBound."""
    command = _there(journal.command(command_id))
    requests = _requests(journal, command)
    if is_reversed(requests):
        raise PairReversed(receipt_id=command.id, signed=signed_numbers(journal, command.id))
    if all(request.state is RequestState.SIGNED for request in requests):
        return _issued(journal, command, requests)
    if is_half_done(requests):
        raise _half_done(journal, command, requests)
    request = requests[0]
    reason = request.reason
    if request.state in OPEN:
        raise OutcomeNotKnown(
            reason.words if reason else "The receipt is on its way, its outcome is not known yet.",
            receipt_id=command.id,
        )
    if request.state is RequestState.CANCELLED:
        raise KeyBound("This key was cancelled, nothing was signed.")
    assert reason is not None
    answer_class = reason.answer_class
    if answer_class is AnswerClass.UNKNOWN:  # released by a person or by proof
        answer_class = AnswerClass.WAIT
    raise NotSigned(
        reason.words, answer_class=answer_class, reason=reason.code, pfr_code=reason.pfr_code
    )


def _issued(
    journal: ReceiptReader, command: Command, requests: Sequence[Request]
) -> IssuedReceipts:
    receipts = tuple(_receipt(journal, request) for request in requests)
    if command.operation is Operation.ISSUE:  # its answer is one receipt, by the specification
        first, *behind = receipts
        return IssuedReceipts(command, (first,), is_array=False, copy=behind[0] if behind else None)
    is_array = command.operation in (Operation.CLOSE, Operation.REFUND)
    return IssuedReceipts(command, receipts, is_array)


def _receipt(journal: ReceiptReader, request: Request) -> IssuedReceipt:
    return IssuedReceipt(request.id, request.planned, _there(journal.receipt(request.id)))


def _requests(journal: ReceiptReader, command: Command) -> tuple[Request, ...]:
    return _there(journal.requests_of(command.id) or None)


def _there(found: T | None) -> T:
    """What belongs to a row that is there. Raises DatabaseDamaged."""
    if found is None:
        raise DatabaseDamaged("The journal lacks a row that belongs to this receipt.")
    return found


def _half_done(
    journal: ReceiptReader, command: Command, requests: Sequence[Request]
) -> OutcomeNotKnown:
    signed = signed_numbers(journal, command.id)
    waiting = next(request for request in requests if request.state is not RequestState.SIGNED)
    why = f" ({waiting.reason.words.rstrip('.')})" if waiting.reason else ""
    return OutcomeNotKnown(
        f"Half done: {', '.join(signed)} is signed, what belongs to it is not yet{why}.",
        receipt_id=command.id,
        signed=signed,
    )


def signed_numbers(journal: ReceiptReader, command_id: str) -> tuple[str, ...]:
    """The fiscal numbers of those of a command's receipts that are signed."""
    return numbers(journal.whereabouts_of(command_id))


def look_up(
    *, journal: ReceiptReader, origin: str, reference: str
) -> IssuedReceipts | PendingCommand | ReversedPair:
    """What became of a receipt, by its id, its fiscal number, or "key:" and its caller's key.

    A number, or the id of a later receipt of a pair, names that receipt alone, also of a pair that
    is half done. Raises ReceiptNotFound when surely none was issued.
    """
    request = find_receipt(journal, reference)
    if request is not None and reference != request.command_id:
        return look_up_one(journal, request)
    command = _whole(journal, origin, reference, request)
    requests = _requests(journal, command)
    if is_reversed(requests):
        return ReversedPair(command.id, signed_numbers(journal, command.id))
    if all(one.state is RequestState.SIGNED for one in requests):
        return _issued(journal, command, requests)
    if is_half_done(requests):
        waiting = next(one for one in requests if one.state is not RequestState.SIGNED)
        return PendingCommand(command.id, waiting.state, signed_numbers(journal, command.id))
    if requests[0].state in OPEN:
        return PendingCommand(command.id, requests[0].state)
    raise ReceiptNotFound("Receipt not found")


def signed_receipt_of(journal: ReceiptReader, request_id: str) -> IssuedReceipt:
    """One signed receipt by its id. Raises ReceiptNotFound."""
    request = journal.request(request_id)
    if request is None or request.state is not RequestState.SIGNED:
        raise ReceiptNotFound("Receipt not found")
    return _receipt(journal, request)


def look_up_one(journal: ReceiptReader, request: Request) -> IssuedReceipts | PendingCommand:
    """What became of one request, whatever belongs to it. Raises ReceiptNotFound."""
    command = _there(journal.command(request.command_id))
    if request.state in OPEN:
        return PendingCommand(request.id, request.state)
    if request.state is not RequestState.SIGNED:
        raise ReceiptNotFound("Receipt not found")
    if command.operation is Operation.ISSUE and request.id == command.id:
        requests = _requests(journal, command)
        if all(one.state is RequestState.SIGNED for one in requests) and not is_reversed(requests):
            return _issued(journal, command, requests)  # by its number it is what it is by its id
    return IssuedReceipts(command, (_receipt(journal, request),), is_array=False)


def _whole(journal: ReceiptReader, origin: str, reference: str, request: Request | None) -> Command:
    command = None
    if request is not None:
        command = journal.command(request.command_id)
    elif reference.startswith(BY_KEY):
        command = journal.command_by_key(origin, reference.removeprefix(BY_KEY))
    if command is None:
        raise ReceiptNotFound("Receipt not found")
    return command


def find_receipt(journal: ReceiptReader, reference: str) -> Request | None:
    """The request named by a receipt's id or fiscal number; its receipt may not be signed."""
    found = find(journal, reference)
    return None if found is None else journal.request(found.id)
