"""SIGKILL at each step that a receipt takes between two workers, which PostgreSQL alone joins.

The till's server is connected to one worker and asked through the other one. The worker whose turn
it is, or PostgreSQL, is killed just before or just after it commits a statement. Each answer is
true, and the same key has one receipt in the end.
"""

from __future__ import annotations

import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

import httpx
import pytest

from tests.e2e.shop import PATIENCE, Shop
from tests.e2e.town import Town, town_of
from tests.fakes.postgresql import Cluster, postgresql_cluster
from tests.proofs import Proof

ITS, ASKER = 0, 1
"""The worker of the application, and the worker that is asked."""
ADDED, TAKEN = "INSERT INTO relay_command", "SET begun"
ANSWERED, READ = "answer=%(to_answer)s", "FROM relay_command \nWHERE relay_command.id ="
SIGNED, WAIT, UNKNOWN = "signed", "wait", "unknown"


@dataclass(frozen=True)
class Step:
    """A kill around a statement of a worker. told: the answers that the caller may get; none when
    the caller's own worker is killed."""

    worker: int
    statement: str
    when: str
    told: tuple[str, ...] = ()
    kills_database: bool = False

    def __str__(self) -> str:
        victim = "PostgreSQL" if self.kills_database else ("its", "asker")[self.worker]
        return f"{victim} {self.when} {self.statement!r}"


OF_WORKERS = [
    Step(ASKER, ADDED, "before"),
    Step(ASKER, ADDED, "after"),
    Step(ASKER, READ, "before"),
    Step(ASKER, READ, "after"),
    Step(ITS, TAKEN, "before", (WAIT,)),
    Step(ITS, TAKEN, "after", (UNKNOWN,)),
    Step(ITS, ANSWERED, "before", (SIGNED, UNKNOWN)),
    Step(ITS, ANSWERED, "after", (SIGNED,)),
]
OF_POSTGRESQL = [
    Step(ASKER, ADDED, "before", (SIGNED, UNKNOWN), kills_database=True),
    Step(ASKER, ADDED, "after", (SIGNED, UNKNOWN), kills_database=True),
    Step(ITS, TAKEN, "before", (SIGNED, UNKNOWN), kills_database=True),
    Step(ITS, TAKEN, "after", (SIGNED, UNKNOWN), kills_database=True),
    Step(ITS, ANSWERED, "before", (SIGNED, UNKNOWN), kills_database=True),
    Step(ITS, ANSWERED, "after", (SIGNED, UNKNOWN), kills_database=True),
]


SOME = [OF_WORKERS[1], OF_WORKERS[6], OF_POSTGRESQL[3]]
"""Those of `make test`."""


@pytest.mark.faults
@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(SOME, id="some"),
        pytest.param(OF_WORKERS, id="a worker", marks=pytest.mark.long),
        pytest.param(OF_POSTGRESQL, id="PostgreSQL", marks=pytest.mark.long),
    ],
)
def test_whoever_is_killed_at_a_step_between_two_workers_each_key_has_one_receipt(
    shop: Shop, times: int, proof: Proof, steps: list[Step]
) -> None:
    with ExitStack() as stack:
        cluster = stack.enter_context(postgresql_cluster(is_durable=True))
        town = stack.enter_context(town_of(shop, cluster.address, workers=2))
        callers = stack.enter_context(ThreadPoolExecutor(1))
        for step in steps * max(1, times // 50):
            if step.worker == ITS:
                # A connection that was cut several times within a minute comes back ever later.
                town.server.kill()
                town.server = shop.server()
            _killed_at(town, cluster, step, callers, proof)


def _killed_at(
    town: Town, cluster: Cluster, step: Step, callers: ThreadPoolExecutor, proof: Proof
) -> None:
    armed = town.shop.folder / "armed"
    wrapper = ["--statement", step.statement, "--when", step.when, "--armed", str(armed)]
    if step.kills_database:
        wrapper += ["--cluster", str(cluster.folder)]
    town.workers[step.worker].kill()
    _started(town, step, *wrapper)
    town.connected(worker=ITS)
    town.connected(worker=ASKER)
    key, before = uuid.uuid4().hex, len(town.signed)
    armed.touch()
    asking = callers.submit(town.post, key, worker=ASKER)
    end = time.monotonic() + PATIENCE
    while armed.exists():
        assert time.monotonic() < end, step
        time.sleep(0.002)
    if step.kills_database:
        cluster.start()
    else:
        town.workers[step.worker].wait()  # it holds the port until it has ended
        _started(town, step)
    told = None
    try:
        told = _class_of(asking.result(PATIENCE))
    except httpx.TransportError:
        assert not step.told, step
    else:
        assert told in step.told, (step, told)
    signed = town.signed[before:]
    assert not (told == WAIT and signed), step
    number = town.until_issued(key, worker=ASKER)
    made = town.signed[before:]
    proof.count(signed=len(made))
    assert made == [number], (step, made, number)


def _started(town: Town, step: Step, *wrapper: str) -> None:
    town.start_worker(step.worker, *wrapper)
    worker = town.workers[step.worker]
    assert not worker.is_over, worker.errors()


def _class_of(answer: httpx.Response) -> str:
    return SIGNED if answer.status_code == httpx.codes.OK else str(answer.json()["class"])
