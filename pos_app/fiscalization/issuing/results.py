"""Answers are read from the journal, for the waiting caller and for look-ups.

Source: exactly-once.md, steps 7 (from the table, never from memory) and 9 (pairs);
platform-contract.md 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from pos_app import errors
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.receipt_identity import receipt_id
from pos_app.domain.receipt.receipt_number import kept_reference
from pos_app.domain.receipt.states import OPEN, AnswerClass, RequestState
from pos_app.fiscalization import ports, refusals
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.lazy_dataclass import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class IssuedReceipt:
    """A signed receipt of the journal, with its plan."""

    id: str
    planned: PlannedReceipt
    receipt: SignedReceipt


@dataclass(frozen=True, slots=True)
class IssuedReceipts:
    """All receipts of a command, in order.

    is_array: the operation answers with an array, even of one receipt. copy: the copy that was
    signed after the one receipt of an issue operation, which the answer mentions.
    """

    command: ports.Command
    receipts: tuple[IssuedReceipt, ...]
    is_array: bool
    copy: IssuedReceipt | None = None

    @property
    def receipt_id(self) -> str:
        return self.receipts[0].id

    @property
    def receipt(self) -> SignedReceipt:
        return self.receipts[0].receipt


@dataclass(frozen=True, slots=True)
class PendingCommand:
    """A command that is neither signed nor surely unsigned. receipt_id: the id of the command.
    signed: the number of the signed receipt of a half-done pair."""

    receipt_id: str
    state: RequestState
    signed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReversedPair:
    """A pair whose first receipt was undone. signed: the numbers of that receipt and of its
    reversal."""

    receipt_id: str
    signed: tuple[str, ...]


def is_half_done(requests: Sequence[ports.Request]) -> bool:
    signed = [request.state is RequestState.SIGNED for request in requests]
    return any(signed) and not all(signed)


def is_reversed(requests: Sequence[ports.Request]) -> bool:
    """Whether the requests are a pair whose first receipt was undone."""
    is_signed = all(request.state is RequestState.SIGNED for request in requests)
    return is_signed and len(requests) > 1 and requests[-1].planned.is_reversal


def answer_for_caller(journal: ports.ReceiptReader, command_id: str) -> IssuedReceipts:
    """The answer for the caller. Raises NotSigned, OutcomeNotKnown, KeyBound."""
    command = _there(journal.command(command_id))
    requests = _requests(journal, command)
    if is_reversed(requests):
        raise refusals.PairReversed(
            receipt_id=command.id, signed=signed_numbers(journal, command.id)
        )
    if all(request.state is RequestState.SIGNED for request in requests):
        return _issued(journal, command, requests)
    if is_half_done(requests):
        raise _half_done(journal, command, requests)
    request = requests[0]
    reason = request.reason
    if request.state in OPEN:
        if reason is not None:
            raise refusals.OutcomeNotKnown(what=reason.words, receipt_id=command.id)
        raise refusals.OutcomeNotKnown("on_its_way", receipt_id=command.id)
    if request.state is RequestState.CANCELLED:
        raise refusals.KeyBound("cancelled")
    assert reason is not None
    answer_class = reason.answer_class
    if answer_class is AnswerClass.UNKNOWN:  # released by a person or by proof
        answer_class = AnswerClass.WAIT
    raise refusals.NotSigned(
        what=reason.words, answer_class=answer_class, reason=reason.code, pfr_code=reason.pfr_code
    )


def _issued(
    journal: ports.ReceiptReader, command: ports.Command, requests: Sequence[ports.Request]
) -> IssuedReceipts:
    receipts = tuple(_receipt(journal, request) for request in requests)
    if command.operation is Operation.ISSUE:  # its answer is one receipt, by the specification
        first, *copies = receipts
        return IssuedReceipts(command, (first,), is_array=False, copy=copies[0] if copies else None)
    is_array = command.operation in (Operation.CLOSE, Operation.REFUND)
    return IssuedReceipts(command, receipts, is_array)


def _receipt(journal: ports.ReceiptReader, request: ports.Request) -> IssuedReceipt:
    return IssuedReceipt(request.id, request.planned, _there(journal.receipt(request.id)))


def _requests(journal: ports.ReceiptReader, command: ports.Command) -> tuple[ports.Request, ...]:
    return _there(journal.requests_of(command.id) or None)


def _there(row: T | None) -> T:
    if row is None:
        raise errors.DatabaseDamaged("missing_row")
    return row


def _half_done(
    journal: ports.ReceiptReader, command: ports.Command, requests: Sequence[ports.Request]
) -> refusals.OutcomeNotKnown:
    signed = signed_numbers(journal, command.id)
    waiting = next(request for request in requests if request.state is not RequestState.SIGNED)
    why = f" ({waiting.reason.words.rstrip('.')})" if waiting.reason else ""
    return refusals.OutcomeNotKnown(
        "half_done", receipt_id=command.id, signed=signed, numbers=", ".join(signed), why=why
    )


def signed_numbers(journal: ports.ReceiptReader, command_id: str) -> tuple[str, ...]:
    return ports.numbers(journal.statuses_of(command_id))


def look_up(
    *, journal: ports.ReceiptReader, origin: str, reference: str
) -> IssuedReceipts | PendingCommand | ReversedPair:
    """Look a receipt up by its id, its fiscal number, or "key:" and its caller's key.

    A number, or the id of the second receipt of a pair, names that receipt only, also in a
    half-done pair. Raises ReceiptNotFound when surely none was issued.
    """
    request = find_receipt(journal, reference)
    if request is not None and not _is_id(reference, request.command_id):
        return look_up_one(journal, request)
    command = _whole(journal, origin, reference, request)
    requests = _requests(journal, command)
    if is_reversed(requests):
        return ReversedPair(command.id, signed_numbers(journal, command.id))
    if all(each.state is RequestState.SIGNED for each in requests):
        return _issued(journal, command, requests)
    if is_half_done(requests):
        waiting = next(each for each in requests if each.state is not RequestState.SIGNED)
        return PendingCommand(command.id, waiting.state, signed_numbers(journal, command.id))
    if requests[0].state in OPEN:
        return PendingCommand(command.id, requests[0].state)
    raise refusals.ReceiptNotFound()


def signed_receipt_of(journal: ports.ReceiptReader, request_id: str) -> IssuedReceipt:
    request = journal.request(request_id)
    if request is None or request.state is not RequestState.SIGNED:
        raise refusals.ReceiptNotFound()
    return _receipt(journal, request)


def look_up_one(
    journal: ports.ReceiptReader, request: ports.Request
) -> IssuedReceipts | PendingCommand:
    """Look up one request, without the other of its pair. Raises ReceiptNotFound."""
    command = _there(journal.command(request.command_id))
    if request.state in OPEN:
        return PendingCommand(request.id, request.state)
    if request.state is not RequestState.SIGNED:
        raise refusals.ReceiptNotFound()
    if command.operation is Operation.ISSUE and request.id == command.id:
        requests = _requests(journal, command)
        if all(one.state is RequestState.SIGNED for one in requests) and not is_reversed(requests):
            return _issued(journal, command, requests)  # the same answer by number as by id
    return IssuedReceipts(command, (_receipt(journal, request),), is_array=False)


def _whole(
    journal: ports.ReceiptReader, origin: str, reference: str, request: ports.Request | None
) -> ports.Command:
    command = None
    if request is not None:
        command = journal.command(request.command_id)
    elif reference.startswith(BY_KEY):
        command = journal.command_by_key(origin, reference.removeprefix(BY_KEY))
    if command is None:
        raise refusals.ReceiptNotFound()
    return command


def find_receipt(journal: ports.ReceiptReader, reference: str) -> ports.Request | None:
    found = find(journal, reference)
    return None if found is None else journal.request(found.id)


# --- how a caller names a receipt: by id, by fiscal number, or by "key:" and its own key -------


BY_KEY = "key:"


def find(journal: ports.ReceiptStatuses, reference: str) -> ports.ReceiptStatus | None:
    """Find a receipt by id or fiscal number, in letters of either case."""
    found = journal.status_by_reference(reference)
    return found or journal.status_by_reference(kept_reference(reference))


def id_of(reference: str, *, origin: str) -> str:
    """The receipt id of a reference; the id of a key is derived from the key and the origin."""
    if reference.startswith(BY_KEY):
        return receipt_id(origin=origin, key=reference.removeprefix(BY_KEY))
    return reference


def known_of(
    journal: ports.ReceiptStatuses, reference: str, *, origin: str
) -> tuple[ports.ReceiptStatus, ...]:
    status = find(journal, id_of(reference, origin=origin))
    return () if status is None else journal.statuses_of(status.command_id)


def _is_id(reference: str, command_id: str) -> bool:
    """Tell whether a reference is this id, in letters of either case."""
    return command_id in (reference, kept_reference(reference))


# --- where a receipt can't be read: one that exists is never denied ----------------------------
# Only damage is permanent; after any other error of the journal the caller looks the receipt up
# again. Source: exactly-once.md, I2.


def error_instead(
    statuses: Sequence[ports.ReceiptStatus], error: errors.PosError, *, receipt_id: str
) -> errors.PosError | None:
    """The error to raise in place of `error`, by the known states of these receipts. It is None if
    they are surely unsigned. receipt_id: the id by which the receipts are looked up."""
    signed = ports.numbers(statuses)
    states = {status.state for status in statuses}
    if ports.is_undone(statuses):
        return refusals.PairReversed(receipt_id=receipt_id, signed=signed)
    if states == {RequestState.SIGNED} and isinstance(error, errors.DatabaseDamaged):
        return refusals.ReceiptUnreadable(why=error.what, receipt_id=receipt_id, signed=signed)
    if RequestState.SIGNED in states and len(states) > 1:
        return refusals.OutcomeNotKnown(
            "half_done_why",
            receipt_id=receipt_id,
            signed=signed,
            numbers=", ".join(signed),
            why=error.what,
        )
    if states & (OPEN | {RequestState.SIGNED}):
        return refusals.OutcomeNotKnown(what=error.what, receipt_id=receipt_id)
    return None


@contextmanager
def never_denied(
    journal: ports.ReceiptStatuses, reference: str, *, origin: str = ""
) -> Iterator[None]:
    """Replaces errors of the journal while a receipt is read.

    Raises ReceiptUnreadable, PairReversed or OutcomeNotKnown for a receipt that exists or may
    exist, ReceiptNotFound when surely none was issued. If the reference is not found, or the
    look-up fails too, the MachineError goes on unchanged. reference: its id or number, or "key:"
    and the key of `origin`.
    """
    try:
        yield
    except errors.MachineError as error:
        raise _known_instead(journal, reference, origin, error) from error


def _known_instead(
    journal: ports.ReceiptStatuses, reference: str, origin: str, error: errors.MachineError
) -> errors.PosError:
    reference = id_of(reference, origin=origin)
    try:
        status = find(journal, reference)
        if status is None:
            return error
        is_command = _is_id(reference, status.command_id)
        found = journal.statuses_of(status.command_id) if is_command else (status,)
    except errors.MachineError:  # the file itself can't be read
        return error
    instead = error_instead(found, error, receipt_id=status.id)
    return instead or refusals.ReceiptNotFound()
