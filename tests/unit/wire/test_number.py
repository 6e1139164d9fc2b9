"""Numbers of our JSON keep every digit and are never strings."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from pos_app.wire.number import Number
from pos_app.wire.strict_json import dumps, loads, number_text
from tests.sweep import each


class Priced(BaseModel):
    price: Number


DECIMALS = st.decimals(
    allow_nan=False, allow_infinity=False, places=3, min_value=-(10**14), max_value=10**14
)


@each(
    ("literal", "price"),
    [
        ("58.90", "58.9"),
        ("0.1", "0.1"),
        ("0", "0"),
        ("-0.0", "0"),
        ("1e3", "1000"),
        ("999999999999.99", "999999999999.99"),
        ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"),
    ],
)
def test_a_json_number_is_read_to_its_last_digit(literal: str, price: str) -> None:
    read = Priced.model_validate(loads(f'{{"price":{literal}}}'))
    assert read.price == Decimal(price)
    assert dumps(read.model_dump()) == f'{{"price":{price}}}'.encode()


@each(
    "value",
    [
        "58.90", "", True, False, None, [], {}, Decimal("NaN"), Decimal("Infinity"),
        Decimal("1e999999"), 10**60,
    ],
)  # fmt: skip
def test_what_is_no_json_number_is_refused(value: object) -> None:
    with pytest.raises(ValidationError) as caught:
        Priced.model_validate({"price": value})
    assert [fault["type"] for fault in caught.value.errors()] == ["number_type"]
    for number in (58.9, 1.0, math.nan, math.inf):  # a bug, and no bad request
        with pytest.raises(TypeError, match="float"):
            Priced.model_validate({"price": number})


@each(
    ("value", "text"),
    [("58.90", "58.9"), ("58.00", "58"), ("1E+3", "1000"), ("-0.00", "0"), ("0.07", "0.07")],
)
def test_pydantic_itself_writes_a_number_without_noise(value: str, text: str) -> None:
    assert Priced(price=Decimal(value)).model_dump_json() == f'{{"price":{text}}}'
    with pytest.raises(Exception, match="more digits than a float holds"):
        Priced(price=Decimal("0.1000000000000000055511151231257827")).model_dump_json()


@given(DECIMALS)
def test_written_and_read_again_it_is_the_same(number: Decimal) -> None:
    written = dumps(Priced(price=number).model_dump())
    assert Priced.model_validate(loads(written)).price == number
    text = number_text(number)
    assert Decimal(text) == number
    assert "E" not in text.upper()
    assert not ("." in text and text.endswith(("0", ".")))
    assert text != "-0"
