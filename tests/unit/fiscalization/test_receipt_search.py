"""The answers of the list of receipts, and the receipts that need something."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from pos_app.domain.receipt.receipt_list import Turnover
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.text.instant import beginning_of, day_of
from tests.sweep import each

SALE, REFUND = TransactionType.SALE, TransactionType.REFUND


def test_copies_proformas_and_training_are_documents_and_no_turnover() -> None:
    told = Turnover(
        sales=Decimal("298367.26"),
        refunds=Decimal("5610.96"),
        documents={
            ReceiptKind(InvoiceType.NORMAL, SALE): 130,
            ReceiptKind(InvoiceType.NORMAL, REFUND): 7,
            ReceiptKind(InvoiceType.ADVANCE, SALE): 2,
            ReceiptKind(InvoiceType.COPY, SALE): 4,
            ReceiptKind(InvoiceType.COPY, REFUND): 3,
            ReceiptKind(InvoiceType.TRAINING, SALE): 2,
        },
    )
    assert told.net == Decimal("292756.30")
    assert told.receipts == 139
    assert told.not_turnover() == {InvoiceType.COPY: 7, InvoiceType.TRAINING: 2}


@each(
    ("day", "hours", "begins"),
    [
        (date(2026, 3, 29), 23, datetime(2026, 3, 28, 23, tzinfo=UTC)),
        (date(2026, 10, 25), 25, datetime(2026, 10, 24, 22, tzinfo=UTC)),
        (date(2026, 11, 20), 24, datetime(2026, 11, 19, 23, tzinfo=UTC)),
    ],
)
def test_a_day_lasts_from_midnight_to_midnight(day: date, hours: int, begins: datetime) -> None:
    end = beginning_of(day + timedelta(days=1))
    assert beginning_of(day) == begins
    assert end - begins == timedelta(hours=hours)
    assert day_of(begins) == day
    assert day_of(end - timedelta(milliseconds=1)) == day
    assert day_of(begins - timedelta(milliseconds=1)) < day
