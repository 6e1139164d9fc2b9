"""A further payment on an advance. Source: fiscal.md 6.2."""

from __future__ import annotations

from pos_app.domain.money.advance_split import Shares, split
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine, label_totals
from pos_app.domain.receipt.operations import AdvancePayment, Operation
from pos_app.domain.receipt.pricing import ADVANCE_NAMES
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.basis import (
    Basis,
    buyer_within,
    check_centre,
    check_pos_time,
    payment_lines,
    sums_named,
    text_of,
)
from pos_app.fiscalization.plans.chain import Chain, ChainReceipt
from pos_app.fiscalization.plans.free_supply import check_free_order
from pos_app.fiscalization.plans.lifecycle import check_allowed
from pos_app.fiscalization.plans.planned import PlannedReceipt


def plan_advance(
    *, receipt: ChainReceipt, chain: Chain, request: AdvancePayment, basis: Basis
) -> tuple[PlannedReceipt]:
    """Plan one Аванс-Продаја that refers to the last advance. Raises Invalid, NotSigned (wait)."""
    check_allowed(Operation.ADVANCE, receipt, chain)
    check_pos_time(request.pos_time, request.payments, now=basis.now)
    last = chain.advances[-1]
    buyer = buyer_within(chain.buyer, request.buyer)
    check_centre(request.cost_centre, buyer=buyer, payments=request.payments, refund=False)
    document = FiscalDocument(
        invoice_type=InvoiceType.ADVANCE,
        transaction_type=TransactionType.SALE,
        lines=advance_lines(_shares(chain, request)),
        payments=payment_lines(request.payments, request.cost_centre, rules=basis.rules),
        cashier=basis.cashier,
        esir_number=basis.esir_number,
        buyer=text_of(buyer),
        cost_centre=text_of(request.cost_centre),
        referent_number=last.reference.number,
        referent_time=last.reference.time,
        pos_time=request.pos_time,
    )
    esir = EsirPart(additional_text=request.additional_text)
    return (PlannedReceipt(document=document, esir=esir, delivery=request.delivery),)


def _shares(chain: Chain, request: AdvancePayment) -> Shares:
    order, paid = chain.order, request.payments.total
    if not paid:
        raise Invalid("advance_payment", field="payments")
    with sums_named("payments"):  # else the advance could be neither closed nor refunded
        _ = chain.paid_in_advance + paid
    labels = label_totals(order.lines)
    rest = _remaining_by_label(labels, chain.paid_by_label) if order.is_known else None
    if rest is not None and paid > Money.total(rest.values()):
        raise Invalid("advance_rest", field="payments", paid=paid, rest=Money.total(rest.values()))
    by_other = chain.paid_by(PaymentMethod.OTHER)
    in_money = chain.paid_in_advance - by_other + request.payments.in_money
    check_free_order(order, in_money=in_money)
    return split(paid, labels, given=request.specification, at_most=rest)


def _remaining_by_label(
    labels: dict[TaxLabel, Money], paid: dict[TaxLabel, Money]
) -> dict[TaxLabel, Money]:
    return {label: total - paid.get(label, Money.ZERO) for label, total in labels.items()}


def advance_lines(shares: Shares) -> tuple[FiscalLine, ...]:
    return tuple(
        FiscalLine(ADVANCE_NAMES[label], label, Quantity.ONE, amount, amount)
        for label, amount in shares.items()
        if amount
    )
