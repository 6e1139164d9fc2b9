"""Opening `catalogue.db` to write: a till and a synchronisation take turns without losing time."""

from __future__ import annotations

import time
from pathlib import Path

import apsw

from pos_app.adapters.sqlite.catalogue_schema import MIGRATIONS
from pos_app.adapters.sqlite.database import open_database

LONGEST_WAIT = 5000
"""Milliseconds, about, until a write gives up."""


def open_writer(path: Path, *, durable: bool) -> apsw.Connection:
    """The catalogue, made empty when there is none. Raises what `open_database` does.

    durable: a commit survives a power cut; else the last ones may be lost, never the file.
    """
    connection = open_database(path, migrations=MIGRATIONS, durable=durable)
    connection.set_busy_handler(_patient)
    return connection


def _patient(tried: int) -> bool:
    """Ask again each millisecond: SQLite's own waits grow to 100 ms and miss the other's gaps."""
    time.sleep(0.001)
    return tried < LONGEST_WAIT
