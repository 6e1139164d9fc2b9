"""Money and quantities: rounding half up, bounds, spreading. Vectors: fiscal.md 2, 6.13."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.money import money, number_text
from pos_app.domain.money.money import Money, Quantity
from pos_app.errors import Invalid
from tests.sweep import each

amounts = st.decimals(0, 10**9, places=2).map(Money)
parts = st.lists(st.decimals(0, 10**6, places=2).map(Money), min_size=1, max_size=20)


@each(
    ("given_value", "rounded"),
    [
        ("5.1", "5.10"), ("10.267", "10.27"), ("20.143", "20.14"), ("1.225", "1.23"),
        ("-1.225", "-1.23"),
    ],
)  # fmt: skip
def test_rounding_is_half_up(given_value: str, rounded: str) -> None:
    assert str(Money.rounded(given_value)) == rounded
    for price in ("9.90", "9.95"):  # 1.2177 and 1.22385: price times quantity rounds once
        assert Money(price).times(Quantity("0.123")) == Money("1.22")


@each(
    ("value", "kind"),
    [
        ("0.001", "decimals"), ("1000000000000", "too_large"), ("abc", "number"), ("NaN", "number"),
        ("Infinity", "number"), ("1e999999", "too_large"),
    ],
)  # fmt: skip
def test_a_wrong_amount_or_quantity_cannot_be_built(value: str, kind: str) -> None:
    with pytest.raises(Invalid) as refusal:
        Money(value)
    assert refusal.value.kind == kind
    wrong = {"0": "not_positive", "-1": "not_positive", "0.0001": "decimals", "1e13": "too_large"}
    for quantity, its_kind in wrong.items():
        with pytest.raises(Invalid) as refusal:
            Quantity(quantity)
        assert refusal.value.kind == its_kind


def test_a_float_is_a_bug_not_an_amount() -> None:
    with pytest.raises(TypeError):
        Money(0.1)  # type: ignore[arg-type]


@each(
    ("count", "amount"),
    [
        (0, "0.00"), (1, "0.01"), (-1, "-0.01"), (12345, "123.45"), (10**13, "100000000000.00"),
        (99_999_999_999_999, "999999999999.99"), (10**14, None), (-(10**14), None),
    ],
)  # fmt: skip
def test_para_are_the_same_amount(count: int, amount: str | None) -> None:
    if amount is not None:
        assert Money.of_para(count) == Money(amount)
        assert str(Money.of_para(count).amount) == str(Money(amount).amount) == amount
        return
    with pytest.raises(Invalid) as refused:
        Money.of_para(count)
    assert refused.value.kind == "too_large"


@each(
    ("exact", "coins"),
    [("149.49", "149"), ("149.50", "149"), ("149.51", "150"), ("150", "150"), ("0.30", "0")],
)
def test_cash_moves_in_whole_dinars(exact: str, coins: str) -> None:
    assert money.whole_dinars(Money(exact)) == Money(coins)


def test_spreading_gives_the_odd_para_to_the_first_of_equals() -> None:
    parts = [Money("3.34"), Money("3.33"), Money("3.33")]
    assert money.spread(Money(10), [Money(1)] * 3) == parts
    with pytest.raises(Invalid):
        money.spread(Money(10), [Money(0), Money(0)])


@given(amount=amounts, weights=parts)
def test_spread_parts_add_up_and_are_within_a_para(amount: Money, weights: list[Money]) -> None:
    whole = Money.total(weights)
    if not whole:
        return
    shares = money.spread(amount, weights)
    assert Money.total(shares) == amount
    for share, weight in zip(shares, weights, strict=True):
        exact = amount.amount * weight.amount / whole.amount
        assert abs(share.amount - exact) < Decimal("0.01")
        assert weight or not share


QUANTITIES = st.integers(1, 10**15 - 1).map(lambda grams: Quantity(Decimal(grams).scaleb(-3)))


@each(
    ("amount", "shown"),
    [
        ("0", "0,00"),
        ("0.5", "0,50"),
        ("765.50", "765,50"),
        ("1234.5", "1.234,50"),
        ("1674.72", "1.674,72"),
        ("1000000", "1.000.000,00"),
        ("999999999999.99", "999.999.999.999,99"),
        ("-70", "\u221270,00"),
        ("-1234.56", "\u22121.234,56"),
    ],
)
def test_amounts_have_a_decimal_comma_and_points_for_thousands(amount: str, shown: str) -> None:
    assert number_text.amount_text(Money(amount)) == shown
    assert number_text.plain_amount_text(Money(amount)) == shown.replace("\u2212", "-")
    assert number_text.grouped_text(Money(amount).amount) == shown


@each(
    ("quantity", "shown"),
    [
        ("2", "2"), ("2.000", "2"), ("1.56", "1,560"), ("0.412", "0,412"), ("0.001", "0,001"),
        ("1200", "1.200"), ("1200.5", "1.200,500"),
    ],
)  # fmt: skip
def test_a_whole_quantity_has_no_decimals_and_another_three(quantity: str, shown: str) -> None:
    assert number_text.quantity_text(Quantity(quantity)) == shown
    stored = {"2": "2", "1.560": "1.560", "0.1": "0.100"}
    assert {value: str(Quantity(value)) for value in stored} == stored


@each(
    ("percent", "shown"),
    [
        ("20", "20\u00a0%"), ("2.5", "2,5\u00a0%"), ("2.50", "2,5\u00a0%"), ("10.00", "10\u00a0%"),
        ("100", "100\u00a0%"), ("1E+1", "10\u00a0%"), ("0", "0\u00a0%"), ("-20", "\u221220\u00a0%"),
    ],
)  # fmt: skip
def test_a_percentage_is_as_short_as_it_is_exact(percent: str, shown: str) -> None:
    assert number_text.percent_text(Decimal(percent)) == shown


@each(
    ("typed", "amount"),
    [
        ("0", "0"), ("5", "5"), (" 5 ", "5"), ("0,5", "0.5"), (",5", "0.5"), (".5", "0.5"),
        ("5,", "5"), ("5.", "5"), ("1234,5", "1234.5"), ("1234.5", "1234.5"),
        ("1.234,50", "1234.5"), ("1,234.50", "1234.5"), ("1234.50", "1234.5"), ("1.000,00", "1000"),
        ("1,000.00", "1000"), ("1.234.567", "1234567"), ("1.234.567,8", "1234567.8"),
        ("0,500", "0.5"), ("007", "7"),
    ],
)  # fmt: skip
def test_comma_and_point_are_both_decimal(typed: str, amount: str) -> None:
    assert number_text.parse_amount(typed) == Money(amount)


@each(
    ("typed", "kind"),
    [
        ("", "number"), (",", "number"), ("-5", "negative"), ("\u22125", "negative"),
        ("-1.234,50", "negative"), ("-", "number"), ("-x", "number"), ("--5", "number"),
        ("+5", "number"), ("5 0", "number"), ("5 din", "number"), ("1e3", "number"),
        ("١٢", "number"), ("NaN", "number"), ("1,2,3", "number"), ("1.23,4", "number"),
        ("1.2345,6", "number"), ("1234.567,8", "number"), ("1.234,567,8", "number"),
        ("1.234,567.8", "number"), ("1.234", "thousand"), ("1,234", "thousand"),
        ("1,000", "thousand"), ("1.000", "thousand"), ("12,500", "thousand"), ("0,123", "decimals"),
        ("1234,567", "decimals"), ("1.234,567", "decimals"), ("9999999999999", "too_large"),
        ("9" * 400, "too_large"),
    ],
)  # fmt: skip
def test_what_is_no_amount_is_refused_and_never_guessed(typed: str, kind: str) -> None:
    with pytest.raises(Invalid) as fault:
        number_text.parse_amount(typed)
    assert fault.value.kind == kind


@each(
    ("typed", "thousand", "decimals"),
    [("1.234", "1234", "1,234"), ("1,000", "1000", "1,000"), (" 12.500 ", "12500", "12,500")],
)
def test_what_may_be_a_thousand_is_told_with_both_its_readings(
    typed: str, thousand: str, decimals: str
) -> None:
    with pytest.raises(Invalid) as fault:
        number_text.parse_amount(typed)
    for told in (typed.strip(), thousand, decimals):
        assert told in fault.value.what
    assert number_text.parse_amount(thousand)


@each(
    ("typed", "quantity"),
    [
        ("3", "3"), ("0,412", "0.412"), ("0.412", "0.412"), ("1.234", "1.234"), ("1,5", "1.5"),
        ("0", "not_positive"), ("0,000", "not_positive"), ("1,2345", "decimals"), ("x", "number"),
    ],
)  # fmt: skip
def test_a_typed_quantity(typed: str, quantity: str) -> None:
    """quantity: in place of it the kind of its fault."""
    if quantity[0].isdigit():
        assert number_text.parse_quantity(typed) == Quantity(quantity)
        return
    with pytest.raises(Invalid) as fault:
        number_text.parse_quantity(typed)
    assert fault.value.kind == quantity


@each(
    ("typed", "quantity"),
    [("3*", "3"), ("0,412*", "0.412"), ("0.412*", "0.412"), (",5*", "0.5"), ("12*", "12")],
)
def test_a_star_after_a_number_is_the_quantity_of_the_next_item(typed: str, quantity: str) -> None:
    assert number_text.parse_multiplier(typed) == Quantity(quantity)
    for other in ("", "*", "3", "3**", "*3", "sir*", "3*2088", "-3*", ",*", "3x"):
        assert number_text.parse_multiplier(other) is None
    with pytest.raises(Invalid):
        number_text.parse_multiplier("1,2345*")


@given(st.text(max_size=12))
def test_any_text_gives_an_amount_or_an_expected_error(typed: str) -> None:
    try:
        amount = number_text.parse_amount(typed)
    except Invalid:
        return
    assert amount >= Money.ZERO


@given(QUANTITIES)
def test_every_quantity_is_read_back_from_its_field(quantity: Quantity) -> None:
    assert number_text.parse_quantity(number_text.typed_quantity_text(quantity)) == quantity
    fields = {"1": "1", "1234": "1234", "10000": "10000", "1.56": "1,56", "0.412": "0,412"}
    for given_one, typed in fields.items():
        assert number_text.typed_quantity_text(Quantity(given_one)) == typed
