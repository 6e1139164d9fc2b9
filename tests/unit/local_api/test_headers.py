from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from starlette.datastructures import Headers

from pos_app.http_front.errors import InvalidPart
from pos_app.local_api import headers
from pos_app.local_api.access_middleware import AdmittedCaller
from pos_app.local_api.access_rules import AccessLevel
from tests.sweep import each

TILL = AdmittedCaller(AccessLevel.TILL, "http://127.0.0.1:9999")
OTHER = AdmittedCaller(AccessLevel.NONE, "http://127.0.0.1:9999")
LAN = AdmittedCaller(AccessLevel.LAN, "http://10.0.0.1:9999")


def sent(*pairs: tuple[str, str]) -> Headers:
    return Headers(raw=[(name.lower().encode(), value.encode("latin-1")) for name, value in pairs])


@pytest.mark.parametrize("key", ["a" * 16, "a" * 64, "!~#:/%\"'{}[]()=?", "0" * 32])
def test_good_keys(key: str) -> None:
    assert headers.idempotency_key(sent(("Idempotency-Key", key))) == key


@pytest.mark.parametrize(
    "key", ["", "a" * 15, "a" * 65, "a" * 15 + " ", "a b" * 8, "é" * 16, "a" * 16 + "\t"]
)
def test_bad_keys_name_the_header(key: str) -> None:
    with pytest.raises(InvalidPart, match="Idempotency-Key") as refusal:
        headers.idempotency_key(sent(("Idempotency-Key", key)))
    assert (refusal.value.field, refusal.value.source) == ("Idempotency-Key", "headers")


def test_no_key_is_no_fault_two_are() -> None:
    assert headers.idempotency_key(sent()) is None
    with pytest.raises(InvalidPart, match="once"):
        headers.idempotency_key(sent(("Idempotency-Key", "a" * 16), ("Idempotency-Key", "a" * 16)))


def test_origin_is_the_tills_with_its_token_only() -> None:
    named = sent(("X-Till", "0d7f6c1e-0000"))
    assert headers.origin_of(named, TILL, till_id="own") == "till:0d7f6c1e-0000"
    assert headers.origin_of(sent(), TILL, till_id="own") == "till:own"
    assert headers.origin_of(named, OTHER, till_id="own") == "local"
    assert headers.origin_of(named, LAN, till_id="own") == "local"


@pytest.mark.parametrize("name", ["Мика", "Ana Ć. (1)", "a" * 50, "ш" * 50])
def test_cashier_of_the_till(name: str) -> None:
    told = sent(("X-Cashier", quote(name)))
    assert headers.cashier_of(told, TILL, otherwise="API") == name
    assert headers.cashier_of(told, OTHER, otherwise="API") == "API"
    assert headers.cashier_of(told, LAN, otherwise="API") == "API"


MORE: dict[Callable[..., Any], dict[str, str]] = {
    headers.cashier_of: {"otherwise": "API"},
    headers.origin_of: {"till_id": "own"},
}
BAD: list[tuple[Callable[..., Any], str, str]] = [
    (headers.cashier_of, "X-Cashier", ""),
    (headers.cashier_of, "X-Cashier", "%20%20"),
    (headers.cashier_of, "X-Cashier", quote("\u0301\u034f")),
    (headers.cashier_of, "X-Cashier", "a" * 51),
    (headers.cashier_of, "X-Cashier", quote("ш" * 51)),
    (headers.cashier_of, "X-Cashier", "%FF%FE"),
    (headers.cashier_of, "X-Cashier", "%0A%1B"),
    (headers.cashier_of, "X-Cashier", "é"),
    (headers.till_sequence_of, "X-Till-Sequence", "0"),
    (headers.till_sequence_of, "X-Till-Sequence", "-1"),
    (headers.till_sequence_of, "X-Till-Sequence", "1.5"),
    (headers.till_sequence_of, "X-Till-Sequence", "1" * 19),
    (headers.till_sequence_of, "X-Till-Sequence", "x"),
    (headers.origin_of, "X-Till", ""),
    (headers.origin_of, "X-Till", "a" * 65),
    (headers.origin_of, "X-Till", "a b"),
]


@each(("reads", "name", "value"), BAD)
def test_bad_headers_of_the_till_are_named(
    reads: Callable[..., Any], name: str, value: str
) -> None:
    more: dict[str, str] = MORE.get(reads, {})
    with pytest.raises(InvalidPart) as refusal:
        reads(sent((name, value)), TILL, **more)
    assert refusal.value.field == name
    reads(sent((name, value)), OTHER, **more)


def test_sequence_of_the_till() -> None:
    assert headers.till_sequence_of(sent(("X-Till-Sequence", "17")), TILL) == 17
    assert headers.till_sequence_of(sent(("X-Till-Sequence", "17")), OTHER) is None
    assert headers.till_sequence_of(sent(), TILL) is None
