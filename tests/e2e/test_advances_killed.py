"""SIGKILL at each commit of till, server and processor while advances are begun, paid and closed.

At the end the ledger has of each advance its two payments, their refund and the sale, and no more:
an act that was signed twice, or of which a half is missing, changes these numbers.
"""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from tests.e2e import audit
from tests.e2e.advancing_till import FIRST, NEXT
from tests.e2e.shop import Program, Shop, opened
from tests.e2e.test_kill_at_commits import points, wrapped
from tests.proofs import Proof

TILL_COMMITS = 26
"""Enough for a start, an advance, its payment and its closing; a till goes on with the next."""
SERVER_COMMITS = 30
"""The same of a server."""
PROCESSOR_COMMITS = 6
"""The same of a processor: one to open its ledger, one a receipt."""
ENDLESS, PARTS = 100_000, range(2)


@pytest.fixture
def swift(tmp_path: Path, catalogue: Path, nursery: Path) -> Iterator[Shop]:
    with opened(tmp_path / "shop", catalogue, nursery) as made:
        yield made


def till(shop: Shop, *wrapper: str, total: int) -> Program:
    words = ["--data", str(shop.data), "--total", str(total)]
    if wrapper:
        return shop.run("-m", "tests.e2e.kill_at", *wrapper, "--", "advancing", *words, name="till")
    return shop.run("-m", "tests.e2e.advancing_till", *words, name="till")


def closed(shop: Shop) -> int:
    return kinds(shop)["ПП"]


def kinds(shop: Shop) -> Counter[str]:
    """How many receipts of each kind the processor signed."""
    return Counter(
        json.loads(entry.answer)["invoiceCounterExtension"] for entry in audit.ledger(shop)
    )


def check(shop: Shop, proof: Proof) -> None:
    """The till brings what is open to its end; then each advance has its four receipts, once."""
    last = till(shop, total=closed(shop) + 1)
    assert last.wait() == 0, last.errors()
    found = kinds(shop)
    chains = found["ПП"]
    assert chains >= 1
    for kind, each in (("АП", 2), ("АР", 1)):
        for _ in range(chains):
            proof.count(signed=1)
        proof.doubled += max(0, found[kind] - each * chains)
        proof.lost += max(0, each * chains - found[kind])
    assert found == {"АП": 2 * chains, "АР": chains, "ПП": chains}
    entries = audit.ledger(shop)
    refunded = [
        entry.total
        for entry in entries
        if json.loads(entry.answer)["invoiceCounterExtension"] == "АР"
    ]
    assert refunded == [Decimal(str((FIRST + NEXT).amount))] * chains
    sales = audit.frozen_sales(shop.data)
    assert {one.state for one in sales} <= {"done", "refused"}
    assert sum(one.state == "done" for one in sales) == 3 * chains
    signed = {entry.request_id for entry in entries}
    assert not [one.key for one in sales if one.state == "refused" and one.request_id in signed]


@pytest.mark.faults
@pytest.mark.parametrize("part", PARTS)
def test_advances_while_the_till_is_killed(
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
def test_advances_while_the_server_is_killed(
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


@pytest.mark.faults
@pytest.mark.parametrize("part", PARTS)
def test_advances_while_the_processor_is_killed(
    swift: Shop, times: int, part: int, proof: Proof
) -> None:
    swift.processor().stop()
    server = swift.server()
    running = till(swift, total=ENDLESS)
    for number, point in enumerate(points(PROCESSOR_COMMITS, times, part)):
        processor = swift.processor(*wrapped("ledger.db", point))
        assert processor.wait() == -signal.SIGKILL, f"{number}: {point}\n{processor.errors()}"
        assert not running.is_over, running.errors()
    swift.processor()
    running.kill()
    check(swift, proof)
    server.stop()
