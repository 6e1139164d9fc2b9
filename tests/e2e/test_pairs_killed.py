"""SIGKILL at each commit of a server while a pair becomes half done and a person ends it.

It covers the time from the acceptance of an advance to the signature that ends the pair; the next
process carries on, and the person repeats an answer that was lost.
"""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
import pytest

from tests.e2e.shop import PATIENCE, Program, Shop
from tests.e2e.test_kill_at_commits import PARTS, Point, points, was_killed, wrapped
from tests.fakes.no_tls import NO_TLS
from tests.proofs import Proof

COMMITS = 17
"""More than a server makes from its start to the end of one pair (counted: 16)."""
RECEIPTS = "/fiscalization/receipts"
BY = {"by": "Милан"}
PAPER = {"receiptDelivery": {"pdf": False}}
ADVANCE: dict[str, Any] = {
    "invoiceType": "advance",
    "transactionType": "sale",
    "payments": {"cash": 100},
    "items": [{"sku": 1, "quantity": 10, "unitPrice": 58.99}],
} | PAPER
REST = {"payments": {"card": 489.9}} | PAPER
CORRECTED = BY | {"request": {"payments": {"cash": 489.9}} | PAPER}
WORDS: dict[str, dict[str, Any]] = {"again": BY, "correct": CORRECTED, "reverse": BY}
WAYS = sorted(WORDS)
WHOLE = ["АР", "ПП"]
ENDS = {"again": WHOLE, "correct": WHOLE, "reverse": ["АР", "АП"]}


class Person:
    """The person who asks for a pair, and ends it at the till."""

    def __init__(self, shop: Shop, way: str, number: int) -> None:
        install = json.loads((shop.data / "install.json").read_bytes())
        self._till = {"X-Pos-Install": install["install_id"], "X-Pos-Token": install["token"]}
        self._shop = shop
        self._way = way
        self._keys = f"advance-{number:08}", f"closing-{number:08}"
        self._is_asked = False
        self.has_decided = False

    def carry(self) -> list[str]:
        """Do everything until the pair has ended; returns the kinds of its receipts.

        Raises httpx.TransportError when the server dies.
        """
        advance, closing = self._keys
        first = self._until_told(lambda: self._post(RECEIPTS, ADVANCE, advance))
        path = f"{RECEIPTS}/{first['invoiceNumber']}/close"
        while True:
            if not self._is_asked:
                self._is_asked = True
                self._shop.fault("late_answer")
                self._shop.fault("refuse", code="2805")
            told = self._post(path, REST, closing)
            if told.status_code == httpx.codes.OK:
                return [one["invoiceCounterExtension"] for one in told.json()]
            body = told.json()
            if body.get("state") == "reversed":
                return [self._kind(number) for number in body["signed"]]
            self._decide(body)

    def _decide(self, body: dict[str, Any]) -> None:
        """Send the manager's answer, if one is asked for."""
        doubts = self._get("/till/doubts", self._till).json()
        if not any(one["pair"] and one["pair"]["ways"] for one in doubts):
            return
        self.has_decided = True
        path = f"/till/doubts/{body['receiptId']}/{self._way}"
        self._send(path, WORDS[self._way], self._till)

    def _until_told(self, ask: Any) -> dict[str, Any]:
        ends = time.monotonic() + PATIENCE
        while (told := ask()).status_code != httpx.codes.OK:
            assert time.monotonic() < ends, told.text
        found: dict[str, Any] = told.json()
        return found

    def _kind(self, number: str) -> str:
        kind: str = self._get(f"{RECEIPTS}/{number}", {}).json()["invoiceCounterExtension"]
        return kind

    def _post(self, path: str, body: dict[str, Any], key: str) -> httpx.Response:
        return self._send(path, body, {"Idempotency-Key": key})

    def _send(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> httpx.Response:
        with httpx.Client(trust_env=False, verify=NO_TLS, timeout=PATIENCE) as client:
            return client.post(f"{self._shop.url}{path}", json=body, headers=headers)

    def _get(self, path: str, headers: dict[str, str]) -> httpx.Response:
        with httpx.Client(trust_env=False, verify=NO_TLS, timeout=PATIENCE) as client:
            return client.get(f"{self._shop.url}{path}", headers=headers)


def killed_at(shop: Shop, point: Point, person: Person) -> Program:
    """A server process that ends at that commit of its own, while the person works."""
    server = shop.server(*wrapped("journal.db", point))
    try:
        if not server.is_over:
            person.carry()
    except httpx.TransportError:
        pass
    return server


@pytest.mark.faults
@pytest.mark.deadline(300)
def test_the_server_is_killed_while_a_pair_is_ended(shop: Shop, times: int, proof: Proof) -> None:
    """When a kill hides that the second receipt was refused, the server signs it by itself."""
    shop.processor()
    shop.server().stop()  # makes the files: from here on a process makes the pair's commits alone
    decided = 0
    parts = PARTS if times > 50 else PARTS[:1]
    killed = [point for part in parts for point in points(COMMITS, times, part)]
    for number, point in enumerate(killed):
        way = WAYS[number % len(WAYS)]
        person = Person(shop, way, number)
        first = killed_at(shop, point, person)
        if first.is_over:
            assert was_killed(first), first.errors()
        first.stop()
        server = shop.server()
        ended = person.carry()
        assert ended == (ENDS[way] if person.has_decided else WHOLE), f"{number}: {point} {way}"
        decided += person.has_decided
        proof.tried += 1
        server.stop()
        assert len(shop.control("GET", "/ledger")) == 3 * (number + 1), f"{number}: {point}"
    assert decided > number // 2
