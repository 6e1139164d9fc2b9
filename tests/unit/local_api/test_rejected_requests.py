"""The list of refusals that the settings show."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pos_app.local_api import access_rules
from pos_app.local_api.refused_requests import RefusedRequests
from pos_app.wire.problem import FORBIDDEN, Problem

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
SETTINGS = access_rules.AccessSettings("install-1", "till-token", names=("kasa.local",))
REFUSED = access_rules.AccessRefused("origin", Problem.of(FORBIDDEN, "not allowed"))


def from_page(number: int) -> access_rules.RequestHead:
    headers = {"host": ("127.0.0.1:9999",), "origin": (f"https://page{number}.example",)}
    return access_rules.RequestHead(
        "POST", "/fiscalization/receipts", "127.0.0.1", 9999, headers=headers
    )


def test_the_last_two_hundred_are_kept_newest_first() -> None:
    kept = RefusedRequests()
    for number in range(250):
        at = NOW + timedelta(seconds=number)
        kept.remember(from_page(number), REFUSED, at=at, settings=SETTINGS)
    latest = kept.latest()
    assert len(latest) == 200
    assert [entry.origin for entry in (latest[0], latest[-1])] == [
        "https://page249.example",
        "https://page50.example",
    ]
    assert latest[0].at == NOW + timedelta(seconds=249)
    assert (latest[0].reason, latest[0].host, latest[0].message) == (
        "origin",
        "127.0.0.1:9999",
        "not allowed",
    )


def test_long_texts_are_cut() -> None:
    kept = RefusedRequests()
    long = access_rules.RequestHead(
        "P" * 5000,
        "/" * 5000,
        "::1",
        9999,
        headers={"host": ("h" * 5000,), "origin": ("o" * 9999,)},
    )
    kept.remember(long, REFUSED, at=NOW, settings=SETTINGS)
    entry = kept.latest()[0]
    assert {len(entry.method), len(entry.path), len(entry.host), len(entry.origin)} == {200}


ORIGIN = "https://shop.example"


@pytest.mark.parametrize(
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
    head = access_rules.RequestHead(
        "GET", "/fiscalization/receipts/x", "127.0.0.1", 9999, headers=given
    )
    refused = access_rules.decide(head, SETTINGS)
    assert isinstance(refused, access_rules.AccessRefused)
    kept = RefusedRequests()
    kept.remember(head, refused, at=NOW, settings=SETTINGS)
    (told,) = kept.latest()
    assert (told.setting, told.entry) == (setting, entry)


def test_a_target_of_another_server_is_let_in_by_no_name() -> None:
    """The name in its target is refused too, so allowing its host alone would not help."""
    headers = {"host": ("kasa2.local:9999",)}
    head = access_rules.RequestHead(
        "GET", "/x", "127.0.0.1", 9999, headers=headers, authority="evil.example:9999"
    )
    refused = access_rules.decide(head, SETTINGS)
    assert isinstance(refused, access_rules.AccessRefused)
    kept = RefusedRequests()
    kept.remember(head, refused, at=NOW, settings=SETTINGS)
    assert kept.latest()[0].entry == ""
