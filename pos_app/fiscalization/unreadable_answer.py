"""What a caller is told where an answer can't be read: a receipt that exists is never denied.

Source: exactly-once.md, I2. Only damage is for ever; whatever else keeps the journal from being
read may pass, so then the receipt is looked up again.
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
    """The truth about these receipts in place of an error; None: surely none is signed.

    receipt_id: by which they are looked up.
    """
    signed = numbers(found)
    states = {one.state for one in found}
    if states == {RequestState.SIGNED} and isinstance(error, DatabaseDamaged):
        return ReceiptUnreadable(error.what, receipt_id=receipt_id, signed=signed)
    if RequestState.SIGNED in states and len(states) > 1:
        words = f"Half done: {', '.join(signed)} is signed. {error.what}"
        return OutcomeNotKnown(words, receipt_id=receipt_id, signed=signed)
    if states & (OPEN | {RequestState.SIGNED}):
        return OutcomeNotKnown(error.what, receipt_id=receipt_id)
    return None


@contextmanager
def never_denied(journal: ReceiptStatuses, reference: str, *, origin: str = "") -> Iterator[None]:
    """What can't be read of a receipt that exists is no fault without a name: raises
    ReceiptUnreadable or OutcomeNotKnown in its place, ReceiptNotFound when surely none was issued.

    reference: its id or number, or "key:" and the key of `origin`.
    """
    try:
        yield
    except MachineError as error:
        raise _truth(journal, reference, origin, error) from error


def _truth(journal: ReceiptStatuses, reference: str, origin: str, error: MachineError) -> PosError:
    reference = id_of(reference, origin=origin)
    try:
        one = find(journal, reference)
        if one is None:
            return error
        is_whole = reference == one.command_id
        asked = journal.whereabouts_of(one.command_id) if is_whole else (one,)
    except MachineError:  # the file itself can't be read
        return error
    told = told_instead(asked, error, receipt_id=one.id)
    return told or ReceiptNotFound("Receipt not found")
