"""Measures the databases alone: a durable commit, a receipt by its number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import apsw

from pos_app.adapters.sqlite.database import open_database, transaction
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from tests.bench.figures import Figure, NotMeasured, Target, timed
from tests.bench.place import Place

_TABLE = "CREATE TABLE written (number INTEGER PRIMARY KEY, body BLOB) STRICT"
_BODY = b"\0" * 1500
"""The size of a frozen sale."""
_COMMIT = Target(p99=50)
_LOOK_UP = Target(5, 5)


def commits(place: Place) -> Iterator[Figure]:
    """Measure a row of 1.5 KB, in a transaction that survives a power cut."""
    path = place.folder / "commits" / "commits.db"
    with closing(open_database(path, migrations=[_TABLE])) as connection:
        times = [timed(partial(_write, connection)) for _ in range(place.size.commits)]
    yield Figure.of("durable commit of one row", times, _COMMIT)


def by_number(path: Path, numbers: Sequence[str]) -> Figure:
    """Measure the look-ups of receipts by these numbers, in a journal that no program writes."""
    with closing(SqliteJournal(path)) as journal:

        def look_up(number: str) -> None:
            if journal.request_of_number(number) is None:
                raise NotMeasured(f"{number} was not found")

        times = [timed(partial(look_up, number)) for number in numbers]
    return Figure.of("  receipt by its number, in the journal", times, _LOOK_UP)


def _write(connection: apsw.Connection) -> None:
    with transaction(connection):
        connection.execute("INSERT INTO written (body) VALUES (?)", (_BODY,))
