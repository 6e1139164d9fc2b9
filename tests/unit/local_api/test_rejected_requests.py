"""The list of refusals that the settings show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from starlette.datastructures import Headers

from pos_app.http_front.errors import InvalidPart
from pos_app.local_api import access_rules, headers
from pos_app.local_api.access_middleware import AdmittedCaller
from pos_app.local_api.access_rules import AccessLevel, AccessRefused, AccessSettings, RequestHead
from pos_app.local_api.refused_requests import RefusedRequests
from pos_app.wire.problem import FORBIDDEN, Problem
from tests.sweep import each

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
SETTINGS = AccessSettings("install-1", "till-token", names=("kasa.local",))
REFUSED = AccessRefused("origin", Problem.of(FORBIDDEN, "not allowed"))


def from_page(number: int) -> RequestHead:
    headers = {"host": ("127.0.0.1:9999",), "origin": (f"https://page{number}.example",)}
    return RequestHead("POST", "/fiscalization/receipts", "127.0.0.1", 9999, headers=headers)


def test_the_last_two_hundred_are_kept_newest_first() -> None:
    kept = RefusedRequests()
    for number in range(250):
        at = NOW + timedelta(seconds=number)
        kept.remember(from_page(number), REFUSED, at=at, settings=SETTINGS)
    latest = kept.latest()
    assert len(latest) == 200
    told = [entry.origin for entry in (latest[0], latest[-1])]
    assert told == ["https://page249.example", "https://page50.example"]
    assert latest[0].at == NOW + timedelta(seconds=249)
    seen = (latest[0].reason, latest[0].host, latest[0].message)
    assert seen == ("origin", "127.0.0.1:9999", "not allowed")


ORIGIN = "https://shop.example"


@each(
    ("headers", "setting", "entry"),
    [
        ({"host": "kasa2.local:9999"}, "server.names", "kasa2.local"),
        ({"host": "Kasa2.local:8080"}, "server.names", "kasa2.local:8080"),
        ({"host": "kasa2.local"}, "server.names", "kasa2.local:80"),
        ({"host": "127.0.0.1:9999", "origin": f"{ORIGIN}:443"}, "server.origins", ORIGIN),
        ({"host": "127.0.0.1:9999", "origin": "null"}, "", ""),
        ({"host": "127.0.0.1:8080"}, "", ""),
        ({"host": "kasa2 local:9999"}, "", ""),
        ({}, "", ""),
        ({"host": "127.0.0.1:9999", "x-pos-token": "wrong"}, "", ""),
        ({"host": "127.0.0.1:9999", "sec-fetch-site": "cross-site"}, "", ""),
    ],
)
def test_what_would_let_a_caller_in_is_told_where_it_would(
    headers: dict[str, str], setting: str, entry: str
) -> None:
    given = {name: (value,) for name, value in headers.items()}
    head = RequestHead("GET", "/fiscalization/receipts/x", "127.0.0.1", 9999, headers=given)
    refused = access_rules.decide(head, SETTINGS)
    assert isinstance(refused, AccessRefused)
    kept = RefusedRequests()
    kept.remember(head, refused, at=NOW, settings=SETTINGS)
    (told,) = kept.latest()
    assert (told.setting, told.entry) == (setting, entry)
    elsewhere = replace(head, authority="evil.example:9999")
    kept.remember(elsewhere, refused, at=NOW, settings=SETTINGS)
    if setting == "server.names":
        assert kept.latest()[0].entry == "", "the name in its target is refused too"


TILL = AdmittedCaller(AccessLevel.TILL, "http://127.0.0.1:9999")
OTHER = AdmittedCaller(AccessLevel.NONE, "http://127.0.0.1:9999")
LAN = AdmittedCaller(AccessLevel.LAN, "http://10.0.0.1:9999")


def sent(*pairs: tuple[str, str]) -> Headers:
    return Headers(raw=[(name.lower().encode(), value.encode("latin-1")) for name, value in pairs])


@each("key", ["", "a" * 15, "a" * 65, "a" * 15 + " ", "a b" * 8, "é" * 16, "a" * 16 + "\t"])
def test_bad_keys_name_the_header(key: str) -> None:
    with pytest.raises(InvalidPart, match="Idempotency-Key") as refusal:
        headers.idempotency_key(sent(("Idempotency-Key", key)))
    assert (refusal.value.field, refusal.value.source) == ("Idempotency-Key", "headers")
    assert headers.idempotency_key(sent()) is None
    with pytest.raises(InvalidPart, match="once"):
        headers.idempotency_key(sent(("Idempotency-Key", "a" * 16), ("Idempotency-Key", "a" * 16)))


@each("name", ["Мика", "Ana Ć. (1)", "a" * 50, "ш" * 50])
def test_cashier_and_origin_are_the_tills_with_its_token_only(name: str) -> None:
    told = sent(("X-Cashier", quote(name)))
    assert headers.cashier_of(told, TILL, otherwise="API") == name
    assert headers.cashier_of(told, OTHER, otherwise="API") == "API"
    assert headers.cashier_of(told, LAN, otherwise="API") == "API"
    named = sent(("X-Till", "0d7f6c1e-0000"))
    assert headers.origin_of(named, TILL, till_id="own") == "till:0d7f6c1e-0000"
    assert headers.origin_of(sent(), TILL, till_id="own") == "till:own"
    for other in (OTHER, LAN):
        assert headers.origin_of(named, other, till_id="own") == "local"


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
