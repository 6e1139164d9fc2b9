"""A sale of two articles for cash, as a till confirms it."""

from __future__ import annotations

from pos_app.domain.money.money import Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments, cash_owed
from pos_app.selling.sale.checkout import confirm
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.sell import add_items, start
from tests.fakes.till import BREAD, CASHIER, MILK, ON_PAPER


def sell(till: Till) -> Sale:
    goods = [(one, Quantity.ONE, None) for one in (BREAD, MILK)]
    ticket = add_items(till=till, ticket=start(till=till, cashier=CASHIER), items=goods)
    owed = cash_owed(ticket.cart.total, in_whole_dinars=True)
    return confirm(
        till=till,
        ticket=ticket,
        tendered=Payments.of({PaymentMethod.CASH: owed}),
        receipt_details=ON_PAPER,
        cashier=CASHIER,
        in_whole_dinars=True,
    ).sale
