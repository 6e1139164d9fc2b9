"""JSON is read strictly, written exactly, and hashed by its meaning."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.wire import strict_json
from tests.sweep import each

NUMBERS = st.integers(-(10**15), 10**15) | st.decimals(
    allow_nan=False, allow_infinity=False, places=4, min_value=-(10**12), max_value=10**12
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


@each(
    ("body", "why"),
    [
        (b"", "expecting value"),
        (b'{"a":1} x', "nothing may follow"),
        (b'{"a":1,"a":2}', '"a" is said twice'),
        (b'[{"b":{"a":1,"c":2,"a":2}}]', '"a" is said twice'),
        (b"NaN", "NaN is no JSON number"),
        (b"[Infinity]", "Infinity is no JSON number"),
        (b"-Infinity", "-Infinity is no JSON number"),
        (b"1e999999999", "too large or too fine"),
        (b"[1e-999999999]", "too large or too fine"),
        (b"1e41", "too large"),
        (b"[1e999999999999999999999]", r"too large or too fine \(line 1 column 2\)"),
        (b"0e-99999999999999999999", "too large or too fine"),
        (b"0." + b"1" * 70, "too long"),
        (b"9" * 5000, "too long"),
        (b"01", "nothing may follow"),
        (b"+1", "expecting value"),
        (b"1.", "nothing may follow"),
        (b"'a'", "expecting value"),
        (b'{"a":1,}', "property name"),
        (b"[1,]", "expecting value"),
        (b'"a\nb"', r"column 3: invalid control character\.$"),
        (b'{"a": "b', r"column 7: unterminated string\.$"),
        (rb'"\ud800"', "surrogate"),
        (rb'{"\uDC00":1}', "surrogate"),
        (rb'"\ud83d and \ude00"', "surrogate"),
        (rb'{"\ud800":1e41}', r'"\\ud800": the number is too large'),
        (b'{"price":1e999,"name":}', "column 10: the number is too large"),
        (rb'{"\ud800":1,"\ud800":2}', r'"\\ud800" is said twice'),
        (b'"\xff"', "not UTF-8"),
        (b'"\xed\xa0\x80"', "not UTF-8"),
        (b"\xef\xbb\xbf{}", "line 1 column 1: a byte order mark"),
        (b"\xef\xbb\xbf", "a byte order mark"),
        (b"{" + b",".join(b'"k%d":0' % n for n in range(50_000)) + b',"k7":1}', "k7"),
        (b"[" * 33 + b"]" * 33, "more than 32"),
        (b'{"a":' * 33 + b"1" + b"}" * 33, "more than 32"),
        (b"[" * 100_000, "more than 32"),
        (b"[" * 100_000 + b"]" * 100_000, "more than 32"),
    ],
)
def test_what_is_refused_and_why(body: bytes, why: str) -> None:
    with pytest.raises(strict_json.MalformedJson, match=why):
        strict_json.loads(body)


@each(
    ("body", "field"),
    [
        ('{"price": 1e999}', "price"),
        ('{"items": [{"n": 1}, {"n": 2, "quantity": 1e41}]}', "items[1].quantity"),
        ('[["1e41"], [{"a": -1e41}]]', "[1][0].a"),
        ("9" * 41, ""),
    ],
)
def test_a_number_beyond_the_range_is_named_by_its_path(body: str, field: str) -> None:
    with pytest.raises(strict_json.NumberOutOfRange) as caught:
        strict_json.loads(body)
    assert caught.value.field == field
    assert field in caught.value.what


@each(
    ("body", "value"),
    [
        (b" \r\n\t[1, 2.50, -3e2] ", [1, Decimal("2.50"), Decimal(-300)]),
        (rb'"\ud83d\ude00"', "😀"),
        ('"Ђ"'.encode(), "Ђ"),
        (rb'"\\ud800"', r"\ud800"),
        (b"[" * 32 + b"]" * 32, None),
        (b"true", True),
        (b'{"":null}', {"": None}),
    ],
)
def test_what_is_read(body: bytes, value: object) -> None:
    read = strict_json.loads(body)
    assert value is None or read == value


@each(
    ("value", "text"),
    [
        ({"price": Decimal("58.90"), "name": "Хлеб"}, '{"price":58.9,"name":"Хлеб"}'),
        (Decimal("1E+3"), "1000"),
        (Decimal("-0.00"), "0"),
        ((1, "a\n\"", None, True), '[1,"a\\n\\"",null,true]'),
    ],
)  # fmt: skip
def test_what_is_written(value: object, text: str) -> None:
    assert strict_json.dumps(value) == text.encode()
    for bug in (1.5, {1: 2}, {"a": {1, 2}}, b"x"):
        with pytest.raises(TypeError):
            strict_json.dumps(bug)


def test_the_canonical_writing_is_frozen() -> None:
    for text in ("1", "1.0", "1.00", "1e0", "10e-1", "0.1e1"):
        assert strict_json.canonical(strict_json.loads(text)) == b"1"
    body = '{ "б": [1.50, 0.0, -0, 1E2], "a": {"z": null, "Z": "\\u0402\\n"}, "aa": true }'
    told = strict_json.canonical(strict_json.loads(body))
    assert told == '{"a":{"Z":"Ђ\\n","z":null},"aa":true,"б":[1.5,0,0,100]}'.encode()


@given(VALUES)
def test_written_and_read_again_it_is_the_same(value: object) -> None:
    assert strict_json.loads(strict_json.dumps(value)) == value
    assert strict_json.loads(strict_json.canonical(value)) == value
    assert json.loads(strict_json.dumps(value), parse_float=Decimal) == value, "by any reader"


@given(VALUES, st.randoms())
def test_order_and_blanks_do_not_change_the_canonical_writing(
    value: object, chance: random.Random
) -> None:
    def shuffled(part: object) -> object:
        if isinstance(part, dict):
            names = list(part)
            chance.shuffle(names)
            return {name: shuffled(part[name]) for name in names}
        if isinstance(part, list):
            return [shuffled(item) for item in part]
        return part

    spaced = strict_json.dumps(shuffled(value)).decode()
    assert strict_json.canonical(strict_json.loads(f"\n {spaced}\t")) == strict_json.canonical(
        value
    )


@given(
    st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace"))
)
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    with suppress(strict_json.MalformedJson):
        strict_json.loads(body)
