"""The list of refusals that the settings show."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pos_app.local_api.access_rules import Rejected, RequestHead
from pos_app.local_api.rejected_requests import RejectedRequests
from pos_app.wire.problem import FORBIDDEN, Problem

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
REFUSED = Rejected("origin", Problem.of(FORBIDDEN, "not allowed"))


def from_page(number: int) -> RequestHead:
    headers = {"host": ("127.0.0.1:9999",), "origin": (f"https://page{number}.example",)}
    return RequestHead("POST", "/fiscalization/receipts", "127.0.0.1", 9999, headers=headers)


def test_the_last_two_hundred_are_kept_newest_first() -> None:
    kept = RejectedRequests()
    for number in range(250):
        kept.remember(from_page(number), REFUSED, at=NOW + timedelta(seconds=number))
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
    kept = RejectedRequests()
    long = RequestHead(
        "P" * 5000,
        "/" * 5000,
        "::1",
        9999,
        headers={"host": ("h" * 5000,), "origin": ("o" * 9999,)},
    )
    kept.remember(long, REFUSED, at=NOW)
    entry = kept.latest()[0]
    assert {len(entry.method), len(entry.path), len(entry.host), len(entry.origin)} == {200}
