"""What a chain of receipts owes once refunds took off from it."""

from __future__ import annotations

from pos_app.domain.receipt.receivables import ChainRole, PaidLater, owed_in_chain
from tests.sweep import each

SALE, REFUND, REVERSAL, CLOSING = ChainRole
FIRST, SECOND = PaidLater("A-1", SALE, 60), PaidLater("A-2", SALE, 40, "A-1")


def back(number: str, amount: int, of: str, role: ChainRole = REFUND) -> PaidLater:
    return PaidLater(number, role, amount, of)


@each(
    ("then", "given_back"),
    [
        ([], [0, 0]),
        ([back("A-3", 10, "A-2")], [0, 10]),
        ([back("A-3", 10, "A-2"), back("A-4", 5, "A-2")], [0, 15]),
        ([back("A-3", 10, "A-2"), back("A-4", 10, "A-3", REVERSAL)], [0, 0]),
        ([back("A-3", 70, "A-2")], [30, 40]),
        ([back("A-3", 70, "A-2"), back("A-4", 70, "A-3", REVERSAL)], [0, 0]),
        ([back("A-3", 500, "A-2")], [60, 40]),
        ([back("A-3", 70, "A-9")], [60, 10]),
        ([back("A-3", 70, "A-9", REVERSAL)], [0, 0]),
        ([back("A-3", 100, "A-2", CLOSING)], [0, 0]),
    ],
)
def test_a_refund_takes_off_its_receipt_first_and_then_the_oldest(
    then: list[PaidLater], given_back: list[int]
) -> None:
    owed = owed_in_chain([FIRST, SECOND, *then])
    assert {one: amount.paid for one, amount in owed.items()} == {"A-1": 60, "A-2": 40}
    assert [amount.given_back for amount in owed.values()] == given_back


def test_two_methods_of_a_receipt_are_owed_together() -> None:
    owed = owed_in_chain([FIRST, FIRST, back("A-3", 50, "A-1"), back("A-3", 20, "A-1")])
    assert (owed["A-1"].paid, owed["A-1"].given_back) == (120, 70)
