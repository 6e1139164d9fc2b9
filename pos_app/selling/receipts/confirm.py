"""A cashier's draft becomes a confirmed operation on a receipt in one durable commit.

The operation goes the way of a sale: it is frozen under a key of its own, then the outbox brings it
to its outcome.
Source: exactly-once.md; fiscal.md 6.2, 6.4, 6.5, 6.13.
"""

from __future__ import annotations

from dataclasses import replace

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import Payments
from pos_app.domain.receipt import operations
from pos_app.domain.receipt.buyer import CORPORATE_CARD, BuyerId
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.selling.receipts.advance_draft import ClosingDraft, FurtherPayment
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.checkout import ReceiptDetails
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.sale import MoneyTaken, NewSale, Sale
from pos_app.selling.sale.sell import new_ticket
from pos_app.selling.sale.ticket import DocumentKind, NewTicket, TypedDetails

_KINDS = {kind.invoice_type: kind for kind in DocumentKind}
NOTHING_MOVED = MoneyTaken(Payments(), Payments())


def confirm_refund(
    *,
    till: Till,
    draft: RefundDraft,
    buyer: BuyerId,
    delivery: ReceiptDelivery,
    cashier: str,
    in_whole_dinars: bool,
    additional_text: str = "",
    reason: str = "",
) -> Sale:
    """Freeze a refund of lines. reason: as in `NewSale`. Raises Invalid where no line is taken or
    the money can't go back that way; DiskFull. After an error nothing is confirmed."""
    sale = refund_sale(
        till=till,
        draft=draft,
        buyer=buyer,
        delivery=delivery,
        cashier=cashier,
        in_whole_dinars=in_whole_dinars,
        additional_text=additional_text,
    )
    return _freeze(till, draft.overview, replace(sale, reason=reason))


def refund_sale(
    *,
    till: Till,
    draft: RefundDraft,
    buyer: BuyerId,
    delivery: ReceiptDelivery,
    cashier: str,
    in_whole_dinars: bool,
    additional_text: str = "",
) -> NewSale:
    """The sale to freeze for a refund. Raises Invalid as `confirm_refund` does."""
    items, way = draft.items(), draft.possible_way()
    request = operations.Refunding(
        payments=way.payments,
        delivery=delivery,
        buyer=buyer,
        items=items,
        specification=draft.specification(),
        additional_text=additional_text,
    )
    rounding = way.payments.cash - draft.hand_gives(in_whole_dinars=in_whole_dinars)
    return _new_sale(
        till,
        draft.overview,
        operations.Operation.REFUND,
        request,
        total=draft.total,
        cashier=cashier,
        money=MoneyTaken(way.payments, way.payments, rounding=rounding),
    )


def confirm_copy(
    *, till: Till, overview: ReceiptOverview, delivery: ReceiptDelivery, cashier: str
) -> Sale:
    """Freeze a copy. Raises DiskFull; then nothing is confirmed."""
    sale = _new_sale(
        till,
        overview,
        operations.Operation.COPY,
        operations.Copying(delivery=delivery),
        total=overview.total,
        cashier=cashier,
        money=NOTHING_MOVED,
    )
    return _freeze(till, overview, sale)


def confirm_advance_payment(
    *, till: Till, payment: FurtherPayment, details: ReceiptDetails, cashier: str
) -> Sale:
    """Freeze a further payment on an advance. details: additions to its receipt; the split by tax
    label comes from the payment. Raises Invalid where nothing or more than remains is paid, or the
    split is missing or wrong; DiskFull. After an error nothing is confirmed."""
    money = payment.money_taken()
    _ = payment.shares
    request = operations.AdvancePayment(
        payments=money.on_receipt,
        delivery=details.delivery,
        buyer=details.buyer,
        cost_centre=details.cost_centre,
        pos_time=details.pos_time,
        specification=payment.amounts_by_label,
        additional_text=details.additional_text,
    )
    sale = _new_sale(
        till,
        payment.overview,
        operations.Operation.ADVANCE,
        request,
        total=payment.amount,
        cashier=cashier,
        money=money,
    )
    return _freeze_payment(till, payment.overview, sale, details)


def confirm_closing(
    *, till: Till, closing: ClosingDraft, details: ReceiptDetails, cashier: str
) -> Sale:
    """Freeze the closing of an advance. Its total is the buyer's payment. Raises Invalid if the
    rest is not covered or the items cost less than was paid; DiskFull. After an error nothing is
    confirmed."""
    money = closing.money_taken()
    request = operations.Closing(
        payments=money.on_receipt,
        delivery=details.delivery,
        items=closing.items,
        buyer=details.buyer,
        cost_centre=details.cost_centre,
        additional_text=details.additional_text,
    )
    sale = _new_sale(
        till,
        closing.overview,
        operations.Operation.CLOSE,
        request,
        total=closing.due,
        cashier=cashier,
        money=money,
    )
    return _freeze_payment(till, closing.overview, sale, details)


def _freeze_payment(
    till: Till, overview: ReceiptOverview, sale: NewSale, details: ReceiptDetails
) -> Sale:
    """Keep the cost centre too, by which `given_for` knows a corporate card. What was kept as given
    for the advance is taken by the payment."""
    code = "" if details.cost_centre is None else details.cost_centre.code
    return till.carts.freeze_operation(
        _ticket(till, overview, sale),
        sale=replace(sale, buyer=details.known_buyer),
        typed_details=TypedDetails(centre_code=code),
        advance=overview.first_number,
    )


def _freeze(till: Till, overview: ReceiptOverview, sale: NewSale) -> Sale:
    return till.carts.freeze_operation(_ticket(till, overview, sale), sale=sale)


def _ticket(till: Till, overview: ReceiptOverview, sale: NewSale) -> NewTicket:
    is_closing = sale.operation is operations.Operation.CLOSE  # a sale closes an advance
    of_receipt = _KINDS.get(overview.invoice_type, DocumentKind.SALE)
    kind = DocumentKind.SALE if is_closing else of_receipt
    return new_ticket(till=till, cashier=sale.cashier, kind=kind)


def given_for(till: Till, sale: Sale) -> Payments:
    """What a person gave for a payment on an advance: nothing where a corporate card paid, because
    nobody gave the voucher that stands for it. Raises MachineError."""
    centre = till.carts.cart_of(sale.cart_id).typed_details.centre_code
    return Payments() if centre == CORPORATE_CARD else sale.money_taken.tendered


def _new_sale(
    till: Till,
    overview: ReceiptOverview,
    operation: operations.Operation,
    request: operations.OperationRequest,
    *,
    total: Money,
    cashier: str,
    money: MoneyTaken,
) -> NewSale:
    return NewSale(
        body=till.codec.encode(request),
        total=total,
        money_taken=money,
        cashier=cashier,
        frozen_at=till.clock.now(),
        operation=operation,
        target=overview.receipt_id,
    )
