"""Rounding of money, and JSON that never passes through a float."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from pos_app.pfr_emulator import json_text
from pos_app.pfr_emulator.amounts import decimals, money


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Decimal("5.1"), "5.10"),
        (Decimal("10.267"), "10.27"),
        (Decimal("20.143"), "20.14"),
        (Decimal("0.123") * Decimal("9.90"), "1.22"),
        (Decimal("0.123") * Decimal("9.95"), "1.22"),
        (Decimal("0.005"), "0.01"),
        (Decimal("1.005"), "1.01"),
        (Decimal("2.675"), "2.68"),
    ],
)
def test_money_is_rounded_half_up(value: Decimal, expected: str) -> None:
    assert str(money(value)) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [("1", 0), ("1.50", 1), ("1.005", 3), ("100", 0), ("1E+3", 0)]
)
def test_trailing_zeros_are_no_decimals(value: str, expected: int) -> None:
    assert decimals(Decimal(value)) == expected


def test_numbers_keep_their_digits_both_ways() -> None:
    text = '{"amount":999999999999.99,"tax":0.0798,"count":20}'
    document = json_text.decode(text.encode())
    assert document == {
        "amount": Decimal("999999999999.99"),
        "tax": Decimal("0.0798"),
        "count": Decimal(20),
    }
    assert json_text.encode(document) == text


def test_what_is_written_is_json_for_everybody() -> None:
    value = {"а": ["x\n", None, True, Decimal("1E+2")], "ž": {}}
    assert json.loads(json_text.encode(value)) == {"а": ["x\n", None, True, 100], "ž": {}}


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff",
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b'{"a":1e999999999}',
        b'{"a":1e-999999999}',
        b'{"a":' + b"1" * 5000 + b"}",
        b"[" * 100_000,
    ],
)
def test_what_is_no_exact_json_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        json_text.decode(body)


def test_the_content_hash_is_blind_to_order_and_spelling_of_numbers() -> None:
    one = json_text.decode(b'{"a": 1.50, "b": [100, {"c": "x", "d": 0}]}')
    same = json_text.decode(b'{"b":[1e2,{"d":0.00,"c":"x"}],"a":1.5}')
    other = json_text.decode(b'{"b":[1e2,{"d":0.01,"c":"x"}],"a":1.5}')
    assert json_text.content_hash(one) == json_text.content_hash(same)
    assert json_text.content_hash(one) != json_text.content_hash(other)
