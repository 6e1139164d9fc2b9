"""Money and quantities: rounding half up, bounds, spreading. Vectors: fiscal.md 2, 6.13."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.money import money
from pos_app.errors import Invalid
from tests.sweep import each

amounts = st.decimals(0, 10**9, places=2).map(money.Money)
parts = st.lists(st.decimals(0, 10**6, places=2).map(money.Money), min_size=1, max_size=20)


@each(
    ("given_value", "rounded"),
    [
        ("5.1", "5.10"), ("10.267", "10.27"), ("20.143", "20.14"), ("1.225", "1.23"),
        ("-1.225", "-1.23"),
    ],
)  # fmt: skip
def test_rounding_is_half_up(given_value: str, rounded: str) -> None:
    assert str(money.Money.rounded(given_value)) == rounded


@each(("quantity", "price", "total"), [("0.123", "9.90", "1.22"), ("0.123", "9.95", "1.22")])
def test_price_times_quantity_rounds_once(quantity: str, price: str, total: str) -> None:
    assert money.Money(price).times(money.Quantity(quantity)) == money.Money(total)


@each(
    ("value", "kind"),
    [
        ("0.001", "decimals"), ("1000000000000", "too_large"), ("abc", "number"), ("NaN", "number"),
        ("Infinity", "number"), ("1e999999", "too_large"),
    ],
)  # fmt: skip
def test_a_wrong_amount_cannot_be_built(value: str, kind: str) -> None:
    with pytest.raises(Invalid) as refusal:
        money.Money(value)
    assert refusal.value.kind == kind


@each(
    ("value", "kind"),
    [("0", "not_positive"), ("-1", "not_positive"), ("0.0001", "decimals"), ("1e13", "too_large")],
)
def test_a_wrong_quantity_cannot_be_built(value: str, kind: str) -> None:
    with pytest.raises(Invalid) as refusal:
        money.Quantity(value)
    assert refusal.value.kind == kind


def test_a_float_is_a_bug_not_an_amount() -> None:
    with pytest.raises(TypeError):
        money.Money(0.1)  # type: ignore[arg-type]


@each(
    ("count", "amount"),
    [
        (0, "0.00"),
        (1, "0.01"),
        (-1, "-0.01"),
        (12345, "123.45"),
        (10**13, "100000000000.00"),
        (99_999_999_999_999, "999999999999.99"),
    ],
)
def test_para_are_the_same_amount(count: int, amount: str) -> None:
    assert money.Money.of_para(count) == money.Money(amount)
    assert str(money.Money.of_para(count).amount) == str(money.Money(amount).amount) == amount


@each("count", [10**14, -(10**14)])
def test_more_para_than_an_amount_holds_are_refused(count: int) -> None:
    with pytest.raises(Invalid) as refused:
        money.Money.of_para(count)
    assert refused.value.kind == "too_large"


@each(
    ("exact", "coins"),
    [("149.49", "149"), ("149.50", "149"), ("149.51", "150"), ("150", "150"), ("0.30", "0")],
)
def test_cash_moves_in_whole_dinars(exact: str, coins: str) -> None:
    assert money.whole_dinars(money.Money(exact)) == money.Money(coins)


def test_spreading_gives_the_odd_para_to_the_first_of_equals() -> None:
    assert money.spread(money.Money(10), [money.Money(1)] * 3) == [
        money.Money("3.34"),
        money.Money("3.33"),
        money.Money("3.33"),
    ]


def test_nothing_to_spread_over_is_refused() -> None:
    with pytest.raises(Invalid):
        money.spread(money.Money(10), [money.Money(0), money.Money(0)])


@given(amount=amounts, weights=parts)
def test_spread_parts_add_up_and_are_within_a_para(
    amount: money.Money, weights: list[money.Money]
) -> None:
    whole = money.Money.total(weights)
    if not whole:
        return
    shares = money.spread(amount, weights)
    assert money.Money.total(shares) == amount
    for share, weight in zip(shares, weights, strict=True):
        exact = amount.amount * weight.amount / whole.amount
        assert abs(share.amount - exact) < Decimal("0.01")
        assert weight or not share


@given(left=amounts, right=amounts)
def test_sums_are_exact(left: money.Money, right: money.Money) -> None:
    assert (left + right) - right == left
    assert money.Money.total([left, right]).amount == left.amount + right.amount


@each(("value", "shown"), [("2", "2"), ("1.560", "1.560"), ("0.1", "0.100")])
def test_quantities_show_three_decimals_or_none(value: str, shown: str) -> None:
    assert str(money.Quantity(value)) == shown
