"""The credit of an exchange comes into a cart again: the customer's goods were refunded, and the
new goods were not receipted.

Source: fiscal.md 6.4; till.md ("Receipts"); decision 0223.
"""

from __future__ import annotations

from dataclasses import replace

from pos_app.domain.receipt.cart import Cart
from pos_app.domain.receipt.operations import Operation
from pos_app.errors import NotAllowed
from pos_app.selling.receipts.frozen_pair import FrozenPair, pair_with
from pos_app.selling.sale import sell
from pos_app.selling.sale.ports import SaleRepository, Till
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind, Ticket


def signed_refund(till: Till, sales: SaleRepository, sale: Sale) -> Sale | None:
    """The signed refund that a sale credits, or None."""
    if not sale.is_exchange:
        return None
    goods = till.carts.cart_of(sale.cart_id).typed_details.goods_back
    key = sale.follows or (goods.refund if goods is not None else "")
    refund = sales.sale(key) if key else None
    return refund if refund is not None and refund.state is SaleState.DONE else None


def exchange_of(till: Till, sales: SaleRepository, sale: Sale) -> FrozenPair | None:
    """Both halves of a sale's exchange. Where the credit came into a cart again, its refund is
    known by that cart."""
    if sale.follows is not None or sale.operation is Operation.REFUND:
        return pair_with(sales, sale)
    refund = signed_refund(till, sales, sale)
    return None if refund is None else FrozenPair(refund, sale)


def is_credit_owed(sales: SaleRepository, refund: Sale) -> bool:
    return any(one.key == refund.key for one in sales.credits_owed())


def open_credit(*, till: Till, sales: SaleRepository, ticket: Ticket, refund: Sale) -> Ticket:
    """Open a cart for new goods, with the buyer of the exchange and the credit. An open cart is
    suspended. Raises NotAllowed where nothing is owed any more; DiskFull."""
    new = sales.follower(refund.key)
    typed = None if new is None else till.carts.cart_of(new.cart_id).typed_details
    if typed is None or typed.goods_back is None or not is_credit_owed(sales, refund):
        raise NotAllowed("credit_settled")
    goods = typed.goods_back.signed(refund.key, refund.money_taken.rounding)
    return sell.open_with(
        till=till,
        ticket=ticket,
        kind=DocumentKind.SALE,
        cart=Cart(),
        typed_details=replace(typed.unpaid, goods_back=goods),
    )
