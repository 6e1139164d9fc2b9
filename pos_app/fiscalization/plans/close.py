"""An advance is closed by refunding all its payments, then issuing the sale itself.

Source: fiscal.md 6.2; platform-contract.md 2.19.
"""

from __future__ import annotations

from dataclasses import replace

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, check_remainder
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.esir_part import AdvanceFigures, EsirPart, LoweredLine
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.operations import Closing, Operation
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.advance import advance_lines
from pos_app.fiscalization.plans.basis import (
    Basis,
    buyer_within,
    check_centre,
    payment_lines,
    text_of,
)
from pos_app.fiscalization.plans.chain import Chain, ChainReceipt
from pos_app.fiscalization.plans.free_supply import check_free_supply
from pos_app.fiscalization.plans.lifecycle import check_allowed
from pos_app.fiscalization.plans.planned import PlannedReceipt


def plan_closing(
    *,
    receipt: ChainReceipt,
    chain: Chain,
    request: Closing,
    items: tuple[FiscalLine, ...],
    basis: Basis,
    lowered: tuple[LoweredLine, ...] = (),
    corrects: bool = False,
) -> tuple[PlannedReceipt, PlannedReceipt]:
    """Plan [Аванс-Рефундација over all payments, Промет-Продаја that refers to it].

    items: the items of the request, priced. lowered: the items sold below their unit price.
    corrects: whether the refund is signed already, and the sale was refused. Raises Invalid naming
    the field, NotSigned (wait).
    """
    check_allowed(Operation.CLOSE, receipt, chain)
    request = replace(request, buyer=buyer_within(chain.buyer, request.buyer))
    check_centre(request.cost_centre, buyer=request.buyer, payments=request.payments, refund=False)
    sold = _corrected(chain, items) if corrects and items else _sold(chain, request, items)
    total = Money.total(line.total for line in sold)
    check_remainder(total, request.payments, in_advance=chain.paid_in_advance)
    own = chain.order.lowered if sold is chain.order.lines else lowered
    sale = _sale(chain, request, sold, basis, lowered=own)
    check_free_supply(sale.document, in_advance=chain.paid_by(PaymentMethod.OTHER))
    return _refund(chain, request, basis), sale


def _sold(chain: Chain, request: Closing, items: tuple[FiscalLine, ...]) -> tuple[FiscalLine, ...]:
    order = chain.order
    if order.is_known:
        if items:
            raise Invalid("items_known", field="items")
        return order.lines
    if items:
        return items
    if len(order.lines) > 1:
        raise Invalid("items_required", field="items")
    (line,) = order.lines
    total = chain.paid_in_advance + request.payments.total
    return (replace(line, unit_price=total.per(line.quantity), total=total),)


def _corrected(chain: Chain, items: tuple[FiscalLine, ...]) -> tuple[FiscalLine, ...]:
    """Lines in place of those the processor refused; a known final amount must stay the same."""
    order, total = chain.order, Money.total(line.total for line in items)
    if order.is_known and total != order.total:
        message = f"must add up to the final amount of this advance, {order.total}, not {total}"
        raise Invalid("message", field="items", message=message)
    if chain.paid_in_advance > total:
        message = f"{chain.paid_in_advance} is signed as refunded, more than the items {total}"
        raise Invalid("message", field="items", message=message)
    return items


def _refund(chain: Chain, request: Closing, basis: Basis) -> PlannedReceipt:
    """Plan the refund, which is fiscal but stays in the shop, so it is not delivered."""
    last = chain.advances[-1]
    document = FiscalDocument(
        invoice_type=InvoiceType.ADVANCE,
        transaction_type=TransactionType.REFUND,
        lines=advance_lines(chain.paid_by_label),
        payments=basis.rules.of_closing(chain.paid_by_method),
        cashier=basis.cashier,
        esir_number=basis.esir_number,
        buyer=_buyer_of_refund(request.buyer, basis),
        referent_number=last.reference.number,
        referent_time=last.reference.time,
    )
    return PlannedReceipt(document=document)


def _sale(
    chain: Chain,
    request: Closing,
    sold: tuple[FiscalLine, ...],
    basis: Basis,
    *,
    lowered: tuple[LoweredLine, ...],
) -> PlannedReceipt:
    """Plan the sale of the real items at full price; only the remainder is paid."""
    document = FiscalDocument(
        invoice_type=InvoiceType.NORMAL,
        transaction_type=TransactionType.SALE,
        lines=sold,
        payments=payment_lines(request.payments, request.cost_centre, rules=basis.rules),
        cashier=basis.cashier,
        esir_number=basis.esir_number,
        buyer=text_of(request.buyer),
        cost_centre=text_of(request.cost_centre),
    )
    paid = chain.paid_in_advance
    figures = AdvanceFigures(paid, chain.vat_in_advance(basis.rates), document.total - paid)
    esir = EsirPart(
        lowered=lowered,
        additional_text=request.additional_text,
        advance=figures,
        last_advance=chain.advances[-1].reference,
    )
    return PlannedReceipt(document=document, esir=esir, delivery=request.delivery, follows=0)


def _buyer_of_refund(given: BuyerId | None, basis: Basis) -> str:
    buyer = text_of(given or basis.seller)
    if buyer is None:
        raise Invalid("close_buyer", field="buyerId")
    return buyer
