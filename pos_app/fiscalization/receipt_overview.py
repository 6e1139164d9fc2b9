"""The overview of one receipt for acts on it, from the journal alone.

The rules that plan an operation also decide which acts are lawful, so that an offered act is never
refused. Source: fiscal.md 6.2 to 6.5, 6.12.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import (
    ActAllowed,
    AdvanceOverview,
    ChainMember,
    OrderedLine,
    PaidBy,
    PaidOfLabel,
    ReceiptAct,
    ReceiptOverview,
    SoldLine,
    WhyNot,
)
from pos_app.domain.receipt.request import InvoiceType, TransactionType, name_and_unit
from pos_app.domain.receipt.units import is_weight
from pos_app.fiscalization.issuing.results import find_receipt
from pos_app.fiscalization.jobs import QueuedJob, has_original
from pos_app.fiscalization.plans.advance_tax import GivenRates
from pos_app.fiscalization.plans.chain import Chain, ChainReceipt, LineRest
from pos_app.fiscalization.plans.corporate_card import most_in_money
from pos_app.fiscalization.plans.free_supply import is_given_away
from pos_app.fiscalization.plans.lifecycle import obstacle
from pos_app.fiscalization.plans.reversal import undoing_obstacle
from pos_app.fiscalization.ports import Journal
from pos_app.fiscalization.refusals import NotSigned, ReceiptNotFound, WrongReceipt

_OPERATIONS = {
    ReceiptAct.COPY: Operation.COPY,
    ReceiptAct.REFUND: Operation.REFUND,
    ReceiptAct.ADVANCE: Operation.ADVANCE,
    ReceiptAct.CLOSE: Operation.CLOSE,
}
_REFUNDED_BY_LINES = frozenset({InvoiceType.NORMAL, InvoiceType.PROFORMA, InvoiceType.TRAINING})


def receipt_overview(
    journal: Journal, reference: str, *, rates: GivenRates = None
) -> tuple[ReceiptOverview, ChainReceipt]:
    """The overview of a receipt, and the receipt with its plan, from which its paper is made.

    reference: the receipt's id, or its number in any spelling. rates: the processor's rates, for
    the tax of receipts that lack it. Raises ReceiptNotFound where there is no such signed receipt;
    MachineError.
    """
    request = find_receipt(journal, reference)
    command = None if request is None else journal.command(request.command_id)
    if request is None or command is None:
        raise ReceiptNotFound()
    chain = journal.chain(request.chain)
    receipt = next(link for link in chain.links if link.id == request.id)
    jobs, origin = journal.jobs.of_receipt(receipt.id), command.origin
    return overview_of(receipt, chain, jobs=jobs, origin=origin, rates=rates), receipt


def overview_of(
    receipt: ChainReceipt,
    chain: Chain,
    *,
    jobs: tuple[QueuedJob, ...],
    origin: str,
    rates: GivenRates = None,
) -> ReceiptOverview:
    """The overview of a receipt. Raises ReceiptNotFound where it is not signed."""
    signed, document = receipt.receipt, receipt.planned.document
    if signed is None:
        raise ReceiptNotFound("not_signed")
    return ReceiptOverview(
        receipt_id=receipt.id,
        number=signed.invoice_number,
        counter=signed.invoice_counter,
        time=signed.sdc_time,
        origin=origin,
        operation=receipt.operation,
        invoice_type=document.invoice_type,
        transaction_type=document.transaction_type,
        total=document.total,
        cashier=document.cashier,
        payments=_paid_by(document.payments),
        lines=tuple(_lines(receipt, chain)),
        chain=tuple(_member(link, chain) for link in chain.links),
        acts=(_printing(receipt, jobs), *_acts(receipt, chain)),
        left_by_method=_paid_by(chain.left_by_method(receipt) if _can_give_back(receipt) else ()),
        deliveries=jobs,
        asks_e_invoice=document.asks_e_invoice,
        buyer=document.buyer,
        cost_centre=document.cost_centre,
        refers_to=document.referent_number,
        referent_time=document.referent_time,
        verification_url=signed.verification_url,
        additional_text=receipt.planned.esir.additional_text,
        most_in_money=most_in_money(receipt, chain) if _can_give_back(receipt) else None,
        advance=_advance(chain.before_half_closing, rates),
    )


def _acts(receipt: ChainReceipt, chain: Chain) -> Iterator[ActAllowed]:
    for act, operation in _OPERATIONS.items():
        found = obstacle(operation, receipt, chain)
        if found is not None:
            numbers = (one.receipt.invoice_number for one in found.receipts if one.receipt)
            yield ActAllowed(act, found.why, tuple(numbers))
        elif act is ReceiptAct.REFUND and _is_all_held(receipt, chain):
            yield ActAllowed(act, WhyNot.UNDER_WAY)
        else:
            yield ActAllowed(act)
    yield ActAllowed(ReceiptAct.UNDO, undoing_obstacle(receipt, chain))


def _is_all_held(receipt: ChainReceipt, chain: Chain) -> bool:
    """Whether refunds that are still open hold all that is left of a sale."""
    return receipt.kind[0] in _REFUNDED_BY_LINES and not chain.rest_of(receipt)


def _printing(receipt: ChainReceipt, jobs: tuple[QueuedJob, ...]) -> ActAllowed:
    if receipt.operation is Operation.CLOSE and receipt.kind[0] is InvoiceType.ADVANCE:
        return ActAllowed(ReceiptAct.PRINT, WhyNot.STAYS_HERE)
    return ActAllowed(ReceiptAct.PRINT, WhyNot.HAS_ORIGINAL if has_original(jobs) else None)


def _can_give_back(receipt: ChainReceipt) -> bool:
    """Whether money was received for the receipt, which a refund gives back."""
    invoice_type, transaction = receipt.kind
    is_copy = invoice_type is InvoiceType.COPY
    return transaction is TransactionType.SALE and not is_copy and not receipt.planned.is_reversal


def _lines(receipt: ChainReceipt, chain: Chain) -> Iterator[SoldLine]:
    by_lines = receipt.kind[0] in _REFUNDED_BY_LINES and _can_give_back(receipt)
    left = {rest.index: rest for rest in chain.rest_of(receipt)} if by_lines else {}
    lowered = list(receipt.planned.esir.lowered)  # only lowered lines, in the receipt's order
    for index, line in enumerate(receipt.planned.document.lines):
        rest = left.get(index) or LineRest(index, line, Decimal(0), Money.ZERO)
        is_lowered = bool(lowered) and (lowered[0].name, lowered[0].after) == (
            line.name,
            line.total,
        )
        yield SoldLine(
            index=index,
            name=line.name,
            label=line.label,
            quantity=line.quantity.amount,
            unit_price=line.unit_price,
            total=line.total,
            left_quantity=rest.quantity,
            left_total=rest.total,
            is_given_away=is_given_away(line),
            sku=line.sku,
            gtin=line.gtin,
            before_discount=lowered.pop(0).before if is_lowered else None,
            by_weight=is_weight(name_and_unit(line.name)[1]) or not line.quantity.is_whole,
        )


def _member(link: ChainReceipt, chain: Chain) -> ChainMember:
    document = link.planned.document
    return ChainMember(
        receipt_id=link.id,
        operation=link.operation,
        invoice_type=document.invoice_type,
        transaction_type=document.transaction_type,
        state=link.state,
        total=document.total,
        number=None if link.receipt is None else link.receipt.invoice_number,
        time=None if link.receipt is None else link.receipt.sdc_time,
        refers_to=document.referent_number,
        is_undone=link.command_id in chain.reversed_commands,
    )


def _advance(chain: Chain, rates: GivenRates) -> AdvanceOverview | None:
    """The advance of a chain, or None where no advance of the chain began here."""
    if not chain.began_here:
        return None
    order = chain.order
    return AdvanceOverview(
        paid=chain.paid_in_advance,
        lines=tuple(
            OrderedLine(
                line.name,
                line.label,
                line.quantity.amount,
                line.unit_price,
                line.total,
                line.sku,
                line.gtin,
            )
            for line in order.lines
        ),
        is_closed=len(chain.closing) > 1,
        by_label=tuple(PaidOfLabel(*one) for one in chain.paid_by_label.items()),
        by_method=_paid_by(chain.paid_by_method),
        total=order.total if order.is_known else None,
        vat=_vat(chain, rates),
        buyer=chain.buyer,
    )


def _vat(chain: Chain, rates: GivenRates) -> Money | None:
    try:
        return chain.vat_in_advance(rates)
    except (WrongReceipt, NotSigned):
        return None


def _paid_by(payments: tuple[tuple[PaymentMethod, Money], ...]) -> tuple[PaidBy, ...]:
    return tuple(PaidBy(method, amount) for method, amount in payments)
