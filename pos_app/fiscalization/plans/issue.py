"""Issuing a receipt: a sale, an advance, a proforma, a training receipt, or a refund by hand.

Source: fiscal.md 1 and 6, platform-contract.md 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import count

from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt import pricing
from pos_app.domain.receipt.esir_part import EsirPart, LoweredLine, total_saved
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.operations import RefundedItem, Refunding
from pos_app.domain.receipt.request import (
    FrozenArticle,
    InvoiceType,
    IssueRequest,
    RequestedItem,
    TransactionType,
)
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.basis import (
    Basis,
    check_centre,
    check_pos_time,
    payment_lines,
    sums_named,
    text_of,
)
from pos_app.fiscalization.plans.chain import Chain, ChainReceipt
from pos_app.fiscalization.plans.foreign_advance import refund_to_finish, with_figures
from pos_app.fiscalization.plans.free_supply import check_free_order, check_free_supply
from pos_app.fiscalization.plans.planned import AdvanceOrder, PlannedReceipt
from pos_app.fiscalization.plans.references import check_reference
from pos_app.fiscalization.plans.refund import plan_refund, with_signed_copy
from pos_app.fiscalization.plans.refund_items_check import check_stated, check_stated_of_advance
from pos_app.fiscalization.plans.reversal import UNDOES, plan_undoing
from pos_app.fiscalization.refusals import WrongReceipt

_SAME_TIME = timedelta(seconds=1)
"""Callers may cut the fractions of a second off a receipt's time."""


def with_facts(
    items: Sequence[RequestedItem], facts: Sequence[FrozenArticle | None]
) -> tuple[RequestedItem, ...]:
    return tuple(
        replace(item, article=item.article or fact) for item, fact in zip(items, facts, strict=True)
    )


def plan_issue(
    *, request: IssueRequest, referent: ChainReceipt | None, chain: Chain, basis: Basis
) -> tuple[PlannedReceipt, ...]:
    """Plan the receipt, and after a cash refund of a fiscal one its copy.

    request: each item has its article. referent: the receipt that it refers to, when this journal
    has it, with its chain. Raises Invalid naming the field, NotSigned (wait).
    """
    request = _as_known(request, referent)
    check_reference(
        request, referent_kind=None if referent is None else referent.kind, now=basis.now
    )
    _check(request, basis)
    is_refund = request.transaction_type is TransactionType.REFUND
    if is_refund and referent is not None:
        return _refund_known(request, referent, chain, basis)
    if referent is not None and request.invoice_type is InvoiceType.ADVANCE:
        raise Invalid("advance_here", field="referentDocumentNumber")
    if referent is not None and (request.kind, referent.kind) == UNDOES:
        lines = tuple(map(fiscal_line, priced(request).lines))
        return (
            plan_undoing(request=request, lines=lines, refund=referent, chain=chain, basis=basis),
        )
    finished = refund_to_finish(request.kind, referent, chain)
    if finished is not None:
        return (_finishing(request, finished, basis),)
    receipt = receipt_of(request, priced(request), basis)
    check_free_supply(receipt.document)
    if receipt.order is not None:
        check_free_order(receipt.order, in_money=request.payments.in_money)
    return _refund(receipt, request, basis) if is_refund else (receipt,)


def _as_known(request: IssueRequest, referent: ChainReceipt | None) -> IssueRequest:
    """The request with the referent's number and time as they were signed."""
    if referent is None:
        return request
    given, known = request.referent_time, referent.reference.time
    if given is not None and abs(given - known) >= _SAME_TIME:
        raise Invalid("other_time", field="referentDocumentDT", moment=known.isoformat())
    number = referent.reference.number
    return replace(request, referent_number=number, referent_time=known)


def _check(request: IssueRequest, basis: Basis) -> None:
    refund = request.transaction_type is TransactionType.REFUND
    if request.unknown_amount_advance and request.invoice_type is not InvoiceType.ADVANCE:
        raise Invalid("of_advance_only", field="unknownAmountAdvance")
    if request.pos_time is not None and (request.invoice_type is not InvoiceType.ADVANCE or refund):
        raise Invalid("pos_time_wire", field="posTime")
    check_pos_time(request.pos_time, request.payments, now=basis.now)
    check_centre(request.cost_centre, buyer=request.buyer, payments=request.payments, refund=refund)
    if refund and request.buyer is None:
        raise Invalid("buyer_required", field="buyerId")


def priced(request: IssueRequest, *, in_advance: Money = Money.ZERO) -> pricing.PricedRequest:
    """Price a request. Raises Invalid on "items" for sums beyond 12 digits."""
    with sums_named("items"):
        return pricing.price(request, in_advance=in_advance)


# --- the receipt -------------------------------------------------------------------------------


def receipt_of(
    request: IssueRequest, priced: pricing.PricedRequest, basis: Basis
) -> PlannedReceipt:
    document = FiscalDocument(
        invoice_type=request.invoice_type,
        transaction_type=request.transaction_type,
        lines=tuple(map(fiscal_line, priced.lines)),
        payments=payment_lines(request.payments, request.cost_centre, rules=basis.rules),
        cashier=basis.cashier,
        esir_number=basis.esir_number,
        buyer=text_of(request.buyer),
        cost_centre=text_of(request.cost_centre),
        referent_number=request.referent_number,
        referent_time=request.referent_time,
        pos_time=request.pos_time,
    )
    return PlannedReceipt(
        document=document,
        esir=esir_part(request, priced),
        delivery=request.delivery,
        order=_order(request),
    )


def _finishing(request: IssueRequest, refund: ChainReceipt, basis: Basis) -> PlannedReceipt:
    refunded = refund.planned.document
    sale = receipt_of(request, priced(request, in_advance=refunded.total), basis)
    check_free_supply(sale.document, in_advance=refunded.paid_by(PaymentMethod.OTHER))
    return with_figures(sale, refund, rates=basis.rates)


def fiscal_line(line: pricing.PricedLine) -> FiscalLine:
    return FiscalLine(
        name=line.name,
        label=line.label,
        quantity=line.quantity,
        unit_price=line.unit_price,
        total=line.total,
        gtin=line.gtin,
        sku=line.sku,
    )


def _order(request: IssueRequest) -> AdvanceOrder | None:
    is_sale = request.transaction_type is TransactionType.SALE
    if request.invoice_type is not InvoiceType.ADVANCE or not is_sale:
        return None
    goods = pricing.priced_goods(request.items, request.discount)
    return AdvanceOrder(
        tuple(map(fiscal_line, goods)),
        is_known=not request.unknown_amount_advance,
        lowered=lowered_lines(request.items, goods, request.discount),
    )


# --- a refund by hand --------------------------------------------------------------------------


def _refund(
    refund: PlannedReceipt, request: IssueRequest, basis: Basis
) -> tuple[PlannedReceipt, ...]:
    refund = replace(refund, esir=replace(refund.esir, is_unchecked=True))
    total = refund.document.total
    if request.payments.total != total:
        raise Invalid("refunded_exactly", field="payments", total=total)
    return with_signed_copy(refund, basis)


def _refund_known(
    request: IssueRequest, referent: ChainReceipt, chain: Chain, basis: Basis
) -> tuple[PlannedReceipt, ...]:
    """Plan a refund of a receipt of this journal. Errors name a member of the body, not `Id`."""
    try:
        planned = plan_refund(
            receipt=referent, chain=chain, request=_as_refunding(request), basis=basis
        )
    except WrongReceipt as error:
        field = "referentDocumentNumber"
        raise Invalid("wrong", field=field, why=error.what) from error
    if request.invoice_type is InvoiceType.ADVANCE:
        check_stated_of_advance(
            request,
            order=chain.order.lines,
            lines=planned[0].document.lines,
            left_total=chain.paid_in_advance,
        )
    else:
        check_stated(request, planned[0].document.lines)
    total = planned[0].document.total
    if request.total not in (None, total):
        raise Invalid(
            "refund_total_differs", field="totalAmount", stated=request.total, total=total
        )
    return planned


def _as_refunding(request: IssueRequest) -> Refunding:
    assert request.buyer is not None
    is_advance = request.invoice_type is InvoiceType.ADVANCE
    items = () if is_advance else tuple(map(_refunded_item, request.items, count()))
    return Refunding(
        payments=request.payments,
        delivery=request.delivery,
        buyer=request.buyer,
        items=items,
        cost_centre=request.cost_centre,
        specification=request.advance_specification if is_advance else {},
        additional_text=request.additional_text,
    )


def _refunded_item(item: RequestedItem, index: int) -> RefundedItem:
    if item.sku is None:
        path = f"items[{index}].sku"
        raise Invalid("required_here", field=path)
    return RefundedItem(item.quantity, sku=item.sku)


# --- what the ESIR prints beside the journal, fixed when the receipt is planned ----------------
# Source: fiscal.md 6.10 (a discount is printed outside the fiscal part only).


def esir_part(request: IssueRequest, priced: pricing.PricedRequest) -> EsirPart:
    """The ESIR's part. An advance shows no discounts; its order keeps them for the closing."""
    is_advance = request.invoice_type is InvoiceType.ADVANCE
    return EsirPart(
        lowered=() if is_advance else lowered_lines(request.items, priced.lines, request.discount),
        additional_text=request.additional_text,
    )


def lowered_lines(
    items: Sequence[RequestedItem],
    goods: Sequence[pricing.PricedLine],
    discount: Percent | None = None,
) -> tuple[LoweredLine, ...]:
    """Lines below their unit price, with the percentage unless the caller stated the line's total.

    goods: the priced items, one by one. Raises Invalid on "items" when the sum saved has more than
    12 digits, because the receipt would be signed but could not be printed.
    """
    lowered = tuple(
        LoweredLine(
            line.name, line.before_discount, line.total, discount if item.total is None else None
        )
        for item, line in zip(items, goods, strict=True)
        if line.total < line.before_discount
    )
    with sums_named("items"):
        _ = total_saved(lowered)
    return lowered
