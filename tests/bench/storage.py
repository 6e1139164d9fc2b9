"""Measures the databases alone: a durable commit, a receipt by number, an article by sku."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import apsw

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.articles import CatalogueView
from pos_app.adapters.sqlite.database import open_database, open_reader, transaction
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from tests.bench.figures import Figure, NotMeasured, Target, timed
from tests.bench.place import Place

T = TypeVar("T")

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


def look_ups(place: Place) -> Iterator[Figure]:
    codes = json.loads(place.codes.read_text())
    with closing(CatalogueView(catalogue_file(place.data))) as view:
        skus = [int(codes[number % len(codes)][1]) for number in range(place.size.look_ups)]
        times = [timed(partial(_found, view.articles, sku)) for sku in skus]
    name = f"article_v1 by sku, {place.size.articles:,} articles"
    yield Figure.of(name, times, _LOOK_UP)
    path = place.data / "journal" / "journal.db"
    if path.exists():
        with closing(open_reader(path)) as connection:
            numbers = [str(row[0]) for row in connection.execute("SELECT number FROM receipts")]
        note = f"{len(numbers):,} receipts in it"
        yield replace(by_number(path, _spread(numbers, place.size.look_ups)), note=note)


def by_number(path: Path, numbers: Sequence[str]) -> Figure:
    """Measure the look-ups of receipts by these numbers, in a journal that no program writes."""
    with closing(SqliteJournal(path)) as journal:
        times = [timed(partial(_found, journal.request_of_number, number)) for number in numbers]
    return Figure.of("receipt by its number, in the journal", times, _LOOK_UP)


def _spread(numbers: Sequence[str], count: int) -> list[str]:
    return [numbers[(7 * place) % len(numbers)] for place in range(count)]


def _found(find: Callable[[T], object], key: T) -> None:
    if find(key) is None:
        raise NotMeasured(f"{key} was not found")


def _write(connection: apsw.Connection) -> None:
    with transaction(connection):
        connection.execute("INSERT INTO written (body) VALUES (?)", (_BODY,))
