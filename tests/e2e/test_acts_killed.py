"""SIGKILL at each commit of till, server and processor while the till acts on receipts.

At the end the ledger has the receipts of each round's acts, and no more: an act that was signed
twice, or of which a half is missing, changes these numbers.
"""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from tests.e2e import audit
from tests.e2e.acting_till import FIRST, NEXT
from tests.e2e.shop import Program, Shop
from tests.e2e.test_kill_at_commits import PARTS, points, sweep
from tests.proofs import Proof
from tests.sweep import LONG

ENDLESS = 100_000
SIGNED = {"ПП": 8, "ПР": 3, "КР": 3, "КП": 1, "АП": 2, "АР": 2}
"""The receipts of a round by kind: four sales, the new receipts of an exchange and a correction,
the goods of two advances; what was given back for them; copies; advances."""
CONFIRMED = 15
"""The sales that the till keeps of a round."""
COMMITS = {"till": 90, "server": 80, "processor": 24}
"""Enough for a start and a round; a program that is killed later than its round goes on with the
next one."""


def till(shop: Shop, *wrapper: str, total: int) -> Program:
    words = ["--data", str(shop.data), "--total", str(total)]
    if wrapper:
        return shop.run("-m", "tests.e2e.kill_at", *wrapper, "--", "acting", *words, name="till")
    return shop.run("-m", "tests.e2e.acting_till", *words, name="till")


def check(shop: Shop, proof: Proof) -> None:
    """The till completes the open sales; then each round has its receipts, once."""
    last = till(shop, total=kinds(shop)["ПП"] // SIGNED["ПП"] + 1)
    assert last.wait() == 0, last.errors()
    found = kinds(shop)
    rounds = found["ПП"] // SIGNED["ПП"]
    for kind, each in SIGNED.items():
        for _ in range(rounds):
            proof.count(signed=1)
        proof.doubled += max(0, found[kind] - each * rounds)
        proof.lost += max(0, each * rounds - found[kind])
    assert found == {kind: each * rounds for kind, each in SIGNED.items()}
    entries = {entry.number: entry for entry in audit.ledger(shop)}
    sales = audit.frozen_sales(shop.data)
    assert {one.state for one in sales} <= {"done", "refused"}
    done = [one for one in sales if one.state == "done"]
    assert len(done) == len({one.number for one in done}) == CONFIRMED * rounds
    signed = {entry.request_id for entry in entries.values()}
    assert not [one.key for one in sales if one.state == "refused" and one.request_id in signed]
    # The till's sums are those that were signed, without what was paid in advance.
    before = Counter(entries[one.number].total - one.total for one in done if one.number)
    in_advance = Decimal(str((FIRST + NEXT).amount))
    assert (before[Decimal(1)], before[in_advance]) == (rounds, rounds)
    given_back = [one.total for one in entries.values() if extension(one.answer) == "АР"]
    assert Counter(given_back) == {Decimal(1): rounds, in_advance: rounds}
    for extensions in (("ПР",), ("КП", "КР"), ("АР",)):
        named = referents(shop, *extensions)
        assert len(named) == len(set(named)), extensions
    elsewhere = {f"XYZW1234-XYZW1234-{n + 1}" for n in range(rounds)}
    assert elsewhere <= set(referents(shop, "АР"))


def referents(shop: Shop, *extensions: str) -> list[str]:
    requests = [
        json.loads(one.request) for one in audit.ledger(shop) if extension(one.answer) in extensions
    ]
    return [one["referentDocumentNumber"] for one in requests]


def kinds(shop: Shop) -> Counter[str]:
    return Counter(extension(entry.answer) for entry in audit.ledger(shop))


def extension(answer: str) -> str:
    told: dict[str, Any] = json.loads(answer)
    return str(told["invoiceCounterExtension"])


@pytest.mark.faults
@pytest.mark.deadline(150)
@pytest.mark.parametrize("part", [PARTS[0], pytest.param(PARTS[1], marks=LONG)])
@pytest.mark.parametrize("victim", ["till", "server", pytest.param("processor", marks=LONG)])
def test_acts_while_a_program_is_killed_at_its_commits(
    shop: Shop, times: int, victim: str, part: int, proof: Proof
) -> None:
    """To a processor each receipt is one commit, whatever act it belongs to: `make test` kills it
    with plain sales."""
    at = points(COMMITS[victim], times, part)
    server = sweep(shop, victim, at, partial(till, shop, total=ENDLESS), Proof(proof.name))
    check(shop, proof)
    server.stop()
