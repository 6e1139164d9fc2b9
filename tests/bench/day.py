"""A day of sales: compares what the till holds after it with what it held after the first hundred.

`--only day` runs it alone. A sale takes half a second, since the hand waits 0.4 s between
scan and payment.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tests.bench import machine
from tests.bench.figures import Figure, Target
from tests.bench.hands import Hands
from tests.bench.place import Place
from tests.bench.sales import Ended, sell

_READ = (20, 4, 2, 1)
"""The fractions of the day after which it reads: the first hundred of 2,000, and so on to its
end."""
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

    def figures(self, who: str, sales: int) -> Iterator[Figure]:
        for name, value, unit in (
            ("memory", self.memory, "MiB"),
            ("open files", self.files, ""),
            ("threads", self.threads, ""),
        ):
            yield replace(
                Figure.single(f"{who}: {name} after so many sales", value, unit), size=sales
            )

    def more_than(self, before: Held, who: str) -> Iterator[Figure]:
        """The figures of the growth since `before`."""
        grown = 100 * (self.memory / before.memory - 1)
        yield Figure.single(f"{who}: memory more than after the first", grown, "%", _GROWN)
        files, threads = self.files - before.files, self.threads - before.threads
        yield Figure.single(f"{who}: open files more", files, "", _NO_MORE)
        yield Figure.single(f"{who}: threads more", threads, "", _NO_MORE)


async def measure(hands: Hands) -> AsyncIterator[Figure]:
    ended, sold = Ended(hands), 0
    readings: list[tuple[dict[str, Held], int]] = []
    for share in _READ:
        most = max(1, hands.size.day // share)
        while sold < most:
            await sell(hands, ended)
            sold += 1
        await hands.pause(_SETTLED)
        await hands.quiet.reached()
        tasks = len(asyncio.all_tasks())
        readings.append((_held(hands), tasks))
        for who, held in readings[-1][0].items():
            for figure in held.figures(who, sold):
                yield figure
        yield replace(Figure.single("till: tasks after so many sales", tasks, ""), size=sold)
    (before, tasks_before), *_, (after, tasks) = readings
    for who, held in after.items():
        for figure in held.more_than(before[who], who):
            yield figure
    yield Figure.single("till: tasks more", tasks - tasks_before, "", _NO_MORE)


def _held(hands: Hands) -> dict[str, Held]:
    server = hands.core.server.pid
    assert server is not None
    return {"till": Held.by(os.getpid()), "its server": Held.by(server)}


def idle_server(place: Place) -> Iterator[Figure]:
    place.processor()
    server = place.shop.server()
    time.sleep(min(_IDLE_SECONDS, place.size.idle))
    memory = machine.resident_mib(server.child.pid)
    yield Figure.single("memory of a server that is idle", memory, "MiB", _IDLE)
    server.stop()
