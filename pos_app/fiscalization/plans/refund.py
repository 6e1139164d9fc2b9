"""A sale is refunded by lines, an advance by tax labels.

Source: fiscal.md 6.2, 6.3, 6.4; platform-contract.md 2.19.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from pos_app.domain.money import advance_split
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine, label_totals
from pos_app.domain.receipt.operations import Operation, RefundedItem, Refunding
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.states import AnswerClass
from pos_app.errors import Invalid
from pos_app.fiscalization.plans import copying, corporate_card, lifecycle, refund_line_choice
from pos_app.fiscalization.plans.advance import advance_lines
from pos_app.fiscalization.plans.basis import Basis, check_centre, payment_lines, text_of
from pos_app.fiscalization.plans.chain import Chain, ChainReceipt, LineRest
from pos_app.fiscalization.plans.free_supply import check_free_refund, check_free_supply
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.refusals import NotSigned

_MOST_SUMS_NAMED = 10


def plan_refund(
    *, receipt: ChainReceipt, chain: Chain, request: Refunding, basis: Basis
) -> tuple[PlannedReceipt, ...]:
    """Plan the refund, and for a fiscal receipt with any cash its copy, which the customer signs.
    Raises Invalid naming the field, NotSigned (wait) while an open refund covers the same lines."""
    lifecycle.check_allowed(Operation.REFUND, receipt, chain)
    request = replace(request, cost_centre=corporate_card.centre_of_refund(receipt, request))
    check_centre(request.cost_centre, buyer=request.buyer, payments=request.payments, refund=True)
    document = _document(receipt, _lines(receipt, chain, request), chain, request, basis)
    check_free_supply(document)
    if receipt.kind[0] is InvoiceType.ADVANCE:
        check_free_refund(request.payments, chain)
    corporate_card.check_given_back(document, receipt, chain)
    refund = PlannedReceipt(
        document=document,
        esir=EsirPart(additional_text=request.additional_text),
        delivery=request.delivery,
    )
    return with_signed_copy(refund, basis)


def with_signed_copy(refund: PlannedReceipt, basis: Basis) -> tuple[PlannedReceipt, ...]:
    """The refund, and for a fiscal one with any cash the copy that the customer signs. The payments
    on the receipt count: a card that is recorded as cash is cash."""
    document = refund.document
    if document.invoice_type.is_fiscal and basis.rules.wants_copy(document.payments):
        return refund, copying.copy_of(refund, basis)
    return (refund,)


def _document(
    receipt: ChainReceipt,
    lines: tuple[FiscalLine, ...],
    chain: Chain,
    request: Refunding,
    basis: Basis,
) -> FiscalDocument:
    is_advance = receipt.kind[0] is InvoiceType.ADVANCE
    reference = (chain.advances[-1] if is_advance else receipt).reference
    return FiscalDocument(
        invoice_type=receipt.kind[0],
        transaction_type=TransactionType.REFUND,
        lines=lines,
        payments=payment_lines(request.payments, request.cost_centre, rules=basis.rules),
        cashier=basis.cashier,
        esir_number=basis.esir_number,
        buyer=text_of(request.buyer),
        cost_centre=text_of(request.cost_centre),
        referent_number=reference.number,
        referent_time=reference.time,
    )


def _lines(receipt: ChainReceipt, chain: Chain, request: Refunding) -> tuple[FiscalLine, ...]:
    if receipt.kind[0] is InvoiceType.ADVANCE:
        return advance_lines(_advance_shares(chain, request))
    if request.specification:
        raise Invalid("of_advance_refund", field=advance_split.SPECIFICATION)
    free, firm = chain.rest_of(receipt), chain.rest_of(receipt, firmly=True)
    try:
        return _paid_lines(free, request)
    except Invalid:
        # An item was either surely refunded before, or only by a request that is still open.
        if free == firm:
            raise
        _paid_lines(firm, request)
        raise NotSigned("open_refund", answer_class=AnswerClass.WAIT) from None


# --- a sale, by lines --------------------------------------------------------------------------


def _paid_lines(rests: tuple[LineRest, ...], request: Refunding) -> tuple[FiscalLine, ...]:
    """The lines in order, or other lines of the same articles whose sum equals the payments. Raises
    Invalid naming the item, or "payments" with the possible sums."""
    lines, paid = refunded_lines(rests, request.items), request.payments.total
    total = Money.total(line.total for line in lines)
    if paid == total:
        return lines
    ways = refund_line_choice.ways_to_take(rests, request.items) if request.items else {}
    if paid in ways:
        return refunded_lines(ways[paid], request.items)
    raise Invalid(
        "refunded_ways", field="payments", total=total, others=_others(ways, total, paid), paid=paid
    )


def _others(ways: Iterable[Money], total: Money, paid: Money) -> str:
    sums = sorted(set(ways) - {total}, key=lambda way: abs(way.amount - paid.amount))
    if not sums:
        return ""
    nearest = ", ".join(map(str, sorted(sums[:_MOST_SUMS_NAMED])))
    more = f" and {len(sums) - _MOST_SUMS_NAMED} more" if len(sums) > _MOST_SUMS_NAMED else ""
    return f", or by other lines of the same articles {nearest}{more}"


def refunded_lines(
    rests: tuple[LineRest, ...], items: tuple[RefundedItem, ...]
) -> tuple[FiscalLine, ...]:
    """The lines of a refund, in the order of the receipt. Without items it takes all that is left.
    A line that an item names by its index belongs to that item. Raises Invalid naming the item."""
    left = list(rests)
    if not items:
        if not left:
            raise Invalid("nothing_left", field="items")
        return tuple(_line(rest, rest.quantity) for rest in left)
    named_first = sorted(enumerate(items), key=lambda item: item[1].line is None)
    taken = {index: _lines_for(left, item, f"items[{index}]") for index, item in named_first}
    return tuple(line for index in range(len(items)) for line in taken[index])


def _lines_for(rests: list[LineRest], item: RefundedItem, path: str) -> list[FiscalLine]:
    indices = [index for index, rest in enumerate(rests) if _is_meant(rest, item)]
    if not indices:
        named = "sku" if item.line is None else "line"
        value = item.sku if item.line is None else item.line
        raise Invalid(
            "not_on_this_receipt", field=f"{path}.{named}", path=path, named=named, value=value
        )
    if item.line is not None and item.sku not in (None, rests[indices[0]].line.sku):
        raise Invalid("other_article", field=f"{path}.sku", path=path, sku=item.sku, line=item.line)
    wanted, lines = item.quantity.amount, []
    for index in indices:
        take = min(wanted, rests[index].quantity)
        if take > 0:
            lines.append(_line(rests[index], take))
            rests[index] = rests[index].less(take)
            wanted -= take
    if wanted > 0:
        rest = item.quantity.amount - wanted
        most = Quantity(rest) if rest else 0
        raise Invalid(
            "exceeds_left", field=f"{path}.quantity", path=path, quantity=item.quantity, most=most
        )
    return lines


def _is_meant(rest: LineRest, item: RefundedItem) -> bool:
    return rest.index == item.line if item.line is not None else rest.line.sku == item.sku


def _line(rest: LineRest, quantity: Decimal) -> FiscalLine:
    return replace(
        rest.line, quantity=Quantity(quantity), total=rest.part(quantity), origin=rest.index
    )


# --- an advance, by labels ---------------------------------------------------------------------


def _advance_shares(chain: Chain, request: Refunding) -> advance_split.Shares:
    if request.items:
        raise Invalid("no_items", field="items")
    paid, refunded = chain.paid_by_label, request.payments.total
    if not refunded:
        raise Invalid("refund_payment", field="payments")
    if refunded > chain.paid_in_advance:
        raise Invalid(
            "exceeds_paid",
            field="payments",
            refunded=refunded,
            paid_in_advance=chain.paid_in_advance,
        )
    if request.specification:
        return advance_split.specified(request.specification, refunded, among=paid, at_most=paid)
    if len(paid) == 1 or refunded == chain.paid_in_advance:
        return dict.fromkeys(paid, refunded) if len(paid) == 1 else paid
    order = chain.order
    if not order.is_known:
        raise advance_split.specification_required()
    return advance_split.in_proportion(refunded, label_totals(order.lines), at_most=paid)
