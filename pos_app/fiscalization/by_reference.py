"""By what a caller names a receipt: its id, its fiscal number, or "key:" and its own key."""

from __future__ import annotations

from pos_app.domain.receipt_number import FiscalNumber
from pos_app.errors import Invalid
from pos_app.fiscalization.whereabouts import KnownWhereabouts, Whereabouts

BY_KEY = "key:"


def find(journal: KnownWhereabouts, reference: str) -> Whereabouts | None:
    """Of the receipt with that id or number, which may be typed in small letters."""
    return journal.whereabouts(reference) or journal.whereabouts(_number(reference))


def _number(reference: str) -> str:
    """A fiscal number as the journal has it."""
    try:
        return str(FiscalNumber.parse(reference))
    except Invalid:  # a processor may number in another form
        return reference
