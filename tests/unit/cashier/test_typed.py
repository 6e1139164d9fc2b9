"""Typed text: the table of `typed`, and that no text can break it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.cashier.sale import typed
from pos_app.domain.money.money import Money, Quantity
from pos_app.errors import Invalid
from tests.sweep import each


@each(
    ("text", "times", "code", "number", "cash"),
    [
        ("", None, False, False, None),
        ("3*", Quantity(3), False, False, None),
        ("0,412*", Quantity("0.412"), False, False, None),
        ("0.412*", Quantity("0.412"), False, False, None),
        ("2088", None, True, True, Money(2088)),
        (" 2000 ", None, True, True, Money(2000)),
        ("2000,5", None, False, True, Money("2000.50")),
        ("0,", None, False, True, Money(0)),
        ("sir", None, False, False, None),
        ("sir 250", None, False, False, None),
        ("٣", None, False, False, None),
    ],
)
def test_the_table(
    text: str, times: Quantity | None, code: bool, number: bool, cash: Money | None
) -> None:
    assert (
        typed.multiplier(text),
        typed.is_code(text),
        typed.is_number(text),
        typed.amount(text),
    ) == (times, code, number, cash)


def test_no_next_quantity_of_zero() -> None:
    with pytest.raises(Invalid):
        typed.multiplier("0*")


@given(st.text(max_size=20))
def test_any_text_means_something_or_nothing(text: str) -> None:
    assert typed.is_code(text) in (True, False)
    typed.amount(text)
