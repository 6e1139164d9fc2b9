"""A copy of a receipt: the same content under type Копија. Source: fiscal.md 6.5."""

from __future__ import annotations

from dataclasses import replace

from pos_app.domain.receipt.operations import Copying, Operation
from pos_app.domain.receipt.request import InvoiceType
from pos_app.fiscalization.plans.basis import Basis
from pos_app.fiscalization.plans.chain import Chain, ChainReceipt
from pos_app.fiscalization.plans.lifecycle import check_allowed
from pos_app.fiscalization.plans.planned import PlannedReceipt


def plan_copy(
    *, receipt: ChainReceipt, chain: Chain, request: Copying, basis: Basis
) -> tuple[PlannedReceipt]:
    check_allowed(Operation.COPY, receipt, chain)
    planned = replace(copy_of(receipt.planned, basis), delivery=request.delivery, follows=None)
    return (planned.after(receipt.reference),)


def copy_of(original: PlannedReceipt, basis: Basis) -> PlannedReceipt:
    """A copy of a receipt that is signed before it. The copy's reference is set once that receipt
    is signed."""
    document = replace(
        original.document,
        invoice_type=InvoiceType.COPY,
        cashier=basis.cashier,
        esir_number=basis.esir_number,
        referent_number=None,
        referent_time=None,
        pos_time=None,
    )
    return PlannedReceipt(
        document=document, esir=original.esir, delivery=original.delivery, follows=0
    )
