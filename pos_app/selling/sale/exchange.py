"""An exchange becomes two confirmed acts in one durable commit: the refund of the goods that come
back, and the sale that follows it. If the refund is signed already, the sale alone is confirmed.

Sources: fiscal.md 6.4, 6.7, 6.13; till.md ("Receipts"); decision 0223.
"""

from __future__ import annotations

from pos_app.domain.money.money import Quantity
from pos_app.domain.money.payment import Payments
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.operations import Operation, RefundedItem, Refunding
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.errors import Invalid
from pos_app.selling.sale.checkout import ConfirmedSale, ReceiptDetails, request_of
from pos_app.selling.sale.goods_back import GoodsBack, Netting
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.sale import MoneyTaken, NewSale
from pos_app.selling.sale.sell import new_ticket
from pos_app.selling.sale.ticket import DocumentKind, Ticket


def confirm_exchange(
    *,
    till: Till,
    ticket: Ticket,
    goods: GoodsBack,
    tendered: Payments,
    receipt_details: ReceiptDetails,
    cashier: str,
    in_whole_dinars: bool,
) -> ConfirmedSale:
    """Freeze the refund under a key of its own, behind it the sale under the cart's key, and open
    the next cart; a signed refund is not frozen once more. The papers of the refund stay in the
    shop, however the new receipt is delivered. tendered: the customer's payment beside the credit.

    Raises Invalid while something remains to be paid or a request can't be priced, NotAllowed when
    the cart is not the open one, DiskFull; then nothing is confirmed.
    """
    netting = Netting.of(goods, ticket.cart)
    now = till.clock.now()
    shown, money = _of_sale(goods, netting, tendered, in_whole_dinars=in_whole_dinars)
    request = request_of(ticket=ticket, payments=shown, receipt_details=receipt_details)
    body, buyer = till.codec.encode(request), receipt_details.known_buyer
    sale = NewSale(body, ticket.cart.total, money, cashier, now, is_exchange=True, buyer=buyer)
    following = new_ticket(till=till, cashier=cashier, kind=DocumentKind.SALE)
    if goods.is_refunded:
        return ConfirmedSale(*till.carts.freeze(ticket, sale=sale, following=following))
    rounding = netting.back.cash - netting.cash_back(in_whole_dinars=in_whole_dinars)
    refund = NewSale(
        till.codec.encode(_refunding(goods, receipt_details.delivery.kept_here)),
        goods.total,
        MoneyTaken(goods.payments, goods.payments, rounding=rounding),
        cashier,
        now,
        operation=Operation.REFUND,
        target=goods.receipt_id,
        reason=goods.reason,
        lifted_by=goods.lifted_by,
        is_exchange=True,
    )
    first = new_ticket(till=till, cashier=cashier, kind=DocumentKind.SALE)
    _, frozen, opened = till.carts.freeze_exchange(
        ticket, first, refund=refund, sale=sale, following=following
    )
    return ConfirmedSale(frozen, opened)


def _refunding(goods: GoodsBack, delivery: ReceiptDelivery) -> Refunding:
    items = (
        ()
        if goods.is_whole
        else tuple(
            RefundedItem(Quantity(quantity), line=index)
            for index, quantity in sorted(goods.taken.items())
        )
    )
    return Refunding(
        payments=goods.payments,
        delivery=delivery,
        buyer=BuyerId(goods.buyer_code, goods.buyer_value),
        items=items,
    )


def _of_sale(
    goods: GoodsBack, netting: Netting, tendered: Payments, *, in_whole_dinars: bool
) -> tuple[Payments, MoneyTaken]:
    """Return the payments on the new receipt, and the money taken for it. Both have the credit and
    the customer's payment. The rest of an earlier refund's credit is given back as change."""
    settled = netting.settled(tendered, in_whole_dinars=in_whole_dinars)
    if settled.on_receipt is None:
        raise Invalid("below_total.typed", field="payments", remaining=settled.remaining)
    shown = Payments.summed([*netting.used.by_method, *settled.on_receipt.by_method])
    given = Payments.summed([*netting.credited(goods).by_method, *tendered.by_method])
    change, rounding = settled.change, settled.rounding
    if goods.is_refunded:
        cash = netting.cash_back(in_whole_dinars=in_whole_dinars)
        change += cash
        rounding += netting.back.cash - cash - goods.rounding
    return shown, MoneyTaken(given, shown, change, rounding)
