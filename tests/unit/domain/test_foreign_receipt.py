"""A receipt of another system, read from its code."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.verification import decode
from tests.fakes.verification_url import payload, url


def test_it_is_what_the_code_says_and_hides_its_buyer() -> None:
    told = ForeignReceipt.of(decode(url(payload(buyer=b"11:0101990710003"))))
    assert (told.number, told.counter) == ("ABCD1234-WXYZ9876-11389", "8652/11389")
    assert told.total == Money("1674.72")
    assert told.time == datetime(2024, 1, 1, 11, 0, 0, 123000, tzinfo=UTC)
    assert told.buyer_id == "11:0101990710003"
    assert "0101990710003" not in repr(told)


@pytest.mark.parametrize(
    ("invoice_type", "transaction_type", "may_be"),
    [(0, 0, True), (4, 0, True), (0, 1, False), (1, 0, False), (2, 0, False), (3, 0, False)],
)
def test_only_a_sale_or_an_advance_is_refunded_by_hand(
    invoice_type: int, transaction_type: int, *, may_be: bool
) -> None:
    read = decode(url(payload(invoice_type=invoice_type, transaction_type=transaction_type)))
    assert ForeignReceipt.of(read).may_be_refunded is may_be
