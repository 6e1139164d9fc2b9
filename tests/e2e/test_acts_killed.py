"""SIGKILL at each commit of till, server and processor while the till acts on receipts.

At the end the ledger has the receipts of each round's acts, and no more: an act that was signed
twice, or of which a half is missing, changes these numbers.
"""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Any

import pytest

from tests.e2e import audit
from tests.e2e.advancing_till import FIRST, NEXT
from tests.e2e.shop import Program, Shop
from tests.e2e.test_kill_at_commits import points, wrapped
from tests.proofs import Proof
from tests.sweep import sampled, turns

ENDLESS, PARTS = 100_000, range(2)


@dataclass(frozen=True, slots=True)
class Acts:
    """A round of a till. signed: its receipts by kind. confirmed: the number of sales that the till
    keeps of it. commits: enough for a start and a round, of till, server and processor; a program
    that is killed later than its round goes on with the next one."""

    till: str
    signed: Mapping[str, int]
    confirmed: int
    commits: tuple[int, int, int]


ADVANCES = Acts("advancing", {"АП": 2, "АР": 1, "ПП": 1}, 3, (26, 30, 6))
COPIES = Acts("copying", {"ПП": 1, "КП": 1, "ПР": 1, "КР": 1}, 3, (26, 30, 6))
CHANGES = Acts("changing", {"ПП": 6, "ПР": 3, "КР": 3, "АР": 1}, 10, (58, 48, 16))


def _named(one: object) -> str:
    return one.till if isinstance(one, Acts) else str(one)


OF_TILL = pytest.mark.parametrize(
    ("acts", "part"), turns([ADVANCES, COPIES, CHANGES], PARTS), ids=_named
)
EVERY = list(product([CHANGES, ADVANCES, COPIES], PARTS))
OF_SERVER = pytest.mark.parametrize(("acts", "part"), sampled(EVERY), ids=_named)
OF_PROCESSOR = pytest.mark.parametrize(("acts", "part"), EVERY, ids=_named)
"""To a processor each receipt is one commit, whatever act it belongs to: `make test` kills it with
plain sales."""


def till(shop: Shop, acts: Acts, *wrapper: str, total: int) -> Program:
    words = ["--data", str(shop.data), "--total", str(total)]
    if wrapper:
        return shop.run("-m", "tests.e2e.kill_at", *wrapper, "--", acts.till, *words, name="till")
    return shop.run("-m", f"tests.e2e.{acts.till}_till", *words, name="till")


def check(shop: Shop, acts: Acts, proof: Proof) -> None:
    """The till completes the open sales; then each round has its receipts, once."""
    begun = -(-kinds(shop)["ПП"] // acts.signed["ПП"])
    last = till(shop, acts, total=begun + 1)
    assert last.wait() == 0, last.errors()
    found = kinds(shop)
    rounds = found["ПП"] // acts.signed["ПП"]
    assert rounds >= 1
    for kind, each in acts.signed.items():
        for _ in range(rounds):
            proof.count(signed=1)
        proof.doubled += max(0, found[kind] - each * rounds)
        proof.lost += max(0, each * rounds - found[kind])
    assert found == {kind: each * rounds for kind, each in acts.signed.items()}
    entries = audit.ledger(shop)
    sales = audit.frozen_sales(shop.data)
    assert {one.state for one in sales} <= {"done", "refused"}
    done = [one for one in sales if one.state == "done"]
    assert len(done) == acts.confirmed * rounds
    totals = {entry.number: entry.total for entry in entries}
    assert len({one.number for one in done}) == len(done)
    assert all(one.number in totals for one in done)
    signed = {entry.request_id for entry in entries}
    assert not [one.key for one in sales if one.state == "refused" and one.request_id in signed]
    CHECKS[acts.till](shop, rounds)


def advances(shop: Shop, rounds: int) -> None:
    """Each closing gives back all that was paid in advance."""
    given_back = [entry.total for entry in audit.ledger(shop) if extension(entry.answer) == "АР"]
    assert given_back == [Decimal(str((FIRST + NEXT).amount))] * rounds


def copies(shop: Shop, rounds: int) -> None:
    refunded = referents(shop, "ПР")
    assert sorted(refunded) == sorted(f"ABCD1234-ABCD1234-{n + 1}" for n in range(rounds))
    copied = referents(shop, "КП", "КР")
    assert len(copied) == len(set(copied))


def changes(shop: Shop, rounds: int) -> None:
    """No receipt is refunded twice, and none is copied twice; each closing is of its own advance.
    The till's sums are those that were signed, without the goods that were paid in advance."""
    signed = {entry.number: entry.total for entry in audit.ledger(shop)}
    done = [one for one in audit.frozen_sales(shop.data) if one.number]
    before = [signed[one.number] - one.total for one in done if one.number]
    assert Counter(before) == {Decimal(0): (CHANGES.confirmed - 1) * rounds, Decimal(1): rounds}
    for kinds_of in (("ПР",), ("КР",)):
        named = referents(shop, *kinds_of)
        assert len(named) == len(set(named))
    closed = referents(shop, "АР")
    assert sorted(closed) == sorted(f"XYZW1234-XYZW1234-{n + 1}" for n in range(rounds))


CHECKS = {"advancing": advances, "copying": copies, "changing": changes}


def referents(shop: Shop, *extensions: str) -> list[str]:
    requests = [
        json.loads(one.request) for one in audit.ledger(shop) if extension(one.answer) in extensions
    ]
    return [one["referentDocumentNumber"] for one in requests]


def kinds(shop: Shop) -> Counter[str]:
    """The number of receipts of each kind that the processor signed."""
    return Counter(extension(entry.answer) for entry in audit.ledger(shop))


def extension(answer: str) -> str:
    told: dict[str, Any] = json.loads(answer)
    return str(told["invoiceCounterExtension"])


@pytest.mark.faults
@OF_TILL
def test_acts_while_the_till_is_killed(
    shop: Shop, times: int, part: int, proof: Proof, acts: Acts
) -> None:
    shop.processor()
    server = shop.server()
    for number, point in enumerate(points(acts.commits[0], times, part)):
        killed = till(shop, acts, *wrapped("till.db", point), total=ENDLESS)
        assert killed.wait() == -signal.SIGKILL, f"{number}: {point}\n{killed.errors()}"
    check(shop, acts, proof)
    server.stop()


@pytest.mark.faults
@OF_SERVER
def test_acts_while_the_server_is_killed(
    shop: Shop, times: int, part: int, proof: Proof, acts: Acts
) -> None:
    shop.processor()
    running = till(shop, acts, total=ENDLESS)
    for number, point in enumerate(points(acts.commits[1], times, part)):
        server = shop.server(*wrapped("journal.db", point))
        assert server.wait() == -signal.SIGKILL, f"{number}: {point}\n{server.errors()}"
        assert not running.is_over, running.errors()
    server = shop.server()
    running.kill()
    check(shop, acts, proof)
    server.stop()


@pytest.mark.long
@pytest.mark.faults
@OF_PROCESSOR
def test_acts_while_the_processor_is_killed(
    shop: Shop, times: int, part: int, proof: Proof, acts: Acts
) -> None:
    shop.processor().stop()
    server = shop.server()
    running = till(shop, acts, total=ENDLESS)
    for number, point in enumerate(points(acts.commits[2], times, part)):
        processor = shop.processor(*wrapped("ledger.db", point))
        assert processor.wait() == -signal.SIGKILL, f"{number}: {point}\n{processor.errors()}"
        assert not running.is_over, running.errors()
    shop.processor()
    running.kill()
    check(shop, acts, proof)
    server.stop()
