"""Another second receipt for a pair whose first is signed: what is signed can't change.

Source: exactly-once.md, step 9 ("correct that child").
"""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.fiscal_document import FiscalDocument
from pos_app.domain.operations import Operation
from pos_app.domain.request import InvoiceType
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.planned import PlannedReceipt

_Part = Callable[[FiscalDocument], object]

_OF_REFUND: tuple[tuple[str, _Part], ...] = (
    ("transactionType", lambda document: document.transaction_type),
    ("invoiceType", lambda document: document.invoice_type),
    ("referentDocumentNumber", lambda document: document.referent_number),
    ("referentDocumentDT", lambda document: document.referent_time),
    ("buyerId", lambda document: document.buyer),
    ("buyerCostCenterId", lambda document: document.cost_centre),
    ("payments", lambda document: document.payments),
    ("items", lambda document: document.lines),
)
"""What of a request for a refund stands in the refund itself. The cashier and the ESIR's number
are not the request's, and a copy may have its own."""
_OF_CLOSING = tuple(part for part in _OF_REFUND if part[0] not in ("buyerId", "payments"))
"""The refund of a closing stays in the shop: the sale after it may name another buyer. How it is
paid is not the request's: it mirrors the advances, by the shop's rules of its own time."""


def corrected_second(
    *, operation: Operation, signed: PlannedReceipt, plan: tuple[PlannedReceipt, ...]
) -> PlannedReceipt:
    """The second receipt of a pair that was planned anew, if its first is the one that is signed.

    Raises Invalid naming the member that contradicts what is signed.
    """
    parts = _OF_CLOSING if operation is Operation.CLOSE else _OF_REFUND
    first = plan[0].document
    for name, part in parts:
        if part(first) != part(signed.document):
            field = _specification(first) if name == "items" else name
            raise Invalid(
                f'"{field}" contradicts the refund of this pair, which is signed', field=field
            )
    _, second = plan  # of a closing always two; a copy is what the rules of a correction ask for
    return second


def _specification(document: FiscalDocument) -> str:
    """The member that says which lines a refund has: those of an advance are its labels."""
    is_advance = document.invoice_type is InvoiceType.ADVANCE
    return "advanceSpecification" if is_advance else "items"
