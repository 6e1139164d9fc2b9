"""A correction mends a wrong buyer or payment: the whole receipt is refunded on the shop's own PIB,
and the same lines are sold once more with the right data.

Both are frozen in one commit. The new receipt is never sent before the refund is signed, and is not
built again later. No cash is handed over: the wrong amount leaves the drawer's sum with the refund,
and the true payment enters it with the new receipt.
Source: fiscal.md 6.4, 6.6, 6.13; exactly-once.md ("Who retries").
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from pos_app.domain.money import payment
from pos_app.domain.money.discount import discount_between, line_total
from pos_app.domain.money.money import PARA, Money, Quantity
from pos_app.domain.receipt import receipt_overview
from pos_app.domain.receipt.buyer import BuyerId, CostCentre, check_cost_centre
from pos_app.domain.receipt.cart import Cart, CartArticle, CartLine
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.pricing import price
from pos_app.domain.receipt.request import (
    FrozenArticle,
    InvoiceType,
    IssueRequest,
    ReceiptDelivery,
    TransactionType,
    name_and_unit,
)
from pos_app.errors import Invalid, NotAllowed
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.receipts import frozen_pair
from pos_app.selling.receipts.confirm import refund_sale
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.ports import SaleRepository, Till
from pos_app.selling.sale.sale import MoneyTaken, NewSale, Sale
from pos_app.selling.sale.sell import new_ticket
from pos_app.selling.sale.ticket import DocumentKind, TypedDetails


class CorrectionFault(StrEnum):
    """The reason why a receipt can't be corrected, beside those that prevent a refund."""

    NOT_A_SALE = "not_a_sale"
    """The receipt is no sale of goods, but an advance, a proforma, training, a copy or a refund."""
    PAID_IN_ADVANCE = "paid_in_advance"
    """A part of the receipt was paid with an advance, which is closed."""
    PARTLY_REFUNDED = "partly_refunded"


def correction_fault(
    overview: receipt_overview.ReceiptOverview,
) -> CorrectionFault | receipt_overview.WhyNot | None:
    kind = overview.invoice_type, overview.transaction_type
    if kind != (InvoiceType.NORMAL, TransactionType.SALE):
        return CorrectionFault.NOT_A_SALE
    if (why := overview.why_not(receipt_overview.ReceiptAct.REFUND)) is not None:
        return why
    paid = Money.total(one.amount for one in overview.payments)
    if overview.operation is not Operation.ISSUE or paid < overview.total:
        return CorrectionFault.PAID_IN_ADVANCE
    if any(line.left_quantity != line.quantity for line in overview.lines):
        return CorrectionFault.PARTLY_REFUNDED
    return None


# --- what is put right -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CorrectionDraft:
    """The new receipt beside the existing one. tendered: the customer's true payment."""

    overview: receipt_overview.ReceiptOverview
    tendered: payment.Payments
    buyer: BuyerId | None
    cost_centre: CostCentre | None

    @classmethod
    def of(
        cls, overview: receipt_overview.ReceiptOverview, *, in_whole_dinars: bool
    ) -> CorrectionDraft:
        centre = overview.cost_centre
        return cls(
            overview,
            _as_given(overview, in_whole_dinars=in_whole_dinars),
            None if overview.buyer is None else BuyerId.parse(overview.buyer),
            None if centre is None else CostCentre.parse(centre),
        )

    def is_changed(self, *, in_whole_dinars: bool) -> bool:
        was = CorrectionDraft.of(self.overview, in_whole_dinars=in_whole_dinars)
        paid = sorted(self.tendered.by_method), sorted(was.tendered.by_method)
        return paid[0] != paid[1] or (self.buyer, self.cost_centre) != (was.buyer, was.cost_centre)


def paid_by(
    overview: receipt_overview.ReceiptOverview,
    method: payment.PaymentMethod,
    *,
    in_whole_dinars: bool,
) -> payment.Payments:
    """The whole payment of a receipt by one method; goods given away stay with "other"."""
    free = Money.total(line.total for line in overview.lines if line.is_given_away)
    paid = overview.total - free
    if method is payment.PaymentMethod.CASH:
        paid = payment.cash_owed(paid, in_whole_dinars=in_whole_dinars)
    return payment.Payments.summed(((method, paid), (payment.PaymentMethod.OTHER, free)))


def _as_given(
    overview: receipt_overview.ReceiptOverview, *, in_whole_dinars: bool
) -> payment.Payments:
    """The customer's payment as the receipt shows it. Cash that equals the exact amount due is
    replaced by the rounded cash."""
    shown = payment.Payments.summed((one.method, one.amount) for one in overview.payments)
    exact = overview.total - (shown.total - shown.cash)
    if not exact or shown.cash != exact:
        return shown
    owed = payment.cash_owed(exact, in_whole_dinars=in_whole_dinars)
    return payment.Payments.of(dict(shown.by_method) | {payment.PaymentMethod.CASH: owed})


# --- the one durable commit ------------------------------------------------------------------


def confirm_correction(
    *,
    till: Till,
    sales: SaleRepository,
    draft: CorrectionDraft,
    seller: BuyerId,
    delivery: ReceiptDelivery,
    cashier: str,
    in_whole_dinars: bool,
) -> frozen_pair.FrozenPair:
    """Freeze both parts. seller: the shop's own PIB. delivery: the delivery of the new receipt; the
    refund and its copy stay in the shop.

    Raises NotAllowed where the receipt can't be corrected, is being corrected or would not change;
    Invalid where the payments don't cover it; DiskFull. After an error nothing is confirmed.
    """
    overview = draft.overview
    if correction_fault(overview) is not None:
        raise NotAllowed("not_correctable")
    if _is_begun(sales, overview.receipt_id):
        raise NotAllowed("correction_begun")
    if not draft.is_changed(in_whole_dinars=in_whole_dinars):
        raise NotAllowed("nothing_corrected")
    back = refund_sale(
        till=till,
        draft=RefundDraft.whole(overview),
        buyer=seller,
        delivery=delivery.kept_here,
        cashier=cashier,
        in_whole_dinars=in_whole_dinars,
    )
    cart = cart_of(overview)
    return frozen_pair.FrozenPair(
        *till.carts.freeze_correction(
            new_ticket(till=till, cashier=cashier, kind=DocumentKind.SALE),
            new_ticket(till=till, cashier=cashier, kind=DocumentKind.SALE),
            refund=back,
            sale=_new_receipt(
                till, draft, cart, delivery, cashier=cashier, in_whole_dinars=in_whole_dinars
            ),
            cart=cart,
            typed_details=_typed_details(draft),
        )
    )


def _is_begun(sales: SaleRepository, receipt_id: str) -> bool:
    return any(
        not one.is_exchange
        and one.refund.target == receipt_id
        and frozen_pair.stage_of(one) is not frozen_pair.PairStage.GIVEN_UP
        for one in frozen_pair.unfinished_pairs(sales)
    )


def _new_receipt(
    till: Till,
    draft: CorrectionDraft,
    cart: Cart,
    delivery: ReceiptDelivery,
    *,
    cashier: str,
    in_whole_dinars: bool,
) -> NewSale:
    settlement = payment.settle(
        draft.overview.total, draft.tendered, in_whole_dinars=in_whole_dinars
    )
    shown = settlement.on_receipt
    if shown is None:
        raise Invalid("below_total.typed", field="payments", remaining=settlement.remaining)
    return NewSale(
        body=till.codec.encode(new_request(draft, cart, shown, delivery)),
        total=draft.overview.total,
        money_taken=MoneyTaken(draft.tendered, shown, settlement.change, settlement.rounding),
        cashier=cashier,
        frozen_at=till.clock.now(),
        buyer=KnownBuyer.on_receipt(draft.buyer),
    )


def new_request(
    draft: CorrectionDraft, cart: Cart, payments: payment.Payments, delivery: ReceiptDelivery
) -> IssueRequest:
    """The new receipt, priced as the server prices it. Raises Invalid."""
    overview = draft.overview
    check_cost_centre(draft.cost_centre, buyer=draft.buyer, payments=payments, refund=False)
    request = IssueRequest(
        invoice_type=overview.invoice_type,
        transaction_type=overview.transaction_type,
        items=cart.items(),
        payments=payments,
        delivery=delivery,
        buyer=draft.buyer,
        cost_centre=draft.cost_centre,
        referent_number=overview.refers_to,
        referent_time=overview.referent_time,
        additional_text=overview.additional_text,
        total=overview.total,
    )
    price(request)
    return request


def _typed_details(draft: CorrectionDraft) -> TypedDetails:
    """The draft as typed details, because the lines of a refused receipt may go into a cart."""
    buyer, centre = draft.buyer, draft.cost_centre
    return TypedDetails(
        buyer_code="" if buyer is None else buyer.code,
        buyer_value="" if buyer is None else buyer.value,
        buyer_sure=buyer is not None,
        centre_code="" if centre is None else centre.code,
        centre_value="" if centre is None else centre.value,
        text=draft.overview.additional_text,
    )


# --- a refund that should not have been ------------------------------------------------------


def confirm_undoing(
    *,
    till: Till,
    overview: receipt_overview.ReceiptOverview,
    seller: BuyerId,
    delivery: ReceiptDelivery,
    cashier: str,
    in_whole_dinars: bool,
) -> Sale:
    """Freeze the sale that undoes a refund: the same lines and payments, on the shop's own PIB.

    Cash that the refund took out of the drawer's sum comes back into it. Raises NotAllowed where
    the refund can't be undone, DiskFull; then nothing is confirmed.
    """
    if overview.why_not(receipt_overview.ReceiptAct.UNDO) is not None:
        raise NotAllowed("not_undoable")
    tendered = _as_given(overview, in_whole_dinars=in_whole_dinars)
    cart, paper = cart_of(overview), delivery.kept_here
    draft = CorrectionDraft(overview, tendered, seller, None)
    new_overview = replace(
        overview,
        transaction_type=TransactionType.SALE,
        refers_to=overview.number,
        referent_time=overview.time,
        additional_text="",
    )
    sale = _new_receipt(
        till,
        replace(draft, overview=new_overview),
        cart,
        paper,
        cashier=cashier,
        in_whole_dinars=in_whole_dinars,
    )
    new = new_ticket(till=till, cashier=cashier, kind=DocumentKind.SALE)
    sale = replace(sale, undoes=overview.number)
    return till.carts.freeze_operation(new, sale=sale, cart=cart)


# --- the same lines --------------------------------------------------------------------------


def cart_of(overview: receipt_overview.ReceiptOverview) -> Cart:
    """A cart with the lines of a receipt at their exact totals, and with their discounts, which
    stay where another quantity is sold."""
    lines = tuple(_cart_line(line) for line in overview.lines)
    return Cart(lines, next_id=len(lines) + 1)


def _cart_line(line: receipt_overview.SoldLine) -> CartLine:
    each = _price_of(line)
    name, unit = name_and_unit(line.name)
    article = CartArticle(
        "",
        line.sku,
        FrozenArticle(name, line.label, unit, line.gtin),
        each,
        line.quantity != line.quantity.to_integral_value(),
    )
    quantity, full = Quantity(line.quantity), line.before_discount or line.total
    discount = discount_between(full, line.total)
    return CartLine(line.index + 1, article, quantity, each, discount, stated_total=full)


def _price_of(line: receipt_overview.SoldLine) -> Money:
    """Return the unit price that makes the new line print like the old one, discount included.

    A printed unit price is rounded. If it comes to more than the line's total, it would show a
    discount that nobody gave. Then a price lower by one para is used; the receipt does not print
    it, but the total divided by the quantity.
    """
    quantity = Quantity(line.quantity)
    if line.before_discount is not None:
        return line.before_discount.per(quantity)
    each = line.unit_price
    return each if line_total(each, quantity) <= line.total else each - Money(PARA)
