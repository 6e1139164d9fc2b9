"""SIGKILL at any moment, mostly while a receipt is under way: none is lost, none is signed twice.

The time until every earlier sale had its receipt is without W, and begins with the next process:
when one death soon follows another the keeper of the server waits longer, as it should.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.e2e import audit
from tests.e2e.shop import PATIENCE, QUIET, Program, Shop, kill_pid, opened
from tests.proofs import Proof
from tests.sweep import sampled

ENDLESS = 100_000
DELAY = 0.15
"""Seconds of the processor for a receipt, which is then in flight for most of a sale's time."""
FEW = 4
"""Kills of each program in `make test`."""
FEW_TIMES = 50
"""`make test` repeats up to this number, `make faults` more often."""
SHARE = 0.9
"""The share of kills that must have met a receipt in flight."""


class Counter:
    def __init__(self, shop: Shop, chance: Random, proof: Proof) -> None:
        self.shop, self.proof, self._chance = shop, proof, chance
        self._processor = self._start_processor()
        self._robot = shop.robot(total=ENDLESS, own_server=True)
        self._robot.until(lambda: self._robot.lines("done"))

    def _start_processor(self) -> Program:
        processor = self.shop.processor()
        self.shop.change(delay_ms=int(DELAY * 1000))
        return processor

    def kill(self, victim: str) -> None:
        """Kill it with a receipt in flight; wait until all earlier confirmed sales have ended."""
        with closing(audit.Watch(self.shop.data)) as watch:
            self._wait_for_a_flight(watch)
            time.sleep(self._chance.uniform(0.0, DELAY))  # anywhere on its way
            self.proof.killed(in_flight=watch.in_flight())
            getattr(self, f"_kill_{victim}")()
            before = watch.open_keys()
            began: float = getattr(self, f"_renew_{victim}")()
            self._until(lambda: not before & watch.open_keys(), f"{before} have no receipt")
            self.proof.recovered.append(max(0.0, time.monotonic() - began - QUIET))

    def _wait_for_a_flight(self, watch: audit.Watch) -> None:
        self._until(lambda: not watch.in_flight(), "a receipt stays in flight")
        self._until(watch.in_flight, "nothing is sent")

    def _until(self, reached: Callable[[], bool], words: str) -> None:
        end = time.monotonic() + PATIENCE
        while not reached():
            assert time.monotonic() < end, f"{words}\n{self._robot.errors()}"
            assert not self._robot.is_over, self._robot.errors()
            time.sleep(0.005)

    def _kill_till(self) -> None:
        self._note_server()
        self._robot.kill()

    def _renew_till(self) -> float:
        began = time.monotonic()
        self._robot = self.shop.robot(total=ENDLESS, own_server=True)
        return began

    def _kill_server(self) -> None:
        assert kill_pid(self._note_server())

    def _renew_server(self) -> float:
        """Wait until the till has started it again."""
        told = self._lives()
        self._until(lambda: self._lives() != told, "the server is not started again")
        return time.monotonic()

    def _lives(self) -> list[list[str]]:
        return self._robot.lines("server")

    def _kill_processor(self) -> None:
        self._processor.kill()

    def _renew_processor(self) -> float:
        began = time.monotonic()
        self._processor = self._start_processor()
        return began

    def _note_server(self) -> int:
        """The server's process; it outlives its killed till, and the next till uses it."""
        told = [int(words[1]) for words in self._lives()]
        self.shop.pids.update(told[-1:])
        return told[-1] if told else max(self.shop.pids)

    def close_the_day(self) -> None:
        self._note_server()
        self._robot.kill()
        robot = self.shop.robot(total=0, own_server=True)
        assert robot.wait() == 0, robot.errors()


@pytest.fixture
def counter(
    tmp_path: Path, catalogue: Path, nursery: Path, times: int, proof: Proof
) -> Iterator[Counter]:
    """`make faults`, whose figures are read, really starts the killed programs."""
    with opened(tmp_path / "shop", catalogue, nursery if times <= FEW_TIMES else None) as shop:
        yield Counter(shop, Random(4711), proof)


@pytest.mark.faults
@pytest.mark.parametrize("victim", sampled(["till", "server", "processor"]))
def test_killed_at_any_moment(counter: Counter, times: int, victim: str) -> None:
    kills = FEW if times <= FEW_TIMES else times // 3 + 1
    for _ in range(kills):
        counter.kill(victim)
    counter.close_the_day()
    audit.count(counter.shop, counter.proof)
    assert audit.faults(counter.shop) == []
    assert counter.proof.in_flight >= SHARE * kills
