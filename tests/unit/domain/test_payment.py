"""Settling at the till (Table: payment.settle), and what a chain of receipts owes after refunds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.money import payment
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.receivables import ChainRole, PaidLater, owed_in_chain
from pos_app.errors import Invalid
from tests.sweep import each


def paid(**amounts: str) -> Payments:
    return Payments.of({PaymentMethod(name): Money(value) for name, value in amounts.items()})


@each(
    ("total", "tendered", "remaining", "change", "rounding", "cash_on_receipt"),
    [
        ("1674.72", paid(cash="2000"), "0", "325", "0.28", "2000"),
        ("1674.72", paid(cash="1675"), "0", "0", "0.28", "1674.72"),
        ("1674.72", paid(cash="1674.72"), "0", "0", "0", "1674.72"),
        ("1674.72", paid(cash="1674.80"), "0", "0", "0.08", "1674.80"),
        ("1674.30", paid(cash="1674.10"), "0", "0", "-0.20", "1674.30"),
        ("100.60", paid(cash="100.60"), "0", "0", "0", "100.60"),
        ("1674.30", paid(cash="1674"), "0", "0", "-0.30", "1674.30"),
        ("1674.30", paid(cash="1673"), "1", "0", "0", None),
        ("1674.72", paid(card="1000"), "675", "0", "0", None),
        ("1674.72", paid(card="1000", cash="1000"), "0", "325", "0.28", "1000"),
        ("1674.72", paid(card="1674.72"), "0", "0", "0", "0"),
        ("0.30", paid(), "0.30", "0", "0", None),
        ("0.30", paid(cash="0.30"), "0", "0", "0", "0.30"),
        ("0", paid(), "0", "0", "0", "0"),
    ],
)
def test_settling_in_whole_dinars(
    total: str,
    tendered: Payments,
    remaining: str,
    change: str,
    rounding: str,
    cash_on_receipt: str | None,
) -> None:
    settled = payment.settle(Money(total), tendered, in_whole_dinars=True)
    assert settled.remaining == Money(remaining)
    assert settled.change == Money(change)
    assert settled.rounding == Money(rounding)
    on_receipt = settled.on_receipt
    assert (on_receipt and str(on_receipt.cash)) == (
        None if cash_on_receipt is None else str(Money(cash_on_receipt))
    )
    exact = payment.settle(Money("1674.72"), paid(cash="2000"), in_whole_dinars=False)
    assert (exact.change, exact.rounding) == (Money("325.28"), Money(0)), "where the shop wants it"
    with pytest.raises(Invalid) as refusal:
        paid(card="-1")
    assert refusal.value.field == "payments.card"


money = st.decimals(0, 10**6, places=2).map(Money)


@given(total=money, card=money, cash=money, whole=st.booleans())
def test_the_drawer_and_the_receipt_always_agree(
    total: Money, card: Money, cash: Money, whole: bool
) -> None:
    tendered = Payments.of({PaymentMethod.CARD: card, PaymentMethod.CASH: cash})
    if card > total:
        return
    settled = payment.settle(total, tendered, in_whole_dinars=whole)
    if settled.on_receipt is None:
        assert settled.remaining > Money.ZERO
        return
    assert settled.remaining == Money.ZERO
    assert settled.on_receipt.total >= total
    exact = total - card
    assert cash - settled.change == exact + settled.rounding
    # Para that nobody can hand over stay in the drawer; rounding to dinars leaves at most half of
    # one.
    in_coins = cash.amount == cash.amount.to_integral_value()
    most = Money("0.50") if in_coins else Money("1.50")
    assert abs(settled.rounding.amount) <= most.amount
    if whole:
        assert settled.change.amount == settled.change.amount.to_integral_value()


@each(
    ("total", "cash", "handed_over", "told"),
    [
        ("1674.72", "2000.00", "325", "325.28"),
        ("1674.00", "2000.00", "326", None),
        ("1674.72", "1674.72", "0", None),
    ],
)
def test_the_change_on_paper_where_it_is_another(
    total: str, cash: str, handed_over: str, told: str | None
) -> None:
    on_receipt = Payments.of({PaymentMethod.CASH: Money(cash)})
    expected = Money(told) if told else None
    assert payment.change_on_paper(Money(total), on_receipt, Money(handed_over)) == expected


@each(
    ("total", "beside", "by_cash", "by_card"),
    [
        ("1674.72", paid(), "1675", "1674.72"),
        ("1674.72", paid(card="1000"), "675", "674.72"),
        ("1674.72", paid(cash="1000"), "675", "674.72"),
        ("1674.72", paid(cash="1674.72"), "0", "0"),
        ("1674.72", paid(cash="1675"), "0", "0"),
        ("1674.72", paid(card="2000"), "0", "0"),
        ("0.30", paid(), "0.30", "0.30"),
    ],
)
def test_what_covers_the_rest(total: str, beside: Payments, by_cash: str, by_card: str) -> None:
    due = Money(total)
    assert payment.rest_by(PaymentMethod.CASH, due, beside, in_whole_dinars=True) == Money(by_cash)
    assert payment.rest_by(PaymentMethod.CARD, due, beside, in_whole_dinars=True) == Money(by_card)


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
