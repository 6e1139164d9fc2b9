"""SIGKILL at each commit of a server while a pair becomes half done and a person ends it, or while
a till cancels a pair of which nothing is signed.

The first covers the time from the acceptance of an advance to the signature that ends the pair; the
next process carries on, and the person repeats an answer that was lost.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

import apsw
import httpx
import pytest

from pos_app.wire.problem import NOT_COMPARED_YET
from tests.e2e.restored import Asker, Told, copied
from tests.e2e.shop import PATIENCE, Program, Shop
from tests.e2e.test_kill_at_commits import PARTS, Point, points, was_killed, wrapped
from tests.proofs import Proof

COMMITS = 17
"""More than a server makes from its start to the end of one pair (counted: 16)."""
STARTED, FAR = 3, 20
"""The commit after those of a start (counted), where `make test` begins to cancel, and more commits
than a server makes from its start to the end of one cancelling."""
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
        self._asker, self._shop, self._way = Asker(shop), shop, way
        self._keys = f"advance-{number:08}", f"closing-{number:08}"
        self._is_asked = False
        self.has_decided = False

    def carry(self) -> list[str]:
        """Do everything until the pair has ended; returns the kinds of its receipts.

        Raises httpx.TransportError when the server dies.
        """
        advance, closing = self._keys
        first = until_told(lambda: post(self._asker, RECEIPTS, ADVANCE, advance))
        path = f"{RECEIPTS}/{first['invoiceNumber']}/close"
        while True:
            if not self._is_asked:
                self._is_asked = True
                self._shop.fault("late_answer")
                self._shop.fault("refuse", code="2805")
            told = post(self._asker, path, REST, closing)
            if told.status == httpx.codes.OK:
                return [one["invoiceCounterExtension"] for one in told.members]
            if told.members.get("state") == "reversed":
                return [self._kind(number) for number in told.members["signed"]]
            self._decide(told.members["receiptId"])

    def _decide(self, receipt: str) -> None:
        doubts = self._asker.ask("GET", "/till/doubts", None, self._asker.till()).members
        if any(one["pair"] and one["pair"]["ways"] for one in doubts):
            self.has_decided = True
            path = f"/till/doubts/{receipt}/{self._way}"
            self._asker.ask("POST", path, WORDS[self._way], self._asker.till())

    def _kind(self, number: str) -> str:
        found = self._asker.ask("GET", f"{RECEIPTS}/{number}", None, {})
        return str(found.members["invoiceCounterExtension"])


def post(asker: Asker, path: str, body: dict[str, Any], key: str) -> Told:
    return asker.ask("POST", path, body, {"Idempotency-Key": key})


def until_told(ask: Callable[[], Told]) -> Any:
    ends = time.monotonic() + PATIENCE
    while (told := ask()).status != httpx.codes.OK:
        assert time.monotonic() < ends, told
    return told.members


def killed_at(shop: Shop, point: Point, act: Callable[[], object]) -> Program:
    """A server process that ends at that commit of its own, while somebody acts; an act that ended
    before leaves it running."""
    server = shop.server(*wrapped("journal.db", point))
    try:
        if not server.is_over:
            act()
    except httpx.TransportError:
        pass
    if server.is_over:
        assert was_killed(server), server.errors()
    server.stop()
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
        killed_at(shop, point, person.carry)
        server = shop.server()
        ended = person.carry()
        assert ended == (ENDS[way] if person.has_decided else WHOLE), f"{number}: {point} {way}"
        decided += person.has_decided
        proof.tried += 1
        server.stop()
        assert len(shop.control("GET", "/ledger")) == 3 * (number + 1), f"{number}: {point}"
    assert decided > number // 2


def cancel(asker: Asker, key: str) -> Told:
    """Cancel as a till does: repeat until the server has asked its processor since its start."""
    end = time.monotonic() + PATIENCE
    while True:
        told = asker.ask("POST", "/till/cancel", {"key": key}, asker.till())
        if told.members.get("code") != NOT_COMPARED_YET.code or time.monotonic() > end:
            return told
        time.sleep(0.02)


def states(shop: Shop, key: str) -> list[str]:
    """The states of the two receipts of that key, as the dead server left them; they are read from
    a copy, since the last program that closes a database empties its log."""
    copy = copied(shop.data / "journal", shop.folder / "looked-at") / "journal.db"
    with closing(apsw.Connection(str(copy))) as connection:
        found = connection.execute(
            "SELECT state FROM requests JOIN commands ON commands.id = command_id"
            " WHERE key = ? ORDER BY child",
            (key,),
        ).fetchall()
    return [str(row[0]) for row in found]


@pytest.mark.faults
def test_the_server_is_killed_while_a_pair_is_cancelled(shop: Shop, times: int) -> None:
    """Cancelling is one commit: both receipts are cancelled or neither is."""
    begins = 1 if times > 50 else STARTED
    shop.processor()
    server, asker = shop.server(), Asker(shop)
    install = asker.till()
    advance = asker.ask("POST", RECEIPTS, ADVANCE, install | {"Idempotency-Key": "a" * 16}).members
    path = f"{RECEIPTS}/{advance['invoiceNumber']}/close"
    shop.fault("refuse", code="1500", count=None)
    for number, when in itertools.product(range(begins, FAR), ("before", "after")):
        key = f"closing-{number:04}-{when}".ljust(20, "0")
        closing = asker.ask("POST", path, REST, install | {"Idempotency-Key": key})
        assert closing.members["class"] == "cure"
        server.stop()
        assert states(shop, key) == ["released", "released"]
        told: list[Told] = []

        def act(key: str = key, told: list[Told] = told) -> None:
            told.append(cancel(asker, key))

        killed_at(shop, (number, when), act)
        assert states(shop, key) in (["released"] * 2, ["cancelled"] * 2), f"{number} {when}"
        server = shop.server()
        assert cancel(asker, key).members == {"state": "cancelled"}
        assert states(shop, key) == ["cancelled"] * 2
        if told:
            break
    assert begins < number < FAR - 1
    assert len(shop.control("GET", "/ledger")) == 1
