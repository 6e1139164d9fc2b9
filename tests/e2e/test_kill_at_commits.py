"""SIGKILL before and after every commit of till, server and processor, while sales go on and while
the till acts on receipts."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from tests.e2e import audit
from tests.e2e.acting_till import FIRST, NEXT
from tests.e2e.shop import Program, Shop
from tests.proofs import Proof
from tests.sweep import LONG, sampled

Point = tuple[int, str]
ENDLESS = 100_000
COMMITS = {"till": 26, "server": 18, "processor": 5}
"""More than each makes from its start to its third sale (counted: 23, 16, and one a receipt)."""
FILES = {"till": "till.db", "server": "journal.db", "processor": "ledger.db"}
FEW = 10
PARTS = range(2)
"""The parts of each sweep, for two processors: each in a shop of its own."""
ROUND = 30
"""With more than the usual `--times`, each `ROUND` of them sweep every point once."""


def points(commits: int, times: int, part: int) -> list[Point]:
    """A part of the commit points: all many times in `make faults`, some once in `make test`."""
    every = [(n, when) for n in range(1, commits + 1) for when in ("before", "after")]
    if times > 50:
        return every * -(-times // (ROUND * len(PARTS)))
    step = -(-len(every) // FEW)
    few = [point for index, point in enumerate(every) if index % step == index // step % step]
    return few[part :: len(PARTS)]


def wrapped(file: str, point: Point) -> Sequence[str]:
    number, when = point
    return "--file", file, "--commit", str(number), "--when", when


def was_killed(program: Program) -> bool:
    return program.wait() == -signal.SIGKILL


def is_in_flight(robot: Program) -> bool:
    last = {words[1]: words[0] for words in robot.lines() if words[0] != "server"}
    return not {"sending", "doubt"}.isdisjoint(last.values())


def check(shop: Shop, proof: Proof) -> None:
    robot = shop.robot(total=0)
    ended = robot.wait()
    sales = audit.count(shop, proof)
    assert ended == 0, robot.errors()
    assert audit.faults(shop) == []
    assert sales >= 3


def sweep(
    shop: Shop, victim: str, at: list[Point], till: Callable[..., Program], proof: Proof
) -> Program:
    """Kill that program at each of these commits; returns the server that runs then."""
    processor = shop.processor()
    server = None if victim == "server" else shop.server()
    running = None if victim == "till" else till()
    if victim == "processor":
        processor.stop()  # its key takes long to make: later processes begin at once
    start = {"till": till, "server": shop.server, "processor": shop.processor}[victim]
    for number, point in enumerate(at):
        killed = start(*wrapped(FILES[victim], point))
        assert was_killed(killed), f"{number}: {point}\n{killed.errors()}"
        proof.killed(in_flight=is_in_flight(running or killed))
        assert running is None or not running.is_over, running.errors()
    if victim == "processor":
        shop.processor()
    server = server or shop.server()
    if running is not None:
        running.kill()
    return server


@pytest.mark.faults
@pytest.mark.parametrize("part", sampled(PARTS))
@pytest.mark.parametrize("victim", COMMITS)
def test_a_program_is_killed_at_its_commits(
    shop: Shop, times: int, victim: str, part: int, proof: Proof
) -> None:
    at = points(COMMITS[victim], times, part)
    server = sweep(shop, victim, at, partial(shop.robot, total=ENDLESS), proof)
    check(shop, proof)
    server.stop()


SIGNED = {"ПП": 8, "ПР": 3, "КР": 3, "КП": 1, "АП": 2, "АР": 2}
"""A round's receipts: sales, what was given back for them, copies, and advances."""
CONFIRMED = 15
"""The sales that the till keeps of a round."""
ACT_COMMITS = {"till": 90, "server": 80, "processor": 24}
"""Enough for a start and a round; what is killed later goes on with the next round."""


def acting_till(shop: Shop, *wrapper: str, total: int) -> Program:
    words = ["--data", str(shop.data), "--total", str(total)]
    if wrapper:
        return shop.run("-m", "tests.e2e.kill_at", *wrapper, "--", "acting", *words, name="till")
    return shop.run("-m", "tests.e2e.acting_till", *words, name="till")


def check_acts(shop: Shop, proof: Proof) -> None:
    """The till completes the open sales; then each round has its receipts, once."""
    last = acting_till(shop, total=kinds(shop)["ПП"] // SIGNED["ПП"] + 1)
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
    """To a processor each receipt is one commit: `make test` kills it with plain sales."""
    at = points(ACT_COMMITS[victim], times, part)
    server = sweep(shop, victim, at, partial(acting_till, shop, total=ENDLESS), Proof(proof.name))
    check_acts(shop, proof)
    server.stop()
