"""How a caller names a receipt: by id, by fiscal number, or by "key:" and its own key."""

from __future__ import annotations

from pos_app.domain.receipt_identity import receipt_id
from pos_app.domain.receipt_number import FiscalNumber
from pos_app.errors import Invalid
from pos_app.fiscalization.receipt_status import ReceiptStatus, ReceiptStatuses

BY_KEY = "key:"


def find(journal: ReceiptStatuses, reference: str) -> ReceiptStatus | None:
    """By id or fiscal number, which may be typed in small letters."""
    return journal.status_by_reference(reference) or journal.status_by_reference(_number(reference))


def id_of(reference: str, *, origin: str) -> str:
    """The receipt id of a reference; a key's is derived with the origin."""
    if reference.startswith(BY_KEY):
        return receipt_id(origin=origin, key=reference.removeprefix(BY_KEY))
    return reference


def known_of(journal: ReceiptStatuses, reference: str, *, origin: str) -> tuple[ReceiptStatus, ...]:
    status = find(journal, id_of(reference, origin=origin))
    return () if status is None else journal.statuses_of(status.command_id)


def _number(reference: str) -> str:
    try:
        return str(FiscalNumber.parse(reference))
    except Invalid:  # a processor may use another form of numbers
        return reference
