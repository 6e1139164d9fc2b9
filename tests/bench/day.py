"""A day of sales: compares what the till holds after it with what it held after the first hundred.

`--only day` runs it alone. A sale takes half a second, since the hand waits 0.4 s between
scan and payment.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.bench import machine
from tests.bench.figures import Figure, Target
from tests.bench.hands import Hands
from tests.bench.place import Place
from tests.bench.sales import Ended, sell

_FIRST_SHARE = 20
"""The day is compared with this fraction of it: the first hundred of 2,000."""
_SETTLED = 3.0
"""Seconds after the last sale, in which its receipt arrives and its threads end."""
_NO_MORE = Target(0, 0)
_GROWN = Target(5, 5)
"""In percent of memory."""
_IDLE = Target(80, 80)
_IDLE_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Held:
    """The system's resources that a process holds."""

    memory: float
    files: int
    threads: int

    @classmethod
    def by(cls, pid: int) -> Held:
        folders = (Path(f"/proc/{pid}/{name}") for name in ("fd", "task"))
        files, threads = (len(list(folder.iterdir())) for folder in folders)
        return cls(machine.resident_mib(pid), files, threads)

    def more_than(self, before: Held, who: str) -> Iterator[Figure]:
        """The figures of the growth since `before`."""
        grown = 100 * (self.memory / before.memory - 1)
        yield Figure.single(f"{who}: memory more than after the first", grown, "%", _GROWN)
        files, threads = self.files - before.files, self.threads - before.threads
        yield Figure.single(f"{who}: open files more", files, "", _NO_MORE)
        yield Figure.single(f"{who}: threads more", threads, "", _NO_MORE)


async def measure(hands: Hands) -> AsyncIterator[Figure]:
    ended, day = Ended(hands), hands.size.day
    before, tasks = await _sold(hands, ended, max(1, day // _FIRST_SHARE))
    after, tasks_after = await _sold(hands, ended, day - max(1, day // _FIRST_SHARE))
    for who, held in after.items():
        for figure in held.more_than(before[who], who):
            yield figure
    yield Figure.single("till: tasks more", tasks_after - tasks, "", _NO_MORE)


async def _sold(hands: Hands, ended: Ended, sales: int) -> tuple[dict[str, Held], int]:
    """Sell so often; what till and server hold then, and the number of the till's tasks."""
    for _ in range(sales):
        await sell(hands, ended)
    await hands.pause(_SETTLED)
    await hands.quiet.reached()
    return _held(hands), len(asyncio.all_tasks())


def _held(hands: Hands) -> dict[str, Held]:
    server = hands.core.server.pid
    assert server is not None
    return {"till": Held.by(os.getpid()), "its server": Held.by(server)}


def measured(place: Place) -> Iterator[Figure]:
    """A server that is idle, and a day of the till."""
    server = place.server()
    time.sleep(min(_IDLE_SECONDS, place.size.idle))
    memory = machine.resident_mib(server.child.pid)
    yield Figure.single("memory of a server that is idle", memory, "MiB", _IDLE)
    server.stop()
    yield from place.figures("day")
