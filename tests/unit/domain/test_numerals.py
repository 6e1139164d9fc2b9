"""Shown and typed numbers."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.money import number_text
from pos_app.domain.money.money import Money, Quantity
from pos_app.errors import Invalid
from tests.sweep import each

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


@each(
    ("quantity", "shown"),
    [
        ("2", "2"), ("2.000", "2"), ("1.56", "1,560"), ("0.412", "0,412"), ("0.001", "0,001"),
        ("1200", "1.200"), ("1200.5", "1.200,500"),
    ],
)  # fmt: skip
def test_a_whole_quantity_has_no_decimals_and_another_three(quantity: str, shown: str) -> None:
    assert number_text.quantity_text(Quantity(quantity)) == shown


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
    [("3", "3"), ("0,412", "0.412"), ("0.412", "0.412"), ("1.234", "1.234"), ("1,5", "1.5")],
)
def test_a_typed_quantity(typed: str, quantity: str) -> None:
    assert number_text.parse_quantity(typed) == Quantity(quantity)


@each(
    ("typed", "kind"),
    [("0", "not_positive"), ("0,000", "not_positive"), ("1,2345", "decimals"), ("x", "number")],
)
def test_what_is_no_quantity_is_refused(typed: str, kind: str) -> None:
    with pytest.raises(Invalid) as fault:
        number_text.parse_quantity(typed)
    assert fault.value.kind == kind


@each(
    ("typed", "quantity"),
    [("3*", "3"), ("0,412*", "0.412"), ("0.412*", "0.412"), (",5*", "0.5"), ("12*", "12")],
)
def test_a_star_after_a_number_is_the_quantity_of_the_next_item(typed: str, quantity: str) -> None:
    assert number_text.parse_multiplier(typed) == Quantity(quantity)


@each("typed", ["", "*", "3", "3**", "*3", "sir*", "3*2088", "-3*", ",*", "3x"])
def test_other_texts_are_no_multiplier(typed: str) -> None:
    assert number_text.parse_multiplier(typed) is None


@each("typed", ["0*", "0,0*", "1,2345*"])
def test_a_multiplier_that_is_no_quantity_is_refused(typed: str) -> None:
    with pytest.raises(Invalid):
        number_text.parse_multiplier(typed)


@given(QUANTITIES)
def test_a_quantity_below_a_thousand_can_be_typed_back(quantity: Quantity) -> None:
    if quantity.amount < 1000:
        assert number_text.parse_quantity(number_text.quantity_text(quantity)) == quantity


@given(QUANTITIES)
def test_a_quantity_typed_plainly_is_read_with_either_mark(quantity: Quantity) -> None:
    typed = f"{quantity.amount:.3f}"
    assert (
        number_text.parse_quantity(typed)
        == number_text.parse_quantity(typed.replace(".", ","))
        == quantity
    )


@given(st.text(max_size=12))
def test_any_text_gives_an_amount_or_an_expected_error(typed: str) -> None:
    try:
        amount = number_text.parse_amount(typed)
    except Invalid:
        return
    assert amount >= Money.ZERO


@each(
    ("quantity", "typed"),
    [("1", "1"), ("1234", "1234"), ("10000", "10000"), ("1.56", "1,56"), ("0.412", "0,412")],
)
def test_a_quantity_that_stands_in_a_field_is_read_back_as_it_is(quantity: str, typed: str) -> None:
    assert number_text.typed_quantity_text(Quantity(quantity)) == typed


@given(QUANTITIES)
def test_every_quantity_is_read_back_from_its_field(quantity: Quantity) -> None:
    assert number_text.parse_quantity(number_text.typed_quantity_text(quantity)) == quantity
