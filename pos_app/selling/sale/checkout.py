"""A cart becomes a confirmed sale: the request for its receipt, and the one durable commit.

Sources: sale.md 2, till.md (Promise 6, "Payment"), fiscal.md 6.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime

from pos_app import log
from pos_app.domain.money import free_supply, payment
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import pricing
from pos_app.domain.receipt.buyer import BuyerId, CostCentre, check_cost_centre
from pos_app.domain.receipt.request import IssueRequest, ReceiptDelivery, TransactionType
from pos_app.domain.text import instant
from pos_app.errors import Invalid, PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.catalogue.catalogue import CatalogueEditor
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.sale import MoneyTaken, NewSale, Sale
from pos_app.selling.sale.sell import new_ticket
from pos_app.selling.sale.ticket import DocumentKind, Ticket

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class ReceiptDetails:
    """The cashier's additions to a receipt. Instants are UTC.

    advance: the present payment of an advance, or None for the whole cart. buyer_name: the buyer's
    name for the buyers' book, which no receipt has.
    """

    delivery: ReceiptDelivery
    buyer: BuyerId | None = None
    cost_centre: CostCentre | None = None
    additional_text: str = ""
    referent_number: str | None = None
    referent_time: datetime | None = None
    pos_time: datetime | None = None
    advance: Money | None = None
    unknown_amount_advance: bool = False
    advance_specification: Mapping[TaxLabel, Money] = field(default_factory=dict)
    buyer_name: str = ""

    @property
    def known_buyer(self) -> KnownBuyer | None:
        """What the buyers' book learns of this receipt."""
        email = self.delivery.email or ""
        return KnownBuyer.on_receipt(self.buyer, name=self.buyer_name, email=email)


@dataclass(frozen=True, slots=True)
class ConfirmedSale:
    sale: Sale
    ticket: Ticket


def amount_due(ticket: Ticket, *, advance: Money | None) -> Money:
    """The amount to be paid now: the cart's total, an advance's part of it, or the remainder after
    an earlier advance or returned goods."""
    if ticket.kind is DocumentKind.ADVANCE and advance is not None:
        return advance
    if (netting := ticket.netting) is not None:
        return netting.rest
    return max(ticket.cart.total - ticket.paid_before, Money.ZERO)


def request_of(
    *, ticket: Ticket, payments: payment.Payments, receipt_details: ReceiptDetails
) -> IssueRequest:
    """The request for the receipt, priced as the server prices it.

    payments: the payments as the receipt shows them. Raises Invalid when the cart is empty, the
    payments do not cover it, or the receipt_details don't fit together.
    """
    if ticket.cart.is_empty:
        raise Invalid("empty.cart", field="items")
    check_cost_centre(
        receipt_details.cost_centre, buyer=receipt_details.buyer, payments=payments, refund=False
    )
    request = IssueRequest(
        invoice_type=ticket.kind.invoice_type,
        transaction_type=TransactionType.SALE,
        items=ticket.cart.items(),
        payments=payments,
        delivery=receipt_details.delivery,
        buyer=receipt_details.buyer,
        cost_centre=receipt_details.cost_centre,
        referent_number=receipt_details.referent_number,
        referent_time=receipt_details.referent_time,
        pos_time=receipt_details.pos_time,
        unknown_amount_advance=receipt_details.unknown_amount_advance,
        advance_specification=receipt_details.advance_specification,
        additional_text=receipt_details.additional_text,
        total=ticket.cart.total,
    )
    pricing.price(request, in_advance=ticket.paid_before)
    gifts = ticket.cart.given_away
    if ticket.kind is not DocumentKind.ADVANCE and not ticket.paid_before:
        free_supply.check_gifts_paid(gifts, payments)
    if ticket.kind is DocumentKind.ADVANCE and not request.unknown_amount_advance:
        free_supply.check_gifts_ordered(gifts, ticket.cart.total, in_money=payments.in_money)
    return request


def confirm(
    *,
    till: Till,
    ticket: Ticket,
    tendered: payment.Payments,
    receipt_details: ReceiptDetails,
    cashier: str,
    in_whole_dinars: bool,
    shift_id: int | None = None,
    is_queued: bool = False,
) -> ConfirmedSale:
    """Freeze the sale under the cart's key and open the next cart, in one durable commit.

    tendered: the customer's payment. is_queued: as in `NewSale`. Raises Invalid while something
    remains to be paid or the request can't be priced, NotAllowed when the cart is not the open one,
    DiskFull; then nothing is confirmed.
    """
    owed = amount_due(ticket, advance=receipt_details.advance)
    settlement = payment.settle(owed, tendered, in_whole_dinars=in_whole_dinars)
    shown = on_receipt(ticket.kind, owed, settlement)
    request = request_of(ticket=ticket, payments=shown, receipt_details=receipt_details)
    sale = NewSale(
        body=till.codec.encode(request),
        total=owed,
        money_taken=MoneyTaken(tendered, shown, settlement.change, settlement.rounding),
        cashier=cashier,
        frozen_at=till.clock.now(),
        shift_id=shift_id,
        is_queued=is_queued,
        buyer=None if ticket.kind.is_training else receipt_details.known_buyer,
    )
    kind = DocumentKind.TRAINING if ticket.kind.is_training else DocumentKind.SALE
    following = new_ticket(till=till, cashier=cashier, kind=kind)
    return ConfirmedSale(*till.carts.freeze(ticket, sale=sale, following=following))


def exact_card(amount: Money) -> payment.Payments:
    return payment.Payments.of({payment.PaymentMethod.CARD: amount})


def on_receipt(kind: DocumentKind, owed: Money, settlement: payment.Settlement) -> payment.Payments:
    """The payments that are signed; an advance shows those that are kept, without the change."""
    shown = settlement.on_receipt
    if shown is None:
        raise Invalid("below_total.typed", field="payments", remaining=settlement.remaining)
    if kind is not DocumentKind.ADVANCE:
        return shown
    change = shown.total - owed
    return payment.Payments.of(
        dict(shown.by_method) | {payment.PaymentMethod.CASH: shown.cash - change}
    )


def count_sold(sale: Sale, *, till: Till, editor: CatalogueEditor) -> None:
    """Count each line of a sale once, for favourites and usual amounts. A failure is only
    logged."""
    if sale.kind is not DocumentKind.SALE:
        return
    try:
        cart = till.carts.cart_of(sale.cart_id).cart
        lines = [(line.article.article_id, line.quantity) for line in cart.active]
        editor.count_sold(lines, on=instant.day_of(sale.frozen_at))
    except PosError as error:
        _log.warning("best sellers not counted: %s", error)
