"""SIGKILL right before and right after every commit of till, server and processor, in turn.

Each process is killed at a commit of its own while sales go on, and the next one carries on from
its files. At the end the frozen sales and the ledger are compared.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence

import pytest

from tests.e2e import audit
from tests.e2e.shop import Program, Shop
from tests.proofs import Proof
from tests.sweep import sampled

Point = tuple[int, str]
ENDLESS = 100_000
TILL_COMMITS = 26
"""More than a till makes from its start to the end of its third sale (counted: 23)."""
SERVER_COMMITS = 18
"""More than a server makes (counted: 16)."""
PROCESSOR_COMMITS = 5
"""More than a processor makes: one to open its ledger, one a receipt."""
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
    """Tell whether the robot last reported a sale as handed over or in doubt."""
    last = {words[1]: words[0] for words in robot.lines() if words[0] != "server"}
    return not {"sending", "doubt"}.isdisjoint(last.values())


def check(shop: Shop, proof: Proof) -> None:
    """Every sale has ended, and is signed just once as it was frozen."""
    robot = shop.robot(total=0)
    ended = robot.wait()
    sales = audit.count(shop, proof)
    assert ended == 0, robot.errors()
    assert audit.faults(shop) == []
    assert sales >= 3


@pytest.mark.faults
@pytest.mark.parametrize("part", sampled(PARTS))
def test_the_till_is_killed_at_its_commits(shop: Shop, times: int, part: int, proof: Proof) -> None:
    shop.processor()
    server = shop.server()
    for number, point in enumerate(points(TILL_COMMITS, times, part)):
        robot = shop.robot(*wrapped("till.db", point), total=ENDLESS)
        assert was_killed(robot), f"{number}: {point}\n{robot.errors()}"
        proof.killed(in_flight=is_in_flight(robot))
    check(shop, proof)
    server.stop()


@pytest.mark.faults
@pytest.mark.parametrize("part", sampled(PARTS))
def test_the_server_is_killed_at_its_commits(
    shop: Shop, times: int, part: int, proof: Proof
) -> None:
    shop.processor()
    robot = shop.robot(total=ENDLESS)
    for number, point in enumerate(points(SERVER_COMMITS, times, part)):
        server = shop.server(*wrapped("journal.db", point))
        assert was_killed(server), f"{number}: {point}\n{server.errors()}"
        proof.killed(in_flight=is_in_flight(robot))
        assert not robot.is_over, robot.errors()
    server = shop.server()
    robot.kill()
    check(shop, proof)
    server.stop()


@pytest.mark.faults
@pytest.mark.parametrize("part", sampled(PARTS))
def test_the_processor_is_killed_at_its_commits(
    shop: Shop, times: int, part: int, proof: Proof
) -> None:
    shop.processor().stop()  # its key takes long to make: later processes begin at once
    server = shop.server()
    robot = shop.robot(total=ENDLESS)
    for number, point in enumerate(points(PROCESSOR_COMMITS, times, part)):
        processor = shop.processor(*wrapped("ledger.db", point))
        assert was_killed(processor), f"{number}: {point}\n{processor.errors()}"
        proof.killed(in_flight=is_in_flight(robot))
        assert not robot.is_over, robot.errors()
    shop.processor()
    robot.kill()
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
