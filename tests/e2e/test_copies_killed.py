"""SIGKILL at each commit of till and server while a receipt is copied and one is refunded by hand.

At the end the ledger has of each round its sale, the copy, the refund and the copy of that, and no
more: an act that was signed twice, or is missing, changes these numbers.
"""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import audit
from tests.e2e.copying_till import ROUND
from tests.e2e.shop import Program, Shop, opened
from tests.e2e.test_kill_at_commits import points, wrapped
from tests.proofs import Proof

TILL_COMMITS = 26
"""Enough for a start and a round; a till goes on with the next one."""
SERVER_COMMITS = 30
"""The same of a server."""
ENDLESS, PARTS = 100_000, range(2)
OF_A_ROUND = ("ПП", "КП", "ПР", "КР")


@pytest.fixture
def swift(tmp_path: Path, catalogue: Path, nursery: Path) -> Iterator[Shop]:
    with opened(tmp_path / "shop", catalogue, nursery) as made:
        yield made


def till(shop: Shop, *wrapper: str, total: int) -> Program:
    words = ["--data", str(shop.data), "--total", str(total)]
    if wrapper:
        return shop.run("-m", "tests.e2e.kill_at", *wrapper, "--", "copying", *words, name="till")
    return shop.run("-m", "tests.e2e.copying_till", *words, name="till")


def check(shop: Shop, proof: Proof) -> None:
    """The till brings what is open to its end; then each round has its four receipts, once."""
    last = till(shop, total=1 + kinds(shop)["ПП"])
    assert last.wait() == 0, last.errors()
    found = kinds(shop)
    rounds = found["ПП"]
    assert rounds >= 2
    for kind in OF_A_ROUND:
        for _ in range(rounds):
            proof.count(signed=1)
        proof.doubled += max(0, found[kind] - rounds)
        proof.lost += max(0, rounds - found[kind])
    assert found == dict.fromkeys(OF_A_ROUND, rounds)
    entries = audit.ledger(shop)
    referents = [
        json.loads(one.request).get("referentDocumentNumber")
        for one in entries
        if extension(one.answer) == "ПР"
    ]
    assert sorted(referents) == sorted(f"ABCD1234-ABCD1234-{n + 1}" for n in range(rounds))
    copied = [
        json.loads(one.request)["referentDocumentNumber"]
        for one in entries
        if extension(one.answer) in ("КП", "КР")
    ]
    assert len(copied) == len(set(copied))
    sales = audit.frozen_sales(shop.data)
    assert {one.state for one in sales} <= {"done", "refused"}
    assert sum(one.state == "done" for one in sales) == len(ROUND) * rounds
    signed = {entry.request_id for entry in entries}
    assert not [one.key for one in sales if one.state == "refused" and one.request_id in signed]


def kinds(shop: Shop) -> Counter[str]:
    """How many receipts of each kind the processor signed."""
    return Counter(extension(entry.answer) for entry in audit.ledger(shop))


def extension(answer: str) -> str:
    told: str = json.loads(answer)["invoiceCounterExtension"]
    return told


@pytest.mark.faults
@pytest.mark.parametrize("part", PARTS)
def test_copies_and_refunds_by_hand_while_the_till_is_killed(
    swift: Shop, times: int, part: int, proof: Proof
) -> None:
    swift.processor()
    server = swift.server()
    for number, point in enumerate(points(TILL_COMMITS, times, part)):
        killed = till(swift, *wrapped("till.db", point), total=ENDLESS)
        assert killed.wait() == -signal.SIGKILL, f"{number}: {point}\n{killed.errors()}"
    check(swift, proof)
    server.stop()


@pytest.mark.faults
@pytest.mark.parametrize("part", PARTS)
def test_copies_and_refunds_by_hand_while_the_server_is_killed(
    swift: Shop, times: int, part: int, proof: Proof
) -> None:
    swift.processor()
    running = till(swift, total=ENDLESS)
    for number, point in enumerate(points(SERVER_COMMITS, times, part)):
        server = swift.server(*wrapped("journal.db", point))
        assert server.wait() == -signal.SIGKILL, f"{number}: {point}\n{server.errors()}"
        assert not running.is_over, running.errors()
    server = swift.server()
    running.kill()
    check(swift, proof)
    server.stop()
