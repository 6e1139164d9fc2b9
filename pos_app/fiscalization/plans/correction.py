"""A corrected second receipt for a pair whose first is signed and can't change.

Source: exactly-once.md, step 9 ("correct that child").
"""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.request import InvoiceType
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
"""The members of a refund's request that appear in the refund itself. Cashier and ESIR number are
not among them, because the request lacks them: a copy may have its own."""
_OF_CLOSING = tuple(part for part in _OF_REFUND if part[0] not in ("buyerId", "payments"))
"""The refund of a closing stays in the shop, so the sale after it may name another buyer. The
refund's payments mirror the advances, by the shop's rules at that time, and not the request."""


def corrected_second(
    *, operation: Operation, signed: PlannedReceipt, plan: tuple[PlannedReceipt, ...]
) -> PlannedReceipt:
    """The second receipt of a new plan, whose first must equal the signed one. Raises Invalid
    naming the member that contradicts the signed receipt."""
    parts = _OF_CLOSING if operation is Operation.CLOSE else _OF_REFUND
    first = plan[0].document
    for name, part in parts:
        if part(first) != part(signed.document):
            field = _specification(first) if name == "items" else name
            raise Invalid("contradicts", field=field)
    _, second = plan  # a closing always has two; for a refund the rules of a correction want a copy
    return second


def _specification(document: FiscalDocument) -> str:
    """The member that chooses a refund's lines; for an advance they are its labels."""
    is_advance = document.invoice_type is InvoiceType.ADVANCE
    return "advanceSpecification" if is_advance else "items"
