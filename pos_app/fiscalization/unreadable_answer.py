"""What is answered where a receipt can't be read: one that exists is never denied.

Source: exactly-once.md, I2. Only damage is permanent; after any other error of the journal the
caller looks the receipt up again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pos_app.domain.states import OPEN, RequestState
from pos_app.errors import DatabaseDamaged, MachineError, PosError
from pos_app.fiscalization.receipt_reference import find, id_of
from pos_app.fiscalization.receipt_status import ReceiptStatus, ReceiptStatuses, numbers
from pos_app.fiscalization.refusals import OutcomeNotKnown, ReceiptNotFound, ReceiptUnreadable


def told_instead(
    found: Sequence[ReceiptStatus], error: PosError, *, receipt_id: str
) -> PosError | None:
    """What is known of these receipts, to be raised in place of `error`; None: surely unsigned.

    receipt_id: to look them up by.
    """
    signed = numbers(found)
    states = {status.state for status in found}
    if states == {RequestState.SIGNED} and isinstance(error, DatabaseDamaged):
        return ReceiptUnreadable(error.what, receipt_id=receipt_id, signed=signed)
    if RequestState.SIGNED in states and len(states) > 1:
        message = f"Half done: {', '.join(signed)} is signed. {error.what}"
        return OutcomeNotKnown(message, receipt_id=receipt_id, signed=signed)
    if states & (OPEN | {RequestState.SIGNED}):
        return OutcomeNotKnown(error.what, receipt_id=receipt_id)
    return None


@contextmanager
def never_denied(journal: ReceiptStatuses, reference: str, *, origin: str = "") -> Iterator[None]:
    """Replaces errors of the journal while a receipt is read.

    Raises ReceiptUnreadable or OutcomeNotKnown for a receipt that exists or may exist,
    ReceiptNotFound when surely none was issued. reference: its id or number, or "key:" and the key
    of `origin`.
    """
    try:
        yield
    except MachineError as error:
        raise _known_instead(journal, reference, origin, error) from error


def _known_instead(
    journal: ReceiptStatuses, reference: str, origin: str, error: MachineError
) -> PosError:
    reference = id_of(reference, origin=origin)
    try:
        status = find(journal, reference)
        if status is None:
            return error
        is_command = reference == status.command_id
        found = journal.statuses_of(status.command_id) if is_command else (status,)
    except MachineError:  # the file itself can't be read
        return error
    instead = told_instead(found, error, receipt_id=status.id)
    return instead or ReceiptNotFound("Receipt not found")
