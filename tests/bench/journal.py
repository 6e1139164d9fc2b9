"""Measures a durable commit, and receipts through the local API over a journal that holds many
already.

The journal is filled while no server runs (`big_journal`), then a server is started over it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from pos_app.adapters.data_folder import JOURNAL
from pos_app.adapters.sqlite.database import open_database, transaction
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from tests.bench.big_journal import multiply, number_of
from tests.bench.figures import Figure, NotMeasured, Target, timed
from tests.bench.local_api import serving
from tests.bench.place import Place

WITHIN = 0.8
"""The share of an empty journal's receipts a second that a full one is to reach."""
_MIB = 1024 * 1024
_FIRST_BACKED_UP = 50_000_000
"""The first number of receipts of the backup; those of a full journal never reach it."""
_TABLE = "CREATE TABLE written (number INTEGER PRIMARY KEY, body BLOB) STRICT"
_BODY = b"\0" * 1500
"""The size of a frozen sale."""
_COMMIT = Target(p99=50)
_LOOK_UP = Target(5, 5)


def commits(place: Place) -> Iterator[Figure]:
    """Measure a row of 1.5 KB, in a transaction that survives a power cut."""
    path = place.folder / "commits" / "commits.db"
    with closing(open_database(path, migrations=[_TABLE])) as connection:

        def write() -> None:
            with transaction(connection):
                connection.execute("INSERT INTO written (body) VALUES (?)", (_BODY,))

        times = [timed(write) for _ in range(place.size.commits)]
    yield Figure.of("durable commit of one row", times, _COMMIT)


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
        yield _by_number(place.data / JOURNAL, numbers)


def _by_number(path: Path, numbers: Sequence[str]) -> Figure:
    """Measure the look-ups of receipts by these numbers, in a journal that no program writes."""
    with closing(SqliteJournal(path)) as journal:

        def look_up(number: str) -> None:
            if journal.request_of_number(number) is None:
                raise NotMeasured(f"{number} was not found")

        times = [timed(partial(look_up, number)) for number in numbers]
    return Figure.of("  receipt by its number, in the journal", times, _LOOK_UP)


def while_backed_up(place: Place) -> Iterator[Figure]:
    """Measure a backup of a gigabyte while the till scans: its duration, and the delay of a scan.
    The journal gets its receipts first; the window's process does the rest."""
    fill(place, place.size.backed_up, first=_FIRST_BACKED_UP)
    yield from place.figures("backup")
