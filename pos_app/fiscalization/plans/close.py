"""Closing an advance: what was paid is refunded in full, then the sale itself is issued.

Source: fiscal.md 6.2; platform-contract.md 2.19.
"""

from __future__ import annotations

from dataclasses import replace

from pos_app.domain.buyer import BuyerId
from pos_app.domain.esir_part import AdvanceFigures, EsirPart
from pos_app.domain.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.money import Money
from pos_app.domain.operations import Closing, Operation
from pos_app.domain.payment import PaymentMethod, Payments, check_cover
from pos_app.domain.request import InvoiceType, TransactionType
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.basis import (
    Basis,
    PaymentLines,
    check_centre,
    payment_lines,
    text_of,
)
from pos_app.fiscalization.plans.chain import Chain, Link
from pos_app.fiscalization.plans.legal_life import check_allowed
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.plans.shares import advance_lines


def plan_closing(
    *,
    receipt: Link,
    chain: Chain,
    request: Closing,
    items: tuple[FiscalLine, ...],
    basis: Basis,
    corrects: bool = False,
) -> tuple[PlannedReceipt, PlannedReceipt]:
    """[Аванс-Рефундација over all that is paid, Промет-Продаја that refers to it].

    items: what the request names, priced. corrects: the first of the two is signed, and the sale
    was refused. Raises Invalid naming the field, NotSigned (wait).
    """
    check_allowed(Operation.CLOSE, receipt, chain)
    check_centre(request.cost_centre, buyer=request.buyer, payments=request.payments, refund=False)
    paid = chain.paid_in_advance
    sold = _corrected(chain, items) if corrects and items else _sold(chain, request, items)
    total = Money.total(line.total for line in sold)
    if paid > total:
        more = f"{paid} is {'signed as refunded' if corrects else 'paid in advance'}"
        do = "" if corrects else ": refund the difference first"
        raise Invalid(f'"items" {more}, more than the items {total}{do}', field="items")
    _check_payments(total - paid, request.payments)
    return _refund(chain, request, basis), _sale(chain, request, sold, basis)


def _sold(chain: Chain, request: Closing, items: tuple[FiscalLine, ...]) -> tuple[FiscalLine, ...]:
    order = chain.order
    if order.is_known:
        if items:
            raise Invalid(
                '"items" is not allowed: the final amount of this advance is known', field="items"
            )
        return order.lines
    if items:
        return items
    if len(order.lines) > 1:
        raise Invalid(
            '"items" is required: the final amount of this advance is not known, '
            "and it has several items",
            field="items",
        )
    (line,) = order.lines
    total = chain.paid_in_advance + request.payments.total
    return (replace(line, unit_price=total.per(line.quantity), total=total),)


def _corrected(chain: Chain, items: tuple[FiscalLine, ...]) -> tuple[FiscalLine, ...]:
    """Other lines than the processor refused; a final amount that is known stays what it is."""
    order, total = chain.order, Money.total(line.total for line in items)
    if order.is_known and total != order.total:
        words = f"must add up to the final amount of this advance, {order.total}, not {total}"
        raise Invalid(f'"items" {words}', field="items")
    return items


def _check_payments(remaining: Money, payments: Payments) -> None:
    """What remains is paid exactly, more only in cash."""
    try:
        check_cover(remaining, payments)
    except Invalid as error:
        raise Invalid(
            f'"payments" must be what remains after the advances: {remaining}, '
            f"not {payments.total}",
            field="payments",
        ) from error


def _refund(chain: Chain, request: Closing, basis: Basis) -> PlannedReceipt:
    """(a): it is fiscal, but stays in the shop: nobody is handed it."""
    last = chain.advances[-1]
    document = FiscalDocument(
        invoice_type=InvoiceType.ADVANCE,
        transaction_type=TransactionType.REFUND,
        lines=advance_lines(chain.paid_by_label),
        payments=_mirrored(chain),
        cashier=basis.cashier,
        esir_number=basis.esir_number,
        buyer=_buyer_of_refund(chain, request.buyer, basis),
        referent_number=last.reference.number,
        referent_time=last.reference.time,
    )
    return PlannedReceipt(document=document)


def _sale(
    chain: Chain, request: Closing, sold: tuple[FiscalLine, ...], basis: Basis
) -> PlannedReceipt:
    """(b): the real items at full price, paid by what remains."""
    document = FiscalDocument(
        invoice_type=InvoiceType.NORMAL,
        transaction_type=TransactionType.SALE,
        lines=sold,
        payments=payment_lines(request.payments),
        cashier=basis.cashier,
        esir_number=basis.esir_number,
        buyer=text_of(request.buyer) or chain.buyer_of_advances,
        cost_centre=text_of(request.cost_centre),
    )
    paid = chain.paid_in_advance
    figures = AdvanceFigures(paid, chain.vat_in_advance, document.total - paid)
    esir = EsirPart(
        additional_text=request.additional_text,
        advance=figures,
        last_advance=chain.advances[-1].reference,
    )
    return PlannedReceipt(document=document, esir=esir, delivery=request.delivery, follows=0)


def _mirrored(chain: Chain) -> PaymentLines:
    """The methods by which the advances were paid, less what was given back already.

    What was given back by another method than it came by is taken from the largest that is left.
    """
    paid: dict[PaymentMethod, Money] = {}
    for link in chain.advances:
        for method, amount in link.planned.document.payments:
            paid[method] = paid.get(method, Money.ZERO) + amount
    for link in chain.advance_refunds:
        for method, amount in link.planned.document.payments:
            _take(paid, method, amount)
    return tuple((method, amount) for method, amount in paid.items() if amount)


def _take(paid: dict[PaymentMethod, Money], method: PaymentMethod, amount: Money) -> None:
    while amount:
        if not paid.get(method):
            method = max(paid, key=lambda one: paid[one])
        part = min(amount, paid[method])
        paid[method] -= part
        amount -= part


def _buyer_of_refund(chain: Chain, given: BuyerId | None, basis: Basis) -> str:
    buyer = text_of(given) or chain.buyer_of_advances or text_of(basis.seller)
    if buyer is None:
        raise Invalid(
            '"buyerId" is required: the advances name no buyer, and the seller\'s own PIB is not '
            "set",
            field="buyerId",
        )
    return buyer
