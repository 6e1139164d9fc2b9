"""SIGKILL right before and right after every commit of till, server and processor, in turn.

Each process is killed at a commit of its own while sales go on, and the next one carries on from
its files. At the end the frozen sales and the ledger are compared.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from tests.e2e import audit
from tests.e2e.shop import Program, Shop
from tests.proofs import Proof
from tests.sweep import sampled

Point = tuple[int, str]
ENDLESS = 100_000
COMMITS = {"till": 26, "server": 18, "processor": 5}
"""More than a till makes from its start to the end of its third sale (counted: 23), a server (16),
and a processor: one to open its ledger, one a receipt."""
FILES = {"till": "till.db", "server": "journal.db", "processor": "ledger.db"}
FEW = 10
PARTS = range(2)
"""The parts of each sweep, for two processors: each in a shop of its own."""
ROUND = 30
"""With more than the usual `--times`, each `ROUND` of them sweep every point once."""


def points(commits: int, times: int, part: int) -> list[Point]:
    """A part of the commit points to kill at: all of them many times in `make faults`, some of them
    once in `make test`."""
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
    """Kill that program at each of these commits of its own, in turn, while the others go on;
    returns the server that runs then. till: starts one, with these words of `kill_at`."""
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


@pytest.mark.faults
@pytest.mark.parametrize("when", sampled(["after", "before"]))
def test_everything_is_killed_while_its_files_are_made(shop: Shop, when: str, proof: Proof) -> None:
    assert was_killed(shop.processor(*wrapped("ledger.db", (1, when))))
    shop.processor()
    for number in (1, 2):
        assert was_killed(shop.server(*wrapped("journal.db", (number, when))))
    server = shop.server()
    for number in (1, 2, 3):
        assert was_killed(shop.robot(*wrapped("till.db", (number, when)), total=3))
    for _ in range(6):
        proof.killed(in_flight=False)
    robot = shop.robot(total=3)
    assert robot.wait() == 0, robot.errors()
    check(shop, proof)
    server.stop()
