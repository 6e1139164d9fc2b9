"""SIGKILL right before and right after every commit of till, server and processor, in turn.

One life follows the other: each is killed at a commit point of its own while sales go on, the next
one carries on from the files that it left. At the end the frozen sales and the ledger are compared.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.e2e import audit
from tests.e2e.shop import Program, Shop, opened

Point = tuple[int, str]
ENDLESS = 100_000
TILL_COMMITS = 26
"""More than a till makes from its start to the end of its third sale (counted: 23)."""
SERVER_COMMITS = 18
"""The same of a server (counted: 16)."""
PROCESSOR_COMMITS = 5
"""The same of a processor: one to open its ledger, one a receipt."""
FEW = 8
ROUND = 30
"""With more than the usual `--times`, every point is swept once for each thirty of them."""


def points(commits: int, times: int) -> list[Point]:
    """The commit points to kill at: every one in `make faults`, some of them in `make test`."""
    every = [(n, when) for n in range(1, commits + 1) for when in ("before", "after")]
    if times > 50:
        return every * (times // ROUND)
    step = -(-len(every) // FEW)
    return [point for index, point in enumerate(every) if index % step == index // step % step]


def wrapped(file: str, point: Point) -> Sequence[str]:
    number, when = point
    return "--file", file, "--commit", str(number), "--when", when


def was_killed(program: Program) -> bool:
    return program.wait() == -signal.SIGKILL


def check(shop: Shop) -> None:
    """Every sale has ended, and is signed just once as it was frozen."""
    robot = shop.robot(total=0)
    assert robot.wait() == 0, robot.errors()
    assert audit.faults(shop) == []
    assert len(audit.ledger(shop)) >= 3


@pytest.mark.faults
def test_the_till_is_killed_at_its_commits(shop: Shop, times: int) -> None:
    shop.processor()
    server = shop.server()
    for number, point in enumerate(points(TILL_COMMITS, times)):
        robot = shop.robot(*wrapped("till.db", point), total=ENDLESS)
        assert was_killed(robot), f"{number}: {point}\n{robot.errors()}"
    check(shop)
    server.stop()


@pytest.mark.faults
def test_the_server_is_killed_at_its_commits(shop: Shop, times: int) -> None:
    shop.processor()
    robot = shop.robot(total=ENDLESS)
    for number, point in enumerate(points(SERVER_COMMITS, times)):
        server = shop.server(*wrapped("journal.db", point))
        assert was_killed(server), f"{number}: {point}\n{server.errors()}"
        assert not robot.is_over, robot.errors()
    server = shop.server()
    robot.kill()
    check(shop)
    server.stop()


@pytest.mark.faults
def test_the_processor_is_killed_at_its_commits(shop: Shop, times: int) -> None:
    shop.processor().stop()  # its key takes long to make: later lives begin at once
    server = shop.server()
    robot = shop.robot(total=ENDLESS)
    for number, point in enumerate(points(PROCESSOR_COMMITS, times)):
        processor = shop.processor(*wrapped("ledger.db", point))
        assert was_killed(processor), f"{number}: {point}\n{processor.errors()}"
        assert not robot.is_over, robot.errors()
    shop.processor()
    robot.kill()
    check(shop)
    server.stop()


@pytest.fixture
def fresh(tmp_path: Path, catalogue: Path) -> Iterator[Shop]:
    with opened(tmp_path / "fresh", catalogue) as made:
        yield made


@pytest.mark.faults
@pytest.mark.parametrize("when", ["before", "after"])
def test_everything_is_killed_while_its_files_are_made(fresh: Shop, when: str) -> None:
    assert was_killed(fresh.processor(*wrapped("ledger.db", (1, when))))
    fresh.processor()
    for number in (1, 2):
        assert was_killed(fresh.server(*wrapped("journal.db", (number, when))))
    server = fresh.server()
    for number in (1, 2, 3):
        assert was_killed(fresh.robot(*wrapped("till.db", (number, when)), total=3))
    robot = fresh.robot(total=3)
    assert robot.wait() == 0, robot.errors()
    check(fresh)
    server.stop()
