"""By what a caller names a receipt: its id, its fiscal number, or "key:" and its own key."""

from __future__ import annotations

from pos_app.domain.receipt_number import FiscalNumber
from pos_app.errors import Invalid
from pos_app.fiscalization.identity import receipt_id
from pos_app.fiscalization.receipt_status import ReceiptStatus, ReceiptStatuses

BY_KEY = "key:"


def find(journal: ReceiptStatuses, reference: str) -> ReceiptStatus | None:
    """Of the receipt with that id or number, which may be typed in small letters."""
    return journal.whereabouts(reference) or journal.whereabouts(_number(reference))


def id_of(reference: str, *, origin: str) -> str:
    """The receipt's id that a reference means: by a key of that origin it is derived."""
    if reference.startswith(BY_KEY):
        return receipt_id(origin=origin, key=reference.removeprefix(BY_KEY))
    return reference


def known_of(journal: ReceiptStatuses, reference: str, *, origin: str) -> tuple[ReceiptStatus, ...]:
    """All that is known of what a reference names, none where it is not known."""
    one = find(journal, id_of(reference, origin=origin))
    return () if one is None else journal.whereabouts_of(one.command_id)


def _number(reference: str) -> str:
    """A fiscal number as the journal has it."""
    try:
        return str(FiscalNumber.parse(reference))
    except Invalid:  # a processor may number in another form
        return reference
