"""The till's requests about a receipt are read as they were meant."""

from __future__ import annotations

from datetime import UTC, datetime

from pos_app.domain.money.money import Money, Quantity, UnitPrice
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import BuyerId, CostCentre
from pos_app.domain.receipt.operations import (
    AdvancePayment,
    Closing,
    Copying,
    Operation,
    OperationRequest,
    RefundedItem,
    Refunding,
)
from pos_app.domain.receipt.request import FrozenArticle, ReceiptDelivery, RequestedItem
from pos_app.wire.operations import READERS, operation_to_json
from pos_app.wire.strict_json import loads
from tests.sweep import each

BUYER = BuyerId.parse("10:101234567")
CARD = CostCentre.parse("50:1234")
PAID = Payments.of({PaymentMethod.CASH: Money("6.50"), PaymentMethod.CARD: Money("100")})
PAPER = ReceiptDelivery(thermal=True)
MAIL = ReceiptDelivery(email="kupac@primer.rs", pdf=True)
PARTS = {TaxLabel.DJ: Money("6.50"), TaxLabel.E: Money(100)}
TABLE = RequestedItem(
    sku=None,
    quantity=Quantity("1.250"),
    unit_price=UnitPrice("12000"),
    total=Money("15000.01"),
    article=FrozenArticle("Сто", TaxLabel.DJ, "ком", "8600000000018"),
)
NOON = datetime(2026, 11, 20, 11, 0, tzinfo=UTC)

ASKED: list[tuple[Operation, OperationRequest]] = [
    (Operation.COPY, Copying(delivery=PAPER)),
    (Operation.REFUND, Refunding(payments=PAID, delivery=PAPER, buyer=BUYER)),
    (Operation.REFUND, Refunding(payments=PAID, delivery=MAIL, buyer=BUYER,
     items=(RefundedItem(Quantity("0.333"), line=0),
     RefundedItem(Quantity(2), sku=7, line=3),
     RefundedItem(Quantity(1), sku=8)), cost_centre=CARD, additional_text="Враћено")),
    (Operation.REFUND, Refunding(payments=PAID, delivery=PAPER, buyer=BUYER, specification=PARTS)),
    (Operation.ADVANCE, AdvancePayment(payments=PAID, delivery=PAPER)),
    (Operation.ADVANCE, AdvancePayment(payments=PAID, delivery=MAIL,
     buyer=BUYER, cost_centre=CARD, pos_time=NOON, specification=PARTS, additional_text="За сто")),
    (Operation.CLOSE, Closing(payments=Payments.of({}), delivery=PAPER)),
    (Operation.CLOSE, Closing(payments=PAID, delivery=MAIL, items=(TABLE,),
     buyer=BUYER, cost_centre=CARD, additional_text="Сто")),
]  # fmt: skip


@each(("operation", "asked"), ASKED)
def test_there_and_back(operation: Operation, asked: OperationRequest) -> None:
    assert READERS[operation](loads(operation_to_json(asked))) == asked
