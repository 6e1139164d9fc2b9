"""Measures receipts through the local API over a journal that holds many already.

The journal is filled while no server runs (`big_journal`), then a server is started over it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from pos_app.adapters.data_folder import JOURNAL
from tests.bench.big_journal import multiply, number_of
from tests.bench.figures import Figure, Target
from tests.bench.local_api import serving
from tests.bench.place import Place
from tests.bench.storage import by_number

WITHIN = 0.8
"""The share of an empty journal's receipts a second that a full one is to reach."""
_MIB = 1024 * 1024
_FIRST_BACKED_UP = 50_000_000
"""The first number of receipts of the backup; those of a full journal never reach it."""


def measure(place: Place) -> Iterator[Figure]:
    path = place.data / JOURNAL
    made, rate = 0, None
    for stored in place.size.stored:
        fill(place, stored - made, first=made)
        made = stored
        size = Figure.single("size of journal.db", path.stat().st_size / _MIB, "MiB")
        yield replace(size, size=stored)
        for figure in _over(place, stored, rate):
            if rate is None and figure.unit == "/s":
                rate = figure.median
            yield replace(figure, size=stored)


def fill(place: Place, receipts: int, *, first: int) -> None:
    """Make a receipt, and multiply it once the server is stopped."""
    with serving(place):
        pass
    multiply(place.data / JOURNAL, receipts, first=first)


def _over(place: Place, stored: int, rate: float | None) -> Iterator[Figure]:
    """rate is receipts a second over the first journal; it is None for that one itself."""
    chance = random.Random(1)
    many = place.size.receipts if stored else 0
    numbers = [number_of(chance.randrange(stored)) for _ in range(many)]
    limit = None if rate is None else Target(WITHIN * rate, WITHIN * rate, at_least=True)
    with serving(place) as server:
        yield Figure.single("  start of the server", server.started)
        yield from server.figures(limit, numbers)
    if numbers:
        yield by_number(place.data / JOURNAL, numbers)


def while_backed_up(place: Place) -> Iterator[Figure]:
    """Measure a backup of a gigabyte while the till scans: its duration, and the delay of a scan.
    The journal gets its receipts first; the window's process does the rest."""
    fill(place, place.size.backed_up, first=_FIRST_BACKED_UP)
    yield from place.figures("backup")
