"""A training receipt that shows a manager whether the processor signs: no turnover, no sale.

It goes the way of every receipt, under a key that stays until its outcome is known.
"""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal

from pos_app.domain.money.money import Money, Quantity, UnitPrice
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import request

NAME, UNIT = "Пробни артикал", "ком"
AMOUNT = Decimal(100)
"""Dinars."""


def training_receipt(labels: Collection[str]) -> request.IssueRequest:
    """One article, paid in cash, not delivered. labels: the labels that the processor has now.

    The label is А, which every taxpayer may use (not in the VAT system), where it is known.
    """
    ours = [label for label in TaxLabel if label in labels]
    label = TaxLabel.A if TaxLabel.A in ours or not ours else ours[0]
    article = request.FrozenArticle(NAME, label, UNIT)
    item = request.RequestedItem(Quantity.ONE, UnitPrice(AMOUNT), article=article)
    return request.IssueRequest(
        invoice_type=request.InvoiceType.TRAINING,
        transaction_type=request.TransactionType.SALE,
        items=(item,),
        payments=Payments.of({PaymentMethod.CASH: Money(AMOUNT)}),
        delivery=request.ReceiptDelivery(),
    )
