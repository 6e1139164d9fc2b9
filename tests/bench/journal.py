"""Measures receipts through the local API over a journal that holds many already.

The journal is filled while no server runs (`big_journal`), then a server is started over it. The
processor measures its own time, which is subtracted, as in `local_api`.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace

from tests.bench.big_journal import multiply, number_of
from tests.bench.figures import Figure, NotMeasured, Target
from tests.bench.local_api import Caller, Spent, processor_times
from tests.bench.place import Place
from tests.bench.storage import by_number

WITHIN = 0.8
"""The share of an empty journal's receipts a second that a full one is to reach."""
_OWN = Target(p99=25)
_MIB = 1024 * 1024
_FIRST_BACKED_UP = 50_000_000
"""The first number of receipts of the backup; those of a full journal never reach it."""


def measure(place: Place) -> Iterator[Figure]:
    place.processor()
    path = place.data / "journal" / "journal.db"
    made, rate = 0, None
    for stored in place.size.stored:
        if stored > made:
            sold_once(place)
            began = time.perf_counter()
            multiply(path, stored - made, first=made)
            made = stored
            took = time.perf_counter() - began
            yield Figure.single(f"{stored:,} stored: filling the journal took", took, "s")
            yield Figure.single("  size of journal.db", path.stat().st_size / _MIB, "MiB")
        figures = list(_over(place, stored, rate))
        rate = rate or figures[1].median
        yield from figures


def sold_once(place: Place) -> None:
    """Make a receipt to be multiplied, and stop the server."""
    server = place.shop.server()
    caller = Caller(place, json.loads(place.codes.read_text()))
    caller.issue()
    caller.close()
    server.stop()


def _over(place: Place, stored: int, rate: float | None) -> Iterator[Figure]:
    """rate is receipts a second over the first journal; it is None for that one itself."""
    began = time.perf_counter()
    server = place.shop.server()
    if server.is_over:
        raise NotMeasured(f"the server did not start: {server.errors()}")
    start = time.perf_counter() - began
    caller = Caller(place, json.loads(place.codes.read_text()))
    for _ in range(5):
        caller.issue()
    spent = Spent(server, place.processor())
    processor_times(place)
    issued = [caller.issue() for _ in range(place.size.receipts)]
    signing = processor_times(place)
    own = [one.took - signed for one, signed in zip(issued, signing, strict=True)]
    yield Figure.single(f"{stored:,} stored: start of the server", start, "s")
    limit = None if rate is None else Target(WITHIN * rate, WITHIN * rate, at_least=True)
    name = "  receipts a second, without the processor's time"
    yield Figure.single(name, 1000 / statistics.mean(own), "1/s", limit)
    yield Figure.of("  POST receipts, own time", own, _OWN)
    yield from spent.figures(len(issued))
    chance = random.Random(1)
    numbers = [number_of(chance.randrange(stored)) for _ in issued] if stored else []
    found = [caller.find(number) for number in numbers or [sale.number for sale in issued]]
    yield Figure.of("  GET receipt by its number, over HTTP, with its picture", found)
    caller.close()
    server.stop()
    path = place.data / "journal" / "journal.db"
    figure = by_number(path, numbers or [sale.number for sale in issued])
    yield replace(figure, name=f"  {figure.name}")


def while_backed_up(place: Place) -> Iterator[Figure]:
    """Measure a backup of a gigabyte while the till scans: its duration, and the delay of a scan.
    The journal gets its receipts first; the window's process does the rest."""
    place.processor()
    sold_once(place)
    path = place.data / "journal" / "journal.db"
    multiply(path, place.size.backed_up, first=_FIRST_BACKED_UP)
    yield from place.figures("backup")
