"""Opens `catalogue.db` to write: a till and a synchronisation take turns without losing time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from pos_app.adapters.sqlite.catalogue.contents import catalogue_contents
from pos_app.adapters.sqlite.catalogue.schema import MIGRATIONS
from pos_app.adapters.sqlite.database import open_database

LONGEST_WAIT = 5000
"""The approximate milliseconds after which a write gives up."""
BRIEF_WAIT = 50
"""The same for a write that may be left out."""


def open_writer(path: Path, *, durable: bool) -> apsw.Connection:
    """Open the catalogue, made empty when there is none. Raises what `open_database` does. durable:
    a commit survives a power cut; else the last ones may be lost, never the file."""
    connection = open_database(
        path, migrations=MIGRATIONS, contents=catalogue_contents, durable=durable
    )
    connection.set_busy_handler(_patient)
    return connection


@contextmanager
def briefly(connection: apsw.Connection) -> Iterator[None]:
    """Let writes within give up after 50 ms: they may be left out, the window must not wait."""
    connection.set_busy_handler(lambda tried: _waited(tried, BRIEF_WAIT))
    try:
        yield
    finally:
        connection.set_busy_handler(_patient)


def _patient(tried: int) -> bool:
    """Ask again each millisecond. SQLite's own waits grow to 100 ms, and would miss the moments in
    which the other program leaves the file free."""
    return _waited(tried, LONGEST_WAIT)


def _waited(tried: int, longest: int) -> bool:
    time.sleep(0.001)
    return tried < longest
