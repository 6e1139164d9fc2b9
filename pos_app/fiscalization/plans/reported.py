"""A till may report an operation from before a restore on a receipt that the restored journal
lacks. Its documents are then rebuilt as far as the request allows. They are looked up, a person is
asked, and they are never sent.

Source: exactly-once.md, "Restores, replacements, damage".
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from pos_app.domain.receipt import operations
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.fiscalization.plans.basis import Basis, payment_lines, text_of
from pos_app.fiscalization.plans.planned import PlannedReceipt

_SALE, _REFUND = TransactionType.SALE, TransactionType.REFUND


def plan_reported(
    asked: operations.AdvancePayment
    | operations.Closing
    | operations.Copying
    | operations.Refunding,
    basis: Basis,
) -> tuple[PlannedReceipt, ...]:
    """Plan documents without lines. The copy of a refund is left out, because no money depends on
    it."""
    known = FiscalDocument(
        invoice_type=InvoiceType.NORMAL,
        transaction_type=_SALE,
        lines=(),
        payments=(),
        cashier=basis.cashier,
        esir_number=basis.esir_number,
    )
    if not isinstance(asked, operations.Copying):
        known = replace(known, buyer=text_of(asked.buyer), cost_centre=text_of(asked.cost_centre))
    match asked:
        case operations.AdvancePayment() | operations.Refunding():
            paid = payment_lines(asked.payments, asked.cost_centre, rules=basis.rules)
            known = replace(known, payments=paid)
            if isinstance(asked, operations.Refunding):
                document = replace(known, transaction_type=_REFUND)
            else:
                document = replace(known, invoice_type=InvoiceType.ADVANCE)
        case operations.Closing():
            refund = replace(known, invoice_type=InvoiceType.ADVANCE, transaction_type=_REFUND)
            sale = PlannedReceipt(document=known, delivery=asked.delivery, follows=0)
            return PlannedReceipt(document=refund), sale
        case operations.Copying():
            document = replace(known, invoice_type=InvoiceType.COPY)
        case _:
            assert_never(asked)
    return (PlannedReceipt(document=document, delivery=asked.delivery),)
