"""The questions that reports take, and the refusal of a wrong one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.integration.local_api.wronged import DELIVERED, Wronged, wronged
from tests.sweep import each

USUAL = {"grouping": "day", "first": "2026-11-01", "last": "2026-11-20"}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wronged]:
    with wronged(tmp_path_factory.mktemp("shop")) as made:
        yield made


def asked(shop: Wronged, **told: Any) -> Any:
    body = {**USUAL, **told}
    return shop.ask("POST", "/till/receipts/report", json={"asked": body}, headers=shop.server.till)


@each(
    ("told", "field"),
    [
        ({"grouping": "week"}, "grouping"),
        ({"grouping": None}, "grouping"),
        ({"first": "1.11.2026."}, "first"),
        ({"first": 20261101}, "first"),
        ({"last": "2026-10-31"}, "last"),
        ({"skip": -1}, "skip"),
    ],
)
def test_a_wrong_member_is_named(shop: Wronged, told: dict[str, Any], field: str) -> None:
    answer = asked(shop, **told)
    assert answer.status_code == 400
    assert field in answer.text


def test_rows_behind_the_last_are_none(shop: Wronged) -> None:
    """Each question first takes in what was signed since the one before."""
    article = {"name": "Чај", "taxRateLabel": "Ђ"}
    body = {
        "invoiceType": "normal",
        "transactionType": "sale",
        "payments": {"cash": 200},
        "items": [{"quantity": 1, "unitPrice": 198.98, "article": article}],
        **DELIVERED,
    }
    key = {"Idempotency-Key": "k" * 20}
    assert shop.send("issue", body, headers=key).is_success
    wide = {"grouping": "method", "first": "2020-01-01", "last": "2099-12-31"}
    (row,) = asked(shop, **wide).json()["result"]["rows"]
    assert (row["key"], row["sales"], row["receipts"]) == ("cash", 198.98, 1)
    told = asked(shop, **wide, skip=5_000).json()["result"]
    assert (told["rows"], told["many"], told["goOn"]) == ([], 1, None)
    none = asked(shop, first="1999-01-01", last="1999-12-31").json()["result"]
    assert (none["rows"], none["many"], none["goOn"]) == ([], 0, None)
    assert (none["total"]["receipts"], none["total"]["sales"]) == (0, 0)
