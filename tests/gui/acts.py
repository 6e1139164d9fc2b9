"""Operations on receipts, confirmed at a till."""

from __future__ import annotations

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.operations import Operation
from pos_app.selling.receipts.confirm import NOTHING_MOVED
from pos_app.selling.sale import sell
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.sale import MoneyTaken, NewSale, Sale
from pos_app.selling.sale.ticket import DocumentKind


def acted(
    till: Till,
    operation: Operation = Operation.REFUND,
    total: str = "842.50",
    *,
    rounding: str = "0",
    cashier: str = "Касир 3",
    target: str | None = "949d27ba-sold",
) -> Sale:
    """An operation that is not sent yet."""
    paid = Payments.of({PaymentMethod.CASH: Money(total)})
    given = MoneyTaken(paid, paid, rounding=Money(rounding))
    return till.carts.freeze_operation(
        sell.new_ticket(till=till, cashier=cashier, kind=DocumentKind.SALE),
        sale=NewSale(
            body=b"{}",
            total=Money(total),
            money_taken=NOTHING_MOVED if operation is Operation.COPY else given,
            cashier=cashier,
            frozen_at=till.clock.now(),
            operation=operation,
            target=target,
        ),
    )
