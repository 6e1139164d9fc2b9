"""Other programs issue receipts through the same server while the till sells."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from tests.e2e import audit
from tests.e2e.shop import Shop
from tests.fakes.no_tls import NO_TLS

SALES = 40
CALLERS = 3
REQUESTS_EACH = 4
TWICE = 2
"""A caller posts each request twice, as one that lost the answer would."""


def _body(caller: int, turn: int) -> dict[str, Any]:
    return {
        "invoiceType": "normal",
        "transactionType": "sale",
        "items": [{"sku": 1 + caller, "quantity": turn + 1, "unitPrice": 58.99}],
        "payments": {"cash": 100 * (turn + 1)},
        "receiptDelivery": {"pdf": True},
    }


class Caller:
    """A web shop: posts its orders one after the other, each with a key of its own, twice."""

    def __init__(self, shop: Shop, number: int) -> None:
        self.number = number
        self.numbers: list[str] = []
        self._client = httpx.Client(base_url=shop.url, trust_env=False, verify=NO_TLS, timeout=30.0)

    def call(self) -> list[str]:
        """The fiscal numbers of its receipts, in order."""
        with self._client as client:
            return [self._order(client, turn) for turn in range(REQUESTS_EACH)]

    def _order(self, client: httpx.Client, turn: int) -> str:
        key = f"web-shop-{self.number}-order-{turn}"
        answers = [
            client.post(
                "/fiscalization/receipts",
                json=_body(self.number, turn),
                headers={"Idempotency-Key": key},
            )
            for _ in range(TWICE)
        ]
        assert [answer.status_code for answer in answers] == [200] * TWICE, answers[0].text
        told = {answer.json()["invoiceNumber"] for answer in answers}
        assert len(told) == 1
        return str(told.pop())


def test_callers_and_the_till_share_a_lane_and_neither_waits_for_the_other(shop: Shop) -> None:
    shop.processor()
    shop.server()
    till = shop.robot(total=SALES)
    till.until(lambda: till.lines("done"))
    callers = [Caller(shop, number) for number in range(CALLERS)]
    with ThreadPoolExecutor(CALLERS) as pool:
        called = list(pool.map(Caller.call, callers))
    assert not till.is_over, "the till had sold all before the callers were answered"
    assert till.wait() == 0, till.errors()

    entries = audit.ledger(shop)
    signed = Counter(entry.number for entry in entries)
    assert set(signed.values()) == {1}
    assert len(signed) == SALES + CALLERS * REQUESTS_EACH
    numbers = [number for of_one in called for number in of_one]
    assert set(numbers) <= set(signed)
    keys = [sale.key for sale in audit.frozen_sales(shop.data)]
    assert audit.faults(shop, keys=keys) == []
    sold = {entry.number: json.loads(entry.request)["items"][0] for entry in entries}
    for of_one in called:
        assert [sold[number]["quantity"] for number in of_one] == list(range(1, REQUESTS_EACH + 1))
        assert len({sold[number]["name"] for number in of_one}) == 1
