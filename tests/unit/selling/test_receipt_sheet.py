"""The sheet of receipts for a bookkeeper: its words are those of the list."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt import receipt_list
from pos_app.domain.receipt.receipt_identity import relay_origin
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.selling.receipts.export import OF_LINES, OF_RECEIPTS, sheet_rows


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (relay_origin(account="f285f11e", client="324b330c"), "преко платформе"),
        (receipt_list.LOCAL_PROGRAM, "на овом рачунару"),
        ("till:1", "till:1"),
    ],
)
@pytest.mark.parametrize("by_lines", [False, True])
def test_the_program_of_a_receipt_is_told_in_words(
    program: str, words: str, *, by_lines: bool
) -> None:
    receipt = receipt_list.ListedReceipt(
        receipt_list.ListPosition(1, 1),
        "r-1",
        datetime(2026, 7, 14, 12, tzinfo=UTC),
        "N-1",
        ReceiptKind(InvoiceType.NORMAL, TransactionType.SALE),
        Money(770),
        (PaymentMethod.CASH,),
        "Мира",
        program,
        None,
        False,
        None,
        receipt_list.HandOver.DONE,
        None,
    )
    (row,) = sheet_rows(receipt, by_lines=by_lines)
    heads = OF_LINES if by_lines else OF_RECEIPTS
    assert row[heads.index("Програм")] == words
