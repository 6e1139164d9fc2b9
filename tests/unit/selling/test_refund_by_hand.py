"""What a refund by hand has from a receipt of another till before anybody types."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.receipt_overview import PaidBy
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.selling.receipts.refund_by_hand import HandDraft

CASH, CARD = PaymentMethod.CASH, PaymentMethod.CARD


@pytest.mark.parametrize(
    ("paid", "method", "amounts"),
    [
        ((), None, {}),
        ((PaidBy(CARD, Money(600)),), CARD, {}),
        ((PaidBy(CARD, Money(600)), PaidBy(CASH, Money(0))), CARD, {}),
        (
            (PaidBy(CASH, Money("100.50")), PaidBy(CARD, Money("499.50"))),
            None,
            {CASH: "100,50", CARD: "499,50"},
        ),
    ],
)
def test_one_method_is_chosen_and_several_have_their_amounts(
    paid: tuple[PaidBy, ...], method: PaymentMethod | None, amounts: dict[PaymentMethod, str]
) -> None:
    foreign = ForeignReceipt(
        number="XYZW1234-XYZW1234-8652",
        counter="8652/11389",
        total=Money(600),
        time=datetime(2026, 3, 1, 10, tzinfo=UTC),
        kind=ReceiptKind(InvoiceType.NORMAL, TransactionType.SALE),
        payments=paid,
    )
    draft = HandDraft.of(foreign.number, foreign, goods="-")
    assert (draft.method, draft.paid) == (method, amounts)
    assert (draft.day, draft.time) == ("01.03.2026.", "11:00")
